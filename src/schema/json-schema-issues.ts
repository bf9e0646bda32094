import type { OutputUnit } from "@cfworker/json-schema";
import { getAt, toPointer } from "../json-pointer.ts";
import { showValue, typeName } from "../json-value.ts";
import type { InputIssue, JsonObject, JsonValue } from "../types.ts";
import { describeSchema } from "./describe-schema.ts";

/** Keywords whose error only says that something below is wrong. */
const CONTAINERS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "$ref",
  "$recursiveRef",
  "allOf",
  "if",
  "dependentSchemas",
]);

/** Keywords that speak for everything below them: which branch was meant is not known. */
const UNIONS: ReadonlySet<string> = new Set(["anyOf", "oneOf"]);

/**
 * Turns the validator's errors into issues: one for each fault, at the place where it is.
 *
 * @param errors What `@cfworker/json-schema` reports, containers before what they contain.
 * @param value The value that was validated.
 * @param schema The schema, to say what it expects.
 */
export function toIssues(
  errors: readonly OutputUnit[],
  value: JsonValue,
  schema: JsonObject,
): InputIssue[] {
  const issues: InputIssue[] = [];
  const spokenFor: string[] = [];
  for (const error of errors) {
    if (spokenFor.some((place) => error.keywordLocation.startsWith(place))) continue;
    if (UNIONS.has(error.keyword)) spokenFor.push(`${error.keywordLocation}/`);
    if (!CONTAINERS.has(error.keyword)) issues.push(toIssue(error, value, schema));
  }
  const last = errors.at(-1);
  return issues.length === 0 && last !== undefined ? [toIssue(last, value, schema)] : issues;
}

function toIssue(error: OutputUnit, root: JsonValue, schema: JsonObject): InputIssue {
  const place = toPlace(error.instanceLocation);
  const value = getAt(root, place);
  const subschema = getAt(schema as JsonValue, schemaPlace(error));
  switch (error.keyword) {
    case "required": {
      const key = /property "(.*)"\.$/s.exec(error.error)?.[1] ?? "";
      const path = place + toPointer([key]);
      const wanted = getAt(subschema, toPointer(["properties", key]));
      const expected = describeSchema(wanted ?? true);
      return { path, message: "is required", code: "required", expected, received: "nothing" };
    }
    case "false":
      return {
        path: place,
        message: "is not a field of this tool",
        code: "additionalProperties",
        received: showValue(value),
      };
    case "type": {
      const expected = describeSchema(subschema ?? true);
      const message = `must be of type ${expected}`;
      return { path: place, message, code: "type", expected, received: received(value) };
    }
    case "enum":
    case "const":
    case "anyOf":
    case "oneOf": {
      const expected = describeSchema(subschema ?? true);
      const message = `must be ${expected}`;
      return { path: place, message, code: error.keyword, expected, received: received(value) };
    }
    default:
      return {
        path: place,
        message: error.error,
        code: error.keyword,
        received: received(value),
      };
  }
}

function received(value: JsonValue | undefined): string {
  return value !== null && typeof value === "object" ? typeName(value) : showValue(value);
}

/** `#/a/b%20c` → `/a/b c` */
function toPlace(instanceLocation: string): string {
  return decodeURI(instanceLocation.slice(1));
}

/** Where the schema of an error's place stands; across a `$ref` it is not looked up. */
function schemaPlace({ keywordLocation }: OutputUnit): string {
  const place = decodeURI(keywordLocation.slice(1));
  return place.slice(0, Math.max(0, place.lastIndexOf("/")));
}
