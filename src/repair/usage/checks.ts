import { isPlainRecord } from "./is-plain-record.ts";

/** What an option must be. `undefined` is no value: then its default holds. */
export interface Check {
  /** In words, after "must be". */
  readonly must: string;
  readonly isMet: (value: unknown) => boolean;
  /** The words that it may be, for a hint at the one that was meant. */
  readonly words?: readonly string[];
  /** What each of it must be, where it is an array. */
  readonly each?: Check;
  /** What the options within it must be, where it is an object of options. */
  readonly parts?: Readonly<Record<string, Check>>;
}

/** A check of every option: one that is forgotten does not compile. */
export type Checks<Options> = { readonly [Name in keyof Required<Options>]: Check };

export const aBoolean: Check = { must: "true or false", isMet: isOf("boolean") };
export const aFunction: Check = { must: "a function", isMet: isOf("function") };
export const aString: Check = { must: "a text", isMet: isOf("string") };
export const anArray: Check = { must: "an array", isMet: Array.isArray };
export const anObject: Check = { must: "an object", isMet: isPlainObject };
export const aCount: Check = {
  must: "a number of at least 0",
  isMet: (value) => typeof value === "number" && value >= 0,
};
export const anAbortSignal: Check = {
  must: "an AbortSignal",
  isMet: (value) =>
    typeof (value as Partial<AbortSignal> | null)?.throwIfAborted === "function" &&
    typeof (value as Partial<AbortSignal>).addEventListener === "function",
};
export const aRegistry: Check = {
  must: "a registry, as createFixerRegistry returns it",
  isMet: (value) => typeof (value as { forTool?: unknown } | null)?.forTool === "function",
};

/** A tool, or a provider's own, which is plain data. */
export const aTool: Check = {
  must: "a tool",
  isMet: (value) => value !== null && (typeof value === "object" || typeof value === "function"),
};

/** Functions that make a sink, and are often given in its place. */
const SINK_MAKERS: readonly string[] = ["jsonlSink", "otelSink"];

export const aSink: Check = {
  must: "a sink, as jsonlSink(file) and otelSink() return one",
  isMet: (value) => typeof value === "function" && !SINK_MAKERS.includes(value.name),
};

/** One of some words. */
export function oneOf(...words: readonly string[]): Check {
  const quoted = words.map((word) => `"${word}"`);
  const must =
    quoted.length === 1
      ? String(quoted[0])
      : `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`;
  return { must, words, isMet: (value) => words.includes(value as string) };
}

/** A list of some words. */
export function manyOf(...words: readonly string[]): Check {
  const one = oneOf(...words);
  return { ...arrayOf(one), must: `an array of ${one.must}`, words };
}

/** A list of what each passes a check. */
export function arrayOf(one: Check): Check {
  return {
    must: `an array, each of it ${one.must}`,
    each: one,
    isMet: (value) => Array.isArray(value) && value.every(one.isMet),
  };
}

/** One of several checks. */
export function either(first: Check, second: Check): Check {
  const words = [...(first.words ?? []), ...(second.words ?? [])];
  const isMet = (value: unknown) => first.isMet(value) || second.isMet(value);
  return { must: `${first.must}, or ${second.must}`, words, isMet };
}

/** An object with options of its own. */
export function optionsOf(parts: Readonly<Record<string, Check>>): Check {
  return { must: `an object with ${Object.keys(parts).join(", ")}`, isMet: isPlainRecord, parts };
}

function isPlainObject(value: unknown): boolean {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function isOf(type: string): (value: unknown) => boolean {
  return (value) => typeof value === type;
}
