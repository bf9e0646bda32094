import type { JsonValue } from "../types.ts";
import type { NumberSpellings } from "./exact-number.ts";

/** No input is deeper. */
const MAX_DEPTH = 200;

/**
 * Hands on a value that was read off a text without losing how its numbers were written.
 *
 * @param value The value.
 * @param spellings How the numbers of the text are written.
 * @returns The value itself where no number in it has a spelling of its own; otherwise JSON text
 * with the numbers as they were written, or `undefined` where that is not certain.
 */
export function spellNumbers(
  value: JsonValue | undefined,
  spellings: NumberSpellings,
): JsonValue | undefined {
  if (spellings.size === 0 || value === null || typeof value !== "object") return value;
  const written = write(value, spellings, 0);
  if (written === undefined) return undefined;
  return written.isSpelled ? written.text : value;
}

interface Written {
  readonly text: string;
  readonly isSpelled: boolean;
}

function write(value: JsonValue, spellings: NumberSpellings, depth: number): Written | undefined {
  if (typeof value === "number" && spellings.has(value)) {
    const text = spellings.get(value);
    return text === undefined ? undefined : { text, isSpelled: true };
  }
  if (value === null || typeof value !== "object") {
    return { text: JSON.stringify(value), isSpelled: false };
  }
  if (depth > MAX_DEPTH) return undefined;
  const parts: string[] = [];
  let isSpelled = false;
  for (const [key, child] of Object.entries(value)) {
    const written = child === undefined ? undefined : write(child, spellings, depth + 1);
    if (written === undefined) return undefined;
    parts.push(Array.isArray(value) ? written.text : `${JSON.stringify(key)}:${written.text}`);
    isSpelled ||= written.isSpelled;
  }
  const text = parts.join(",");
  return { text: Array.isArray(value) ? `[${text}]` : `{${text}}`, isSpelled };
}
