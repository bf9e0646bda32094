import { type ParseArgsConfig, parseArgs } from "node:util";
import { askIfMeant } from "../repair/closest-name.ts";

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
    const known = ` There are ${names.map((name) => `--${name}`).join(", ")}.`;
    const hint = askIfMeant(token.name, names, (close) => `--${close}`) || known;
    throw new TypeError(`There is no option "${token.rawName}".${hint}`);
  }
  return parseArgs(config);
}
