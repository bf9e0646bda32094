import { sharesValue } from "../../repair/json/shares-value.ts";
import type { CompiledSchema } from "../../repair/schema/compile-schema.ts";
import type { JsonValue } from "../../repair/types.ts";
import { declaredPart } from "./declared-part.ts";
import type { LoggedInput } from "./logged-input.ts";

/**
 * Returns what a tool hears of an input: undeclared keys are left out.
 *
 * @param value The input.
 * @param schema The tool's schema.
 * @returns `undefined` where the schema refuses it.
 */
export async function declaredInput(
  value: JsonValue,
  schema: CompiledSchema,
): Promise<JsonValue | undefined> {
  const validation = await schema.validate(value);
  return validation.ok ? declaredPart(value, schema, validation.parsed) : undefined;
}

/**
 * Returns what a tool would have heard of the call that took the place of a refused one. A later call
 * may be another call altogether: only one that says something of the first is its correction.
 *
 * @param input The refused input.
 * @param schema The schema of the tool that was meant.
 * @returns `undefined` where nothing took its place that is known, or that the schema accepts.
 */
export async function labelOf(
  { raw, correction }: LoggedInput,
  schema: CompiledSchema,
): Promise<JsonValue | undefined> {
  if (correction === undefined) return undefined;
  const { source, toolInput } = correction;
  if (source === "later-call" && !sharesValue(raw, toolInput)) return undefined;
  return declaredInput(toolInput, schema);
}
