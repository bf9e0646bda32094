import { parseExactly } from "../../../repair/read/parse-exactly.ts";
import { readJson } from "../../../repair/read/read-json.ts";
import type { JsonValue, RepairLevel } from "../../../repair/types.ts";

/** JSON that a text is, and the level that reading it takes. */
export interface WholeJson {
  readonly value: JsonValue;
  readonly level: RepairLevel;
}

/**
 * Reads a text that is one JSON object or array and nothing else: no word of prose before, after or
 * in it, since that may say not to do what stands there.
 *
 * @param text The text.
 * @returns `undefined` for any other text. Only at `"eager"`: closing brackets are missing.
 */
export function readWholeJson(text: string): WholeJson | undefined {
  const trimmed = text.trim();
  if (!/^[{[]/.test(trimmed)) return undefined;
  const exact = parseExactly(trimmed);
  if (exact !== undefined) return { value: exact, level: "strict" };
  const read = readJson(trimmed, 0);
  if (read.kind === "refused") return undefined;
  const value = read.kind === "value" ? read.value : read.completed;
  if (value === undefined || lettersAndDigits(trimmed) !== lettersAndDigits(JSON.stringify(value)))
    return undefined;
  return { value, level: read.kind === "value" ? "safe" : "eager" };
}

/** All letters and digits: what is not in the value was a comment, or prose. */
function lettersAndDigits(text: string): string {
  return text
    .replace(/\bNone\b/g, "null")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
