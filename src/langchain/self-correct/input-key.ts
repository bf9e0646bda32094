import type { ToolInputError } from "../../errors.ts";
import { isJsonObject } from "../../json-value.ts";

/**
 * Gives one text for one mistake: the tool, and what the model wrote, whatever the order of keys or
 * the spacing.
 *
 * @param error The mistake.
 */
export function inputKey({ toolName, causingData }: ToolInputError): string {
  return JSON.stringify([toolName, causingData], sortKeys);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}
