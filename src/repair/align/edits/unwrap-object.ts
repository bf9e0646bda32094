import { isJsonObject } from "../../json/json-value.ts";
import type { JsonObject, JsonValue } from "../../types.ts";
import { isPacked } from "../keys.ts";
import { foldName, isOperator } from "../names.ts";
import { isUndisputed, placeOfKey } from "../place.ts";
import { repairToolName } from "../repair-tool-name.ts";
import { type Edit, elementsOf, freeText, type Want } from "./edit.ts";
import { opensContainer } from "./parse-text.ts";

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Keys that models put around the arguments of a call, folded. */
const ENVELOPES = setOf(
  "input inputs args arg arguments argument parameters params parameter kwargs toolinput actioninput toolargs functionargs payload body data request json raw properties arg1 value function object root",
);
/** Those of them that hold a single value as well. */
const LEGACY = setOf("arg1 raw input value");
/** Keys that models put around lists, and around single values, folded. */
const LISTS = setOf("item items element elements entry entries value values list array");
/** Keys of a single value that do not say what it is. */
const NAMELESS = setOf("value text amount");
const SCALARS = setOf("value text content");
/** Keys beside the arguments of a call. */
const CALL_KEYS = setOf(
  "name tool toolname function functionname action recipientname type id callid toolcallid",
);
const NAME_KEYS = setOf("name tool toolname function functionname action recipientname");
/** Keys of a schema, where the model filled in the schema instead of following it. */
const SCHEMA_KEYS = setOf("type title description required schema additionalproperties");
const TYPE_NAMES = setOf("string number integer boolean object array null any");

/** An envelope around a value: `{"input": {…}}`, `{"<tool>": {…}}`, a whole call, `{"item": […]}`. */
export const unwrapEnvelope: Edit = {
  name: "unwrap-envelope",
  fits: "known",
  level: "safe",
  cost: 2,
  unpacks: true,
  propose(value, want) {
    if (!isJsonObject(value)) return [];
    const inner = want.place.depth === 0 ? innerOfCall(value, want) : undefined;
    const found = inner ?? innerOfKnownKey(value, want);
    return found === undefined || found === null ? [] : [found];
  },
};

/** A single key that is not declared around all that is wanted. */
export const unwrapAnyKey: Edit = {
  name: "unwrap-any-key",
  fits: "snug",
  maxRest: 2,
  level: "eager",
  cost: 3,
  unpacks: true,
  propose(value, want) {
    const only = isJsonObject(value) ? onlyEntry(value) : undefined;
    const places = [...want.of("object"), ...elementsOf(want)];
    if (only === undefined || places.some((variant) => variant.properties.has(only[0]))) return [];
    const [key, inner] = only;
    if (inner === null || isTypeName(key, inner)) return [];
    if (isOperator(key) || isAtHome(key, inner, want)) return [];
    if (typeof inner === "object") return Object.keys(inner).length > 0 ? [inner] : [];
    // The key of a single value says what it is: that must be what is wanted here.
    const names = [...NAMELESS, foldName(want.place.key ?? "")];
    const isNamed = names.includes(foldName(key)) && want.place.depth > 0;
    // For text of any kind, an object is rather an object that should have been written out.
    return isNamed && freeText(want).length === 0 ? [inner] : [];
  },
};

function innerOfKnownKey(object: JsonObject, want: Want): JsonValue | undefined {
  const { type, value, ...others } = object;
  if (value !== undefined && isTypeName("type", type ?? null) && Object.keys(others).length === 0) {
    return value;
  }
  const only = onlyEntry(object);
  if (only === undefined || isAtHome(...only, want)) return undefined;
  const [key, inner] = only;
  const folded = foldName(key);
  const isContainer =
    (inner !== null && typeof inner === "object") ||
    (typeof inner === "string" && opensContainer(inner));
  if (want.of("object").length > 0) {
    // A key of no letters says nothing: `{" ": {…}}`.
    const isNamed =
      folded === "" || ENVELOPES.has(folded) || folded === foldName(want.run.toolName);
    if (isNamed && (isContainer || (LEGACY.has(folded) && want.place.depth === 0))) return inner;
  }
  const name = foldName(want.place.key ?? "");
  const isOwnName =
    name !== "" && (folded === name || `${folded}s` === name || `${name}s` === folded);
  if (isContainer)
    return isOwnName || (LISTS.has(folded) && want.of("array").length > 0) ? inner : undefined;
  if (want.of("array").length > 0 && LISTS.has(folded)) return inner;
  return isOwnName || SCALARS.has(folded) || (key === "type" && !isTypeName(key, inner))
    ? inner
    : undefined;
}

/** `{"name": "click", "arguments": {…}}`, or a schema with the values filled in. */
function innerOfCall(object: JsonObject, want: Want): JsonValue | undefined {
  const { toolName } = want.run;
  const entries = Object.entries(object).map(
    ([key, value]) => [foldName(key), value as JsonValue, key] as const,
  );
  const inner = entries.filter(
    ([key, value, name]) =>
      ENVELOPES.has(key) &&
      !isAtHome(name, value, want) &&
      typeof value !== "boolean" &&
      isPacked(value),
  );
  const [only] = inner;
  if (entries.length < 2 || inner.length !== 1 || only === undefined) return undefined;
  const beside = entries.filter((entry) => entry !== only);
  if (only[0] === "properties" && beside.every(([key]) => SCHEMA_KEYS.has(key))) return only[1];
  const names = beside.filter(([key, value]) => NAME_KEYS.has(key) && typeof value === "string");
  const isThis = names.every(
    ([, value]) => repairToolName(String(value), [toolName], "safe").ok || value === toolName,
  );
  const isKnown = only[0] === "function" ? true : names.length > 0;
  return isKnown &&
    isThis &&
    beside.every(([key, value]) => CALL_KEYS.has(key) && typeof value !== "object")
    ? only[1]
    : undefined;
}

/** Whether a key is no envelope but a declared one, with a value that may stand there. */
function isAtHome(key: string, value: JsonValue, want: Want): boolean {
  if (want.node.variants().some(({ properties }) => properties.has(key))) {
    if (isUndisputed(value, placeOfKey(want.place, key), want.run)) return true;
  }
  const folded = foldName(key);
  return [...want.of("object"), ...elementsOf(want)].some(({ properties }) =>
    [...properties].some(
      ([name, node]) => (name === key || foldName(name) === folded) && node.accepts(value),
    ),
  );
}

function isTypeName(key: string, value: JsonValue): boolean {
  return key === "type" && typeof value === "string" && TYPE_NAMES.has(value.toLowerCase());
}

function onlyEntry(object: JsonObject): readonly [string, JsonValue] | undefined {
  const [entry, ...others] = Object.entries(object);
  return entry === undefined || others.length > 0 ? undefined : (entry as [string, JsonValue]);
}
