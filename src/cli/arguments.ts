import { parseArgs } from "node:util";
import { askIfMeant } from "../repair/usage.ts";

/** Reads what was given as an option; of one that was not given, `undefined`. */
type Reader<Value> = (given: string | boolean | undefined, name: string) => Value;

/** An option without a value. */
export const flag: Reader<boolean> = (given) => given === true;

/** An option with any value: a file, a name. */
export const text: Reader<string | undefined> = (given) => given as string | undefined;

/** Makes the reader of an option that is one of some words. */
export function wordOf<const Word extends string, Preset extends Word | undefined>(
  words: readonly Word[],
  preset: Preset,
): Reader<Word | Preset> {
  return (given, name) => {
    const known = given === undefined ? preset : words.find((word) => word === given);
    if (known !== undefined || given === undefined) return known as Word | Preset;
    const said = words.length > 2 ? `one of ${words.join(", ")}` : words.join(" or ");
    throw new TypeError(`${name} must be ${said}, not "${given}".`);
  };
}

/** Makes the reader of an option that is a whole number. */
export function countFrom(least: number, preset: number): Reader<number> {
  return (given, name) => {
    const count =
      given === undefined ? preset : /^\d{1,9}$/.test(String(given)) ? Number(given) : -1;
    if (count >= least) return count;
    throw new TypeError(`${name} must be a whole number from ${least} on, not "${given}".`);
  };
}

/** Takes all tokens, so that each can be checked. */
const LENIENT = { strict: false, tokens: true, allowPositionals: true } as const;

/**
 * Reads the arguments of a command as Node's `parseArgs` does, and says of a misspelt option which was meant.
 * `wanted` is said where no file is named; empty where none need be; without it, the command takes none.
 */
export function readCommandLine<Readers extends Readonly<Record<string, Reader<unknown>>>>(
  args: readonly string[],
  readers: Readers,
  wanted?: string,
): { readonly [Name in keyof Readers]: ReturnType<Readers[Name]> } & {
  readonly names: readonly string[];
} {
  const known = Object.keys(readers);
  const config = {
    args: [...args],
    options: Object.fromEntries(
      known.map((name) => [name, { type: readers[name] === flag ? "boolean" : "string" } as const]),
    ),
    allowPositionals: wanted !== undefined,
  };
  const seen = new Set<string>();
  for (const token of parseArgs({ ...config, ...LENIENT }).tokens) {
    if (token.kind !== "option") continue;
    const { name, rawName } = token;
    if (seen.has(name)) throw new TypeError(`The option "--${name}" is given twice.`);
    seen.add(name);
    if (known.includes(name)) continue;
    const all = ` There are ${known.map((one) => `--${one}`).join(", ")}.`;
    const hint = askIfMeant(name, known, (close) => `--${close}`) || all;
    throw new TypeError(`There is no option "${rawName}".${hint}`);
  }
  const { values, positionals: names } = parseArgs(config);
  if (wanted && names.length === 0) throw new TypeError(wanted);
  const read = Object.entries(readers).map(([name, reader]) => [
    name,
    reader(values[name], `--${name}`),
  ]);
  return { ...Object.fromEntries(read), names };
}
