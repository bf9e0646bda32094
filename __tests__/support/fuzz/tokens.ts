import { isJsonObject } from "#src/repair/json.ts";
import type { JsonValue, Repair } from "#src/repair/types.ts";

/** The reader's own repair: it records the whole text, and does not account for a loss. */
const READERS = ["json-syntax", "parse-json", "parse-text", "close-brackets"];

/** Words for a literal, an escape or a wrapper, which may change their spelling. */
const LITERALS = /^(?:true|false|null|none|undefined|nan|json|toolcall|arguments|e|u|x)$/i;

/** Invented leaves of a value: they are neither in the input nor in the schema. */
export function inventedIn(output: JsonValue, raw: JsonValue, schema: unknown): string[] {
  const given = fold(spell(raw) + spell(schema));
  const numbers = new Set((spell(raw).match(/\.?\d[\d.]*(?:e[+-]?\d+)?/gi) ?? []).map(Number));
  return leavesOf(output).filter((leaf) => {
    if (typeof leaf === "number")
      return !numbers.has(Math.abs(leaf)) && !given.includes(fold(leaf));
    return typeof leaf === "string" && !given.includes(fold(leaf));
  }) as string[];
}

/** Words of a text that are missing from its result and from the records of its repairs. */
export function lostFrom(text: string, output: JsonValue, repairs: readonly Repair[]): string[] {
  const accounts = repairs.filter(({ fixer }) => !READERS.includes(fixer));
  const kept = fold(
    spell(output) + accounts.map(({ path, before }) => path + spell(before)).join(" "),
  );
  const numbers = new Set(leavesOf(output).filter((leaf) => typeof leaf === "number"));
  const words = text.replace(/\\(?:u[0-9a-f]{4}|.)/gi, " ").match(/[\p{L}\p{N}.]+/gu) ?? [];
  return words.filter((word) => {
    if (LITERALS.test(word) || numbers.has(Number(word)) || numbers.has(-Number(word)))
      return false;
    return !kept.includes(fold(word));
  });
}

function leavesOf(value: JsonValue): JsonValue[] {
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item as JsonValue));
  if (isJsonObject(value))
    return Object.values(value).flatMap((item) => leavesOf(item as JsonValue));
  return [value];
}

/** All keys and leaves of a value as one text, raw and with escapes decoded, repeatedly. */
function spell(value: unknown): string {
  const readings = [typeof value === "string" ? value : (JSON.stringify(value) ?? "")];
  for (let times = 0; times < 5; times++) readings.push(readEscapes(readings.at(-1) ?? ""));
  return readings.join(" ");
}

function readEscapes(text: string): string {
  return text.replace(/\\(?:u([0-9a-f]{4})|([\s\S]))/gi, (_, code?: string, sign?: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return /[bfnrt]/.test(sign ?? "") ? " " : (sign ?? "");
  });
}

/** Only letters and digits, in lower case. */
function fold(value: unknown): string {
  return String(value)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
