import { ToolInputError, type ToolInputErrorFields } from "./tool-input-error.ts";

/**
 * Creates an error that says the same as another, but for some fields.
 *
 * @param error The other error. It is not changed.
 * @param changes The fields that differ.
 */
export function copyError(
  error: ToolInputError,
  changes: Partial<ToolInputErrorFields>,
): ToolInputError {
  const { toolName, causingData, issues, action, toolCall, cause } = error;
  const { reason, candidates, limit, jsonSchema, verbose } = error;
  const fields = { toolName, causingData, issues, action, toolCall, cause, jsonSchema, verbose };
  return new ToolInputError({ ...fields, reason, candidates, limit, ...changes });
}
