import { isJsonObject } from "../../repair/json/json-value.ts";
import { parseExactly } from "../../repair/read/parse-exactly.ts";

/** What exports hold: objects whose fields may be anything. */
export type LooseFields = { readonly [key: string]: unknown };

/** Takes a value as an object. Whatever is none has no fields. */
export function plainFields(value: unknown): LooseFields {
  return isJsonObject(value) ? value : {};
}

/** Takes a value as a list. Whatever is none has no items. */
export function plainItems(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Takes a value as an object, where the export may have it as JSON text. */
export function asFields(value: unknown): LooseFields {
  return plainFields(asParsed(value));
}

/** Takes a value as a list, where the export may have it as JSON text. */
export function asItems(value: unknown): readonly unknown[] {
  return plainItems(asParsed(value));
}

/** The first of the values that is text with something in it. */
export function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === "string" && value !== "");
}

/** Nesting down to which an export's values are looked at: nobody's tool has as much. */
const DEEPEST = 500;

/** Tells whether a value is nested more deeply than anything that goes through all of it can follow. */
export function isTooDeep(value: unknown, left: number = DEEPEST): boolean {
  if (value === null || typeof value !== "object") return false;
  return left === 0 || Object.values(value).some((one) => isTooDeep(one, left - 1));
}

function asParsed(value: unknown): unknown {
  return typeof value === "string" ? parseExactly(value) : value;
}
