import { type ParseArgsConfig, parseArgs } from "node:util";
import { closestName } from "../repair/closest-name.ts";

/**
 * Reads a command's flags as Node's `parseArgs` does, and says of a misspelt one which was meant.
 *
 * @param config What `parseArgs` takes.
 * @returns What it returns.
 * @throws TypeError for a flag that the command does not have.
 */
export function parseFlags<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  const names = Object.keys(config.options ?? {});
  const { tokens } = parseArgs({
    args: config.args,
    options: config.options,
    strict: false,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind !== "option" || names.includes(token.name)) continue;
    const close = closestName(token.name, names);
    const hint =
      close === undefined
        ? `There are ${names.map((name) => `--${name}`).join(", ")}.`
        : `Did you mean "--${close}"?`;
    throw new TypeError(`There is no option "${token.rawName}". ${hint}`);
  }
  return parseArgs(config);
}
