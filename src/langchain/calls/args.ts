import { isJsonObject, showValue } from "../../repair/json/json-value.ts";
import { parseExactly } from "../../repair/read/parse-exactly.ts";
import type { JsonObject, JsonValue } from "../../repair/types.ts";

/** The key under which arguments that are not a JSON object are shown to the model. */
const MALFORMED = "malformed_arguments";

/** The most characters of such arguments that it is shown. */
const MALFORMED_LENGTH = 4_000;

/**
 * Returns the arguments of a call that is run with a tool's input: in a message they are an object, so
 * that a string tool's text goes into its one field, as LangChain's string tools take it.
 *
 * @param toolInput The input.
 */
export function toArgs(toolInput: JsonValue): JsonObject {
  return typeof toolInput === "string" ? { input: toolInput } : (toolInput as JsonObject);
}

/**
 * Returns what a model wrote as arguments as an object: providers take nothing else.
 *
 * @param written What it wrote: text, or a parsed value.
 * @returns The object that it is, or that the text is as JSON; `undefined` where it is neither.
 */
export function writtenArgs(written: unknown): JsonObject | undefined {
  const value = typeof written === "string" ? parseExactly(written) : written;
  return isJsonObject(value) ? value : undefined;
}

/**
 * Returns what a model wrote as arguments as it is shown to the model again: in a field of its own
 * where it is not an object.
 *
 * @param written What it wrote.
 */
export function shownArgs(written: unknown): JsonObject {
  const text =
    typeof written === "string"
      ? written.slice(0, MALFORMED_LENGTH)
      : showValue(written, MALFORMED_LENGTH);
  return writtenArgs(written) ?? { [MALFORMED]: text };
}
