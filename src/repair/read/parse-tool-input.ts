import type { JsonValue, Repair } from "../types.ts";
import { isBlank } from "./characters.ts";
import { findJson, unwrapEncoded } from "./find-json.ts";
import type { FoundJson, ReadingPolicy } from "./found-json.ts";
import { looksLikeJson } from "./looks-like-json.ts";
import { parseExactly } from "./parse-exactly.ts";
import { skipBlanks } from "./skip-space.ts";

/** How a text was cut off. */
export type Truncation =
  /** Inside a string, number or word, or where a value must follow. Never completed. */
  | "inside-value"
  /** After a complete value: only closing brackets are missing. */
  | "closing-brackets";

/** What `JSON.parse` makes of a text; `undefined` for no JSON. */
export interface ExactJson {
  readonly value: JsonValue | undefined;
}

/** What a text turned out to be. */
export type ParsedToolInput =
  /** A value. Text that is no JSON at all is a string value, so that a fixer can take it. */
  | {
      readonly kind: "value";
      readonly value: JsonValue;
      readonly repairs: readonly Repair[];
      /** The value is text that holds JSON which could not be taken: it is not what was meant. */
      readonly unread?: true;
      /** The value is taken only where the schema accepts it as it is. */
      readonly mustFit?: true;
    }
  /** Text that ends too early. `completed` is the value with the closing brackets put in. */
  | { readonly kind: "truncated"; readonly where: Truncation; readonly completed?: JsonValue }
  /** Several values one after another: which one was meant is not known. */
  | { readonly kind: "several" };

/**
 * Reads what the model wrote as JSON. Pure, never throws, and costs time linear in the length.
 *
 * Text that is JSON is parsed as `JSON.parse` does it: of a key written twice the last value
 * counts, and integers beyond 2^53 are rounded. Otherwise, but at level `strict`, JSON that was
 * encoded twice is unwrapped, and faults of syntax are repaired where one reading is possible.
 * Where two are, something was left out (`...`), or the text is no JSON, the text itself is the
 * value, untouched; `unread` tells the JSON among them. No string that was cut off is ever closed,
 * and JSON in a model's thoughts is never taken. Amid other text it is taken from a code fence,
 * from control tags and after words that only say that it follows; at `eager`, also amid prose that
 * hands it over and neither denies, corrects nor quotes it.
 *
 * @param text What the model wrote.
 * @param policy The level, and the name of the tool that the text was given to.
 * @param known What `JSON.parse` makes of the text, where that was asked before.
 * @returns The value and its repairs, at most one; or that the text was cut off, or holds several
 * values, which is told at every level.
 */
export function parseToolInput(
  text: string,
  policy: ReadingPolicy,
  known?: ExactJson,
): ParsedToolInput {
  const syntaxRepair = policy.level !== "strict";
  const trimmed = trimBlanks(text);
  if (trimmed === "") return { kind: "value", value: "", repairs: [] };
  const exact = known === undefined ? parseExactly(trimmed) : known.value;
  if (exact !== undefined) {
    const unwrapped = syntaxRepair ? unwrapEncoded(exact) : undefined;
    return unwrapped ? toParsed(unwrapped, "parse-json", exact) : untouched(exact);
  }
  const found = findJson(trimmed, policy);
  return found && (syntaxRepair || found.kind !== "value")
    ? toParsed(found, "json-syntax", text)
    : untouched(text);
}

/** The value as it is. Text in which there is JSON, or are thoughts, is not what was meant. */
function untouched(value: JsonValue): ParsedToolInput {
  const isUnread = typeof value === "string" && looksLikeJson(trimBlanks(value));
  return { kind: "value", value, repairs: [], ...(isUnread && { unread: true }) };
}

function toParsed(
  found: NonNullable<FoundJson>,
  fixer: string,
  before: JsonValue,
): ParsedToolInput {
  switch (found.kind) {
    case "several":
      return found;
    case "truncated":
      return found.completed === undefined
        ? { kind: "truncated", where: "inside-value" }
        : { kind: "truncated", where: "closing-brackets", completed: found.completed };
    case "value": {
      const { value, level = "safe", mustFit = level === "eager" } = found;
      return {
        kind: "value",
        value,
        repairs: [{ fixer, path: "", before, after: value, level }],
        ...(mustFit && { mustFit }),
      };
    }
  }
}

/** Without white space at both ends, marks that are not seen included. */
function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && isBlank(text.charAt(end - 1))) end--;
  return text.slice(skipBlanks(text, 0), end);
}
