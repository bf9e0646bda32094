import { isContainer, isJsonObject, mapAt, parsePointer } from "../json.ts";
import { readExactNumber } from "../read/numbers.ts";
import type { Fixer, JsonValue } from "../types.ts";
import {
  aFunction,
  anObject,
  aString,
  check,
  checkArguments,
  either,
  oneOf,
} from "../usage.ts";
import { withTarget } from "./check-fixers.ts";

/**
 * Creates a fixer that renames a key: `{"element": "#buy"}` →
 * `{"selector": "#buy"}`. A key of the new name that is already there is never
 * overwritten: then the fixer leaves the input alone.
 *
 * @param from The key as the model writes it.
 * @param to The key as the schema has it.
 * @param at Its object, as a JSON Pointer; `*` is every element of an array.
 *   Default: `""`, the input.
 * @returns The fixer.
 * @example
 * ```ts
 * const fixers = { search: [renameKey("q", "query")] };
 * ```
 */
export function renameKey(from: string, to: string, at = ""): Fixer {
  const args = { from, to, at };
  const shown = [`${from} → ${to}`, at];
  const fixer = makeFixer("renameKey(from, to, at?)", args, shown, (object) => {
    if (!isJsonObject(object)) return undefined;
    if (!Object.hasOwn(object, from)) return undefined;
    if (Object.hasOwn(object, to)) return undefined;
    const entries = Object.entries(object);
    return Object.fromEntries(
      entries.map(([key, value]) => [key === from ? to : key, value]),
    );
  });
  return withTarget(fixer, { key: to, at });
}

/**
 * Creates a fixer that puts a bare value under a key: `"#buy"` →
 * `{"selector": "#buy"}`. Objects, `null` and empty inputs are left alone.
 *
 * @param key The key that the bare value belongs under.
 * @param at Its place, as a JSON Pointer; `*` is every element of an array.
 *   Default: `""`, the input.
 * @returns The fixer.
 * @example
 * ```ts
 * const fixers = { search: [wrapValue("query")] };
 * ```
 */
export function wrapValue(key: string, at = ""): Fixer {
  const args = { key, at };
  const fixer = makeFixer("wrapValue(key, at?)", args, [key, at], (value) => {
    if (value === null || value === "") return undefined;
    if (isJsonObject(value)) return undefined;
    return { [key]: value };
  });
  return withTarget(fixer, args);
}

/**
 * Creates a fixer that takes the input out of an envelope: `{"params": {…}}` →
 * `{…}`. It leaves an envelope with any other content alone.
 *
 * @param key The envelope's key.
 * @param at Its place, as a JSON Pointer; `*` is every element of an array.
 *   Default: `""`, the input.
 * @returns The fixer.
 * @example
 * ```ts
 * const fixers = { search: [unwrapKey("params")] };
 * ```
 */
export function unwrapKey(key: string, at = ""): Fixer {
  const args = { key, at };
  return makeFixer("unwrapKey(key, at?)", args, [key, at], (envelope) => {
    if (!isJsonObject(envelope)) return undefined;
    if (!Object.hasOwn(envelope, key)) return undefined;
    if (Object.keys(envelope).length !== 1) return undefined;
    return envelope[key];
  });
}

/**
 * Creates a fixer that splits a delimited string: `{"tags": "a, b"}` →
 * `{"tags": ["a", "b"]}`. Items are trimmed, empty ones dropped; a string
 * without any item is left alone, and so is one that begins with a bracket or a
 * quote: it may be a list as JSON.
 *
 * @param at Where the string stands, as a JSON Pointer; `*` is every element of
 *   an array.
 * @param separator What separates the items. Default: `","`.
 * @returns The fixer.
 * @example
 * ```ts
 * const fixers = { search: [splitList("/tags", ";")] };
 * ```
 */
export function splitList(at: string, separator = ","): Fixer {
  return makeFixer(
    "splitList(at, separator?)",
    { at, separator },
    [at],
    (text) => {
      if (typeof text !== "string") return undefined;
      if (JSON_STARTS.has(text.trimStart().charAt(0))) return undefined;
      const parts = text.split(separator).map((part) => part.trim());
      const items = parts.filter((part) => part !== "");
      if (items.length === 0) return undefined;
      return items;
    },
  );
}

/** What JSON begins with, also in other quotes. */
const JSON_STARTS = new Set("[{\"'“«");

/** The types that `coerceTo` converts a scalar to. */
export type ScalarType = "string" | "number" | "integer" | "boolean";

/**
 * Creates a fixer that changes the type of a scalar where its meaning is not in
 * doubt: `"5"` → 5, `"True"` → true, 5 → `"5"`. `"12 items"`, `"00713"` and `1`
 * for a boolean are left alone, and so is a number that would lose digits, and
 * `"1e5"` for an integer.
 *
 * @param at Where the scalar stands, as a JSON Pointer; `*` is every element of
 *   an array.
 * @param type The type that the schema wants.
 * @returns The fixer.
 * @example
 * ```ts
 * const fixers = { search: [coerceTo("/limit", "integer")] };
 * ```
 */
export function coerceTo(at: string, type: ScalarType): Fixer {
  return makeFixer("coerceTo(at, type)", { at, type }, [at, type], (value) => {
    if (type === "string") return toText(value);
    if (typeof value !== "string") return undefined;
    return READERS[type](value.trim());
  });
}

/** What reads each type from text. */
const READERS: Readonly<
  Record<Exclude<ScalarType, "string">, (text: string) => JsonValue | undefined>
> = {
  boolean: (text) => BOOLEANS.get(text.toLowerCase()),
  integer: readInteger,
  number: readExactNumber,
};

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["false", false],
]);

function toText(value: JsonValue): string | undefined {
  const isConverted = typeof value === "number" || typeof value === "boolean";
  if (!isConverted) return undefined;
  return String(value);
}

function readInteger(text: string): number | undefined {
  const number = readExactNumber(text);
  if (!Number.isInteger(number)) return undefined;
  const hasExponent = text.toLowerCase().includes("e");
  if (hasExponent) return undefined;
  return number;
}

/**
 * Creates a fixer that replaces a value:
 * `mapValue("/unit", { C: "celsius", F: "fahrenheit" })`.
 *
 * @param at Where the value stands, as a JSON Pointer; `*` is every element of
 *   an array.
 * @param mapping The new value for each value, by its text; or a function,
 *   which returns `undefined` to keep a value.
 * @returns The fixer.
 * @example
 * ```ts
 * const fixers = { search: [mapValue("/unit", { C: "celsius", F: "fahrenheit" })] };
 * ```
 */
export function mapValue(
  at: string,
  mapping:
    | Readonly<Record<string, JsonValue>>
    | ((value: JsonValue) => JsonValue | undefined),
): Fixer {
  return makeFixer("mapValue(at, mapping)", { at, mapping }, [at], (value) => {
    if (typeof mapping === "function") return structuredClone(mapping(value));
    if (isContainer(value)) return undefined;
    const text = String(value);
    if (!Object.hasOwn(mapping, text)) return undefined;
    return structuredClone(mapping[text]);
  });
}

/** A key: a JSON Pointer would never be one, and the fixer would do nothing. */
const aKey = check('a string without "/" before it', (text) => {
  return aString.isMet(text) && !String(text).startsWith("/");
});

/** What the arguments of fixers must be. */
const CHECKS = {
  ...{ from: aKey, to: aKey, key: aKey, at: aString },
  separator: check(
    "a string of at least one character",
    (text) => aString.isMet(text) && text !== "",
  ),
  type: oneOf("string", "number", "integer", "boolean"),
  mapping: either({ ...anObject, isMet: isJsonObject }, aFunction),
};

/**
 * A fixer of the values at a place, named by the call that makes it, whose
 * arguments are checked now.
 */
function makeFixer(
  call: string,
  args: Partial<Record<keyof typeof CHECKS, unknown>> & { readonly at: string },
  shown: readonly string[],
  change: (value: JsonValue) => JsonValue | undefined,
): Fixer {
  checkArguments(call, args, CHECKS);
  parsePointer(args.at);
  const fixer: Fixer = (input) => mapAt(input, args.at, change);
  const name = `${call.split("(", 1)[0]}(${shown.filter((part) => part !== "").join(", ")})`;
  return Object.defineProperty(fixer, "name", { value: name });
}
