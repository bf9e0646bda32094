/**
 * What the cases of edits are written with. Only docs and tests read the cases,
 * so that a bundler drops them: each function here is marked as free of side
 * effects.
 */

import type { JsonObject, JsonValue } from "../types.ts";
import type { EditCase } from "./rule.ts";

export const text: JsonObject = { type: "string" };
export const integer: JsonObject = { type: "integer" };
export const number: JsonObject = { type: "number" };
export const boolean: JsonObject = { type: "boolean" };
export const texts: JsonObject = { type: "array", items: { type: "string" } };
export const integers: JsonObject = {
  type: "array",
  items: { type: "integer" },
};

/**
 * A closed object schema whose properties are required, unless their name ends
 * in `?`.
 */
/* @__NO_SIDE_EFFECTS__ */ export function object(properties: {
  readonly [name: string]: JsonValue;
}): JsonObject {
  return { ...openObject(properties), additionalProperties: false };
}

/** The same, with other keys allowed. */
/* @__NO_SIDE_EFFECTS__ */ export function openObject(properties: {
  readonly [name: string]: JsonValue;
}): JsonObject {
  const declared: { [name: string]: JsonValue } = {};
  const required: string[] = [];
  for (const [name, schema] of Object.entries(properties)) {
    const isOptional = name.endsWith("?");
    const key = isOptional ? name.slice(0, -1) : name;
    declared[key] = schema;
    if (!isOptional) required.push(key);
  }
  return { type: "object", properties: declared, required };
}

/** A schema with a description. */
/* @__NO_SIDE_EFFECTS__ */ export function described(
  schema: JsonObject,
  description: string,
): JsonObject {
  return { ...schema, description };
}

/** A list of such elements. */
/* @__NO_SIDE_EFFECTS__ */ export function listOf(
  items: JsonValue,
): JsonObject {
  return { type: "array", items };
}

/** A field of choices. */
/* @__NO_SIDE_EFFECTS__ */ export function choiceOf(
  ...choices: readonly string[]
): JsonObject {
  return { type: "string", enum: [...choices] };
}

/** The cases of several inputs for one schema. */
/* @__NO_SIDE_EFFECTS__ */ export function inputsFor(
  schema: JsonObject,
  ...inputs: readonly JsonValue[]
): readonly EditCase[] {
  return inputs.map((input) => ({ schema, input }));
}

/** Words as a sentence of the docs lists them. */
/* @__NO_SIDE_EFFECTS__ */ export function listed(
  words: Iterable<string>,
): string {
  return [...words].map((word) => `\`${word}\``).join(", ");
}
