import { parseExactly } from "../read/parse-exactly.ts";
import { readJson } from "../read/read-json.ts";
import type { JsonValue } from "../types.ts";
import { scanJson } from "./scan-json.ts";
import type { Cursor, Found } from "./text-format.ts";

/** JSON in a text. */
export interface JsonAt {
  /** As it is written. */
  readonly text: string;
  readonly value: JsonValue;
  /**
   * `undefined` where it is JSON as it stands; `"safe"` where its syntax has a fault; `"eager"` where
   * only closing brackets are missing.
   */
  readonly level: "safe" | "eager" | undefined;
}

/**
 * Reads one JSON object or array. Its syntax may have faults, but no word of prose may stand in it,
 * a comment included: it may say not to do what stands there.
 *
 * @param cursor Where its bracket stands.
 */
export function readJsonAt({ text, at }: Cursor): Found<JsonAt> {
  if (!/[{[]/.test(text.charAt(at))) return undefined;
  const scanned = scanJson(text, at);
  const exact = scanned && parseExactly(scanned.value);
  if (scanned !== undefined && exact !== undefined) {
    return { value: { text: scanned.value, value: exact, level: undefined }, end: scanned.end };
  }
  const read = readJson(text, at);
  if (read.kind === "refused") return undefined;
  if (read.kind === "truncated") return readUnclosed(text, at);
  const source = text.slice(at, read.end);
  if (lettersAndDigits(source) !== lettersAndDigits(JSON.stringify(read.value))) return undefined;
  return { value: { text: source, value: read.value, level: "safe" }, end: read.end };
}

/**
 * Reads a text that is one JSON object or array and nothing else.
 *
 * @param text The text.
 */
export function readWholeJson(text: string): JsonAt | undefined {
  const trimmed = text.trim();
  const json = readJsonAt({ text: trimmed, at: 0 });
  return json?.end === trimmed.length ? json.value : undefined;
}

/** JSON whose closing brackets are missing at the end of the text, or of the fence around it. */
function readUnclosed(text: string, at: number): Found<JsonAt> {
  const end = /\n(?:```|~~~)\s*$/.exec(text.slice(-40)) === null ? text.length : lastFence(text);
  const source = text.slice(at, end).trimEnd();
  const read = readJson(source, 0);
  const value = read.kind === "truncated" ? read.completed : undefined;
  if (value === undefined || lettersAndDigits(source) !== lettersAndDigits(JSON.stringify(value)))
    return undefined;
  return { value: { text: source, value, level: "eager" }, end };
}

function lastFence(text: string): number {
  return Math.max(text.lastIndexOf("```"), text.lastIndexOf("~~~"));
}

/** All letters and digits: what is not in the value was a comment, or prose. */
function lettersAndDigits(text: string): string {
  return text
    .replace(/\bNone\b/g, "null")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
