import type { InputEvent } from "../repair/events/event.ts";
import { isJsonObject } from "../repair/json/json-value.ts";
import { NAMED_PARTS } from "../repair/schema/keywords.ts";
import { isShortLine } from "./fit-line.ts";
import type { LineOptions } from "./line-options.ts";
import type { SchemaLine } from "./log-line.ts";
import { lineBase } from "./to-log-line.ts";

/** The keywords that say something to people and models only. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "examples",
  "$comment",
  "deprecated",
  "markdownDescription",
]);

/**
 * Returns the line that says what a hash stands for: the tool's schema, shortened where it must be.
 *
 * @param event An event of the tool.
 * @param options How much of what models write is told.
 */
export function toSchemaLine(event: InputEvent, options: LineOptions): SchemaLine {
  const { schemaHash: schema = "", jsonSchema } = event;
  const base = { kind: "schema" as const, ...lineBase(event, options), schema };
  const whole = { ...base, jsonSchema };
  if (isShortLine(whole)) return whole;
  const plain = { ...base, jsonSchema: withoutAnnotations(jsonSchema), cut: ["descriptions"] };
  return isShortLine(plain) ? plain : { ...base, cut: ["jsonSchema"] };
}

function withoutAnnotations(schema: unknown, areNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withoutAnnotations(part));
  if (!isJsonObject(schema)) return schema;
  const entries = Object.entries(schema)
    .filter(([key]) => areNames || !ANNOTATIONS.has(key))
    .map(([key, part]) => [key, withoutAnnotations(part, !areNames && NAMED_PARTS.includes(key))]);
  return Object.fromEntries(entries);
}
