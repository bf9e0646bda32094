import { toPointer } from "../repair/json/json-pointer.ts";
import { isJsonObject } from "../repair/json/json-value.ts";
import { isContainer, parseExactly } from "../repair/read/parse-exactly.ts";

/**
 * Changes a value before it is written.
 *
 * @param value A string, a number or a boolean. Text that could not be read as JSON comes whole.
 * @param path Where it stands in the input, as a JSON Pointer.
 * @returns What is written in its stead.
 */
export type Redact = (value: unknown, path: string) => unknown;

/** What is written where a redaction throws. */
const FAILED = "[redact threw]";

/** Nesting down to which is looked. */
const MAX_DEPTH = 64;

/**
 * Hands every value of an input to a redaction. Text that is JSON is looked into, and stays text.
 *
 * @param value The input. It is not changed.
 * @param redact The redaction; without one, the input is returned as it is.
 */
export function redactValue(value: unknown, redact: Redact | undefined): unknown {
  if (redact === undefined) return value;
  const isJson = typeof value === "string" && parsedIn(value) !== undefined;
  return isJson ? redactIn(value, [], redact) : redactAt(value, [], redact);
}

function redactAt(value: unknown, path: readonly string[], redact: Redact): unknown {
  if (value === null || value === undefined) return value;
  if (path.length > MAX_DEPTH) return FAILED;
  if (Array.isArray(value)) {
    return value.map((item, index) => redactAt(item, [...path, String(index)], redact));
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, field]) => [key, redactAt(field, [...path, key], redact)]),
    );
  }
  try {
    const clean = redact(value, toPointer(path));
    return typeof value === "string" && clean === value ? redactIn(value, path, redact) : clean;
  } catch {
    return FAILED;
  }
}

/** Text that is JSON holds values that have places of their own. */
function redactIn(text: string, path: readonly string[], redact: Redact): string {
  const held = parsedIn(text);
  if (held === undefined) return text;
  const clean = JSON.stringify(redactAt(held, path, redact));
  // Its own spelling, where nothing was to be hidden.
  return clean === JSON.stringify(held) ? text : clean;
}

/** What is in text that is an object or a list as JSON. */
function parsedIn(text: string): object | undefined {
  const value = parseExactly(text);
  return isContainer(value) ? value : undefined;
}
