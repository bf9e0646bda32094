import { isJsonObject } from "../../repair/json/json-value.ts";
import type { JsonValue } from "../../repair/types.ts";

/** An input that was refused: what a `ToolInputError` says of it. */
export interface Mistake {
  readonly toolName: string;
  readonly causingData: JsonValue | string;
}

/**
 * Gives one text for one mistake: the tool, and what the model wrote, whatever the order of keys or
 * the spacing.
 *
 * @param error The mistake.
 */
export function inputKey({ toolName, causingData }: Mistake): string {
  return JSON.stringify([toolName, causingData], sortKeys);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}
