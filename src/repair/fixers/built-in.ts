import { mapAt, parsePointer } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import { readExactNumber } from "../read/numbers.ts";
import type { Fixer, JsonValue } from "../types.ts";
import {
  aFunction,
  anObject,
  aString,
  type Check,
  checkArguments,
  either,
  isPlainRecord,
  oneOf,
} from "../usage.ts";

/**
 * Creates a fixer that renames a key: `{"element": "#buy"}` → `{"selector": "#buy"}`. A key of the
 * new name that is already there is never overwritten: then the fixer leaves the input alone.
 *
 * @param from The key as the model writes it.
 * @param to The key as the schema has it.
 * @param at The object that holds it, as a JSON Pointer; `*` is every element of an array. Default:
 * `""`, the input itself.
 * @returns The fixer.
 * @example
 * ```ts
 * const fixers = { search: [renameKey("q", "query")] };
 * ```
 */
export function renameKey(from: string, to: string, at = ""): Fixer {
  const args = { from: [from, aString], to: [to, aString], at: [at, aString] } as const;
  checkArguments("renameKey(from, to, at?)", args);
  return fixerAt(`renameKey(${from} → ${to}${atPlace(at)})`, at, (object) => {
    if (!isJsonObject(object) || !Object.hasOwn(object, from) || Object.hasOwn(object, to)) {
      return undefined;
    }
    const entries = Object.entries(object);
    return Object.fromEntries(entries.map(([key, value]) => [key === from ? to : key, value]));
  });
}

/**
 * Creates a fixer that puts a bare value under a key: `"#buy"` → `{"selector": "#buy"}`. Objects,
 * `null` and empty inputs are left alone.
 *
 * @param key The key that the bare value belongs under.
 * @param at Where the bare value stands, as a JSON Pointer; `*` is every element of an array.
 * Default: `""`, the whole input.
 * @returns The fixer.
 * @example
 * ```ts
 * const fixers = { search: [wrapValue("query")] };
 * ```
 */
export function wrapValue(key: string, at = ""): Fixer {
  checkArguments("wrapValue(key, at?)", { key: [key, aString], at: [at, aString] });
  return fixerAt(`wrapValue(${key}${atPlace(at)})`, at, (value) =>
    value === null || value === "" || isJsonObject(value) ? undefined : { [key]: value },
  );
}

/**
 * Creates a fixer that takes the input out of an envelope: `{"params": {…}}` → `{…}`. It leaves an
 * envelope with any other content alone.
 *
 * @param key The envelope's key.
 * @param at Where the envelope stands, as a JSON Pointer; `*` is every element of an array. Default:
 * `""`, the whole input.
 * @returns The fixer.
 * @example
 * ```ts
 * const fixers = { search: [unwrapKey("params")] };
 * ```
 */
export function unwrapKey(key: string, at = ""): Fixer {
  checkArguments("unwrapKey(key, at?)", { key: [key, aString], at: [at, aString] });
  return fixerAt(`unwrapKey(${key}${atPlace(at)})`, at, (envelope) =>
    isJsonObject(envelope) && Object.hasOwn(envelope, key) && Object.keys(envelope).length === 1
      ? envelope[key]
      : undefined,
  );
}

const aSeparator: Check = {
  must: "a text of at least one character",
  isMet: (value) => typeof value === "string" && value !== "",
};

/**
 * Creates a fixer that splits a delimited string: `{"tags": "a, b"}` → `{"tags": ["a", "b"]}`. Items
 * are trimmed, empty ones dropped; a string without any item is left alone.
 *
 * @param at Where the string stands, as a JSON Pointer; `*` is every element of an array.
 * @param separator What separates the items. Default: `","`.
 * @returns The fixer.
 * @example
 * ```ts
 * const fixers = { search: [splitList("/tags", ";")] };
 * ```
 */
export function splitList(at: string, separator = ","): Fixer {
  const args = { at: [at, aString], separator: [separator, aSeparator] } as const;
  checkArguments("splitList(at, separator?)", args);
  return fixerAt(`splitList(${at})`, at, (text) => {
    if (typeof text !== "string") return undefined;
    const items = text
      .split(separator)
      .map((item) => item.trim())
      .filter((item) => item !== "");
    return items.length === 0 ? undefined : items;
  });
}

/** The types that `coerceTo` converts a scalar to. */
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
 * @example
 * ```ts
 * const fixers = { search: [coerceTo("/limit", "integer")] };
 * ```
 */
export function coerceTo(at: string, type: ScalarType): Fixer {
  checkArguments("coerceTo(at, type)", { at: [at, aString], type: [type, aScalarType] });
  return fixerAt(`coerceTo(${at}, ${type})`, at, (value) => coerce(value, type));
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

const aMapping = either({ ...anObject, isMet: isPlainRecord }, aFunction);

/**
 * Creates a fixer that replaces a value: `mapValue("/unit", { C: "celsius", F: "fahrenheit" })`.
 *
 * @param at Where the value stands, as a JSON Pointer; `*` is every element of an array.
 * @param mapping The new value for each value, by its text; or a function, which returns
 * `undefined` to keep a value.
 * @returns The fixer.
 * @example
 * ```ts
 * const fixers = { search: [mapValue("/unit", { C: "celsius", F: "fahrenheit" })] };
 * ```
 */
export function mapValue(
  at: string,
  mapping: Readonly<Record<string, JsonValue>> | ((value: JsonValue) => JsonValue | undefined),
): Fixer {
  checkArguments("mapValue(at, mapping)", { at: [at, aString], mapping: [mapping, aMapping] });
  return fixerAt(`mapValue(${at})`, at, (value) => {
    if (typeof mapping === "function") return structuredClone(mapping(value));
    const isScalar = value === null || typeof value !== "object";
    const isKnown = isScalar && Object.hasOwn(mapping, String(value));
    return isKnown ? structuredClone(mapping[String(value)]) : undefined;
  });
}

/** The place as part of a fixer's name, if it has one. */
function atPlace(at: string): string {
  return at === "" ? "" : `, ${at}`;
}

/** A named fixer of the values at a place, which is checked now, not when it runs. */
function fixerAt(
  name: string,
  at: string,
  change: (value: JsonValue) => JsonValue | undefined,
): Fixer {
  parsePointer(at);
  const fixer: Fixer = (input) => mapAt(input, at, change);
  return Object.defineProperty(fixer, "name", { value: name });
}
