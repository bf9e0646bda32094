import { readFileSync } from "node:fs";
import { findSchemaFault } from "../repair/schema/keywords.ts";
import type { JsonSchema } from "../repair/types.ts";

/**
 * Reads a JSON Schema of a tool's input.
 *
 * @param file The file; it may begin with a byte order mark.
 * @throws TypeError when it cannot be read, or is not a JSON Schema; it says what is wrong.
 */
export function readSchemaFile(file: string): JsonSchema {
  let schema: unknown;
  try {
    schema = JSON.parse(readFileSync(file, "utf8").replace(/^\ufeff/, ""));
  } catch (error) {
    const what = error instanceof SyntaxError ? "is no JSON" : "cannot be read";
    throw new TypeError(`${file} ${what}: ${(error as Error).message}`, { cause: error });
  }
  const fault = findSchemaFault(schema);
  if (fault !== undefined) throw new TypeError(`${file} is no JSON Schema: ${fault}`);
  return schema as JsonSchema;
}
