import { mapAt } from "../json/map-at.ts";
import { readExactNumber } from "../read/numbers.ts";
import type { Fixer, JsonValue } from "../types.ts";
import { checkArguments } from "../usage/check-arguments.ts";
import { aString, oneOf } from "../usage/checks.ts";
import { namedFixer } from "./named-fixer.ts";

/** What `coerceTo` can make of a scalar. */
export type ScalarType = "string" | "number" | "integer" | "boolean";

const aScalarType = oneOf("string", "number", "integer", "boolean");

/**
 * Creates a fixer that changes the type of a scalar where its meaning is not in doubt: `"5"` → 5,
 * `"True"` → true, 5 → `"5"`. `"12 items"`, `"00713"` and `1` for a boolean are left alone, and so
 * is a number that would lose digits, and `"1e5"` for an integer.
 *
 * @param at Where the scalar stands, as a JSON Pointer; `*` is every element of an array.
 * @param type The type that the schema wants.
 * @returns The fixer.
 * @throws TypeError when `at` is not a JSON Pointer.
 * @example
 * ```ts
 * const registry = createFixerRegistry();
 * registry.register("search", coerceTo("/limit", "integer"));
 * ```
 */
export function coerceTo(at: string, type: ScalarType): Fixer {
  checkArguments("coerceTo(at, type)", { at: [at, aString], type: [type, aScalarType] });
  return namedFixer(`coerceTo(${at}, ${type})`, [at], (input) =>
    mapAt(input, at, (value) => coerce(value, type)),
  );
}

function coerce(value: JsonValue, type: ScalarType): JsonValue | undefined {
  if (type === "string") {
    return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  }
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (type === "boolean") {
    const lower = text.toLowerCase();
    return lower === "true" ? true : lower === "false" ? false : undefined;
  }
  if (type === "integer" && /e/i.test(text)) return undefined;
  const number = readExactNumber(text);
  return type === "integer" && !Number.isInteger(number) ? undefined : number;
}
