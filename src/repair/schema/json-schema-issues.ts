import type { OutputUnit } from "@cfworker/json-schema";
import { getAt, parsePointer, toPointer } from "../json/json-pointer.ts";
import type { InputIssue, JsonObject, JsonValue } from "../types.ts";
import { describeSchema } from "./describe-schema.ts";
import { schemaAt } from "./schema-at.ts";
import { NOT_A_FIELD, showReceived } from "./show-received.ts";

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

/** Keywords whose error is best told by what the schema wants at that place. */
const NAMES_EXPECTED: ReadonlySet<string> = new Set([
  "required",
  "type",
  "enum",
  "const",
  ...UNIONS,
]);

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
  const { keyword } = error;
  const missing = keyword === "required" ? /property "(.*)"\.$/s.exec(error.error)?.[1] : undefined;
  const place = toPlace(error.instanceLocation);
  const path = missing === undefined ? place : place + toPointer([missing]);
  const received = showReceived(getAt(root, path));
  if (keyword === "false") {
    return { path, message: NOT_A_FIELD, code: "additionalProperties", received };
  }
  if (!NAMES_EXPECTED.has(keyword)) return { path, message: error.error, code: keyword, received };
  const expected = describeSchema(schemaAt(schema, parsePointer(path)));
  const message = keyword === "required" ? "is required" : `must be ${expected}`;
  return { path, message, code: keyword, expected, received };
}

/** `#/a/b%20c` → `/a/b c` */
function toPlace(instanceLocation: string): string {
  return decodeURI(instanceLocation.slice(1));
}
