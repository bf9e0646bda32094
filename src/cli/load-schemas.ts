import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { JsonSchema } from "../repair/types.ts";
import { readSchemaFile } from "./read-schema-file.ts";

/**
 * Reads the schemas in a folder: `TOOL.json` is a JSON Schema of the tool's input.
 *
 * @param folder The folder.
 * @throws TypeError when there is none in it, or a file is no JSON Schema.
 */
export function loadSchemas(folder: string): ReadonlyMap<string, JsonSchema> {
  const files = readFolder(folder).filter((name) => name.endsWith(".json"));
  if (files.length === 0) {
    throw new TypeError(`--schemas ${folder}: there is no TOOL.json in it.`);
  }
  return new Map(
    files.map((name) => [basename(name, ".json"), readSchemaFile(join(folder, name))]),
  );
}

function readFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    throw new TypeError(`--schemas ${folder} cannot be read: ${(error as Error).message}`);
  }
}
