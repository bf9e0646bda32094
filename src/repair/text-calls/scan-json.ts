import type { Found } from "./text-format.ts";

/** What stands in an object or array, each part as it is written. */
export interface JsonParts {
  /** The keys of an object; `undefined` for an array. */
  readonly keys?: readonly string[];
  /** The source text of each value. */
  readonly sources: readonly string[];
}

/**
 * Finds where JSON ends that begins at a place, without reading it: strings are passed over,
 * brackets counted.
 *
 * @param text The text.
 * @param start The index of the opening bracket.
 * @returns The text from bracket to bracket; `undefined` where it is not closed, or does not fit.
 */
export function scanJson(text: string, start: number): Found<string> {
  const open: string[] = [];
  for (let at = start; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === '"') {
      at = endOfJsonString(text, at);
      if (at < 0) return undefined;
    } else if (sign === "{" || sign === "[") {
      open.push(sign === "{" ? "}" : "]");
    } else if (sign === "}" || sign === "]") {
      if (open.pop() !== sign) return undefined;
      if (open.length === 0) return { value: text.slice(start, at + 1), end: at + 1 };
    }
    if (open.length === 0) return undefined;
  }
  return undefined;
}

/**
 * Takes an object or array apart, one level deep.
 *
 * @param json Text from bracket to bracket.
 * @returns Its keys and the source of each value; `undefined` where it is not JSON on this level.
 */
export function partsOfJson(json: string): JsonParts | undefined {
  const isObject = json.startsWith("{");
  if (!isObject && !json.startsWith("[")) return undefined;
  const keys: string[] = [];
  const sources: string[] = [];
  const last = json.length - 1;
  let at = passSpace(json, 1);
  if (at === last) return isObject ? { keys, sources } : { sources };
  for (;;) {
    if (isObject) {
      const end = json.charAt(at) === '"' ? endOfJsonString(json, at) : -1;
      if (end < 0) return undefined;
      keys.push(json.slice(at, end + 1));
      at = passSpace(json, end + 1);
      if (json.charAt(at) !== ":") return undefined;
      at = passSpace(json, at + 1);
    }
    const end = endOfValue(json, at);
    if (end === undefined || end > last) return undefined;
    sources.push(json.slice(at, end));
    at = passSpace(json, end);
    if (at === last) break;
    if (json.charAt(at) !== ",") return undefined;
    at = passSpace(json, at + 1);
  }
  const names = keys.map(readJsonString);
  if (!names.every((name) => name !== undefined)) return undefined;
  return isObject ? { keys: names, sources } : { sources };
}

/**
 * Reads a JSON string.
 *
 * @param source Its text, quotes included.
 */
export function readJsonString(source: string): string | undefined {
  if (!source.startsWith('"')) return undefined;
  try {
    return JSON.parse(source) as string;
  } catch {
    return undefined;
  }
}

/**
 * Passes over white space.
 *
 * @param text The text.
 * @param start Where to begin.
 * @returns The index of the first character that is no white space.
 */
export function passSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && text.charAt(at).trim() === "") at++;
  return at;
}

/** The index of the quote that closes a string; -1 where none does. */
function endOfJsonString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const sign = text.charAt(at);
    if (sign === "\\") at++;
    else if (sign === '"') return at;
  }
  return -1;
}

function endOfValue(json: string, start: number): number | undefined {
  const sign = json.charAt(start);
  if (sign === '"') {
    const end = endOfJsonString(json, start);
    return end < 0 ? undefined : end + 1;
  }
  if (sign === "{" || sign === "[") return scanJson(json, start)?.end;
  WORD.lastIndex = start;
  return WORD.test(json) ? WORD.lastIndex : undefined;
}

const WORD = /[\w+.-]+/y;
