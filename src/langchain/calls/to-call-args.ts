import type { JsonObject, JsonValue } from "../../repair/types.ts";

/**
 * Makes the arguments of a call from a tool's input: in a message they are an object, so that a
 * string tool's text goes into its one field, as LangChain's string tools take it.
 *
 * @param toolInput The input.
 */
export function toCallArgs(toolInput: JsonValue): JsonObject {
  return typeof toolInput === "string" ? { input: toolInput } : (toolInput as JsonObject);
}
