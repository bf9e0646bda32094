import { wrongUse } from "../errors/likeness.ts";
import { isJsonObject } from "../json/json-value.ts";
import { compileJsonSchema } from "./compile-json-schema.ts";
import { compileStandardSchema } from "./compile-standard-schema.ts";
import { compileStringTool, isStringToolSchema } from "./compile-string-tool.ts";
import type { CompiledSchema } from "./compiled-schema.ts";
import type { StandardSchema } from "./standard-schema.ts";

const compiled = new WeakMap<object, CompiledSchema>();

/**
 * Compiles a tool's schema, once per schema object, and anew where its keywords were changed since.
 *
 * @param schema A zod 3 or zod 4 schema, a Standard Schema, or a JSON Schema.
 * @returns The compiled schema.
 * @throws TypeError when the schema is of none of these kinds.
 */
export function compileSchema(schema: unknown): CompiledSchema {
  if (schema === null || (typeof schema !== "object" && typeof schema !== "function")) {
    throw wrongUse(
      `A tool's schema must be a zod schema, a Standard Schema or a JSON Schema, not ${schema === null ? "null" : typeof schema}.`,
    );
  }
  const known = compiled.get(schema);
  if (known?.isCurrent()) return known;
  const fresh = compileByKind(schema);
  compiled.set(schema, fresh);
  return fresh;
}

function compileByKind(schema: object): CompiledSchema {
  if (isStringToolSchema(schema)) return compileStringTool();
  if (isStandardSchema(schema)) return compileStandardSchema(schema);
  if (Object.values(schema).some(isSchemaObject)) {
    throw wrongUse(
      "A tool's schema must be one schema; this one is an object of schemas. Write z.object({ … }) around it.",
    );
  }
  // Keywords are data: what has functions is a validator of a kind that is not known here.
  const isData = !Object.values(schema).some((value) => typeof value === "function");
  if (isJsonObject(schema) && isData) return compileJsonSchema(schema);
  throw wrongUse(
    "A tool's schema must be a zod schema (3.25 or 4), a Standard Schema or a JSON Schema; this one is an object of another kind.",
  );
}

/** A schema of zod or the like, among keywords that are data. */
function isSchemaObject(value: unknown): boolean {
  return value !== null && typeof value === "object" && ("~standard" in value || "_def" in value);
}

function isStandardSchema(schema: object): schema is StandardSchema {
  return "~standard" in schema;
}
