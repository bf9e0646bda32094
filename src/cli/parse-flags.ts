import { type ParseArgsConfig, parseArgs } from "node:util";
import { askIfMeant } from "../repair/usage.ts";

/**
 * Reads a command's flags as Node's `parseArgs` does, and says of a misspelt one which was meant.
 *
 * @param config What `parseArgs` takes.
 * @returns What it returns.
 * @throws TypeError for a flag that the command does not have, or that is given twice.
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
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const isAgain = seen.has(token.name) && config.options?.[token.name]?.multiple !== true;
    if (isAgain) throw new TypeError(`The option "--${token.name}" is given twice.`);
    seen.add(token.name);
    if (names.includes(token.name)) continue;
    const known = ` There are ${names.map((name) => `--${name}`).join(", ")}.`;
    const hint = askIfMeant(token.name, names, (close) => `--${close}`) || known;
    throw new TypeError(`There is no option "${token.rawName}".${hint}`);
  }
  return parseArgs(config);
}
