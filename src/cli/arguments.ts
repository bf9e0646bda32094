import { type ParseArgsConfig, parseArgs } from "node:util";
import { LEVELS } from "../repair/level-allows.ts";
import type { RepairLevel } from "../repair/types.ts";
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

/**
 * Reads a level from a command line.
 *
 * @param text What was given as `--level`.
 * @throws TypeError when it is none.
 */
export function toLevel(text: string): RepairLevel {
  if (LEVELS.includes(text as RepairLevel)) return text as RepairLevel;
  throw new TypeError(`--level must be one of ${LEVELS.join(", ")}, not "${text}".`);
}

/**
 * Reads a whole number from a command line.
 *
 * @param text What was given.
 * @param about The option's name, and the least that it may be.
 * @throws TypeError when it is none, or too small.
 */
export function toCount(
  text: string,
  { name, least }: { readonly name: string; readonly least: number },
): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= least) return count;
  throw new TypeError(`${name} must be a whole number from ${least} on, not "${text}".`);
}
