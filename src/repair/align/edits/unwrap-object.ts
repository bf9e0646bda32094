import { isJsonObject } from "../../json/json-value.ts";
import { fitsAt } from "../../schema/fits.ts";
import type { JsonObject, JsonValue } from "../../types.ts";
import { isPacked } from "../keys.ts";
import { areOpposite, foldName, indexNames, isOperator, wordsOf } from "../names.ts";
import { isWrapper, namesPlace, VALUES } from "../reasons.ts";
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
/** Words of a key that say nothing of what it holds. */
const NEUTRAL = setOf(
  "data info information detail details object request payload params args input value values item items spec the new my",
);
/** Keys that say which tool a call is for, folded. */
const NAME_KEYS = setOf("name tool toolname function functionname action recipientname");
/** Keys that tell one call from another. */
const ID_KEYS = setOf("id callid toolcallid");
/** What a call says of its own kind, folded. */
const CALL_TYPES = setOf("function tool tooluse toolcall functioncall call");
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
    if (Array.isArray(value)) return valuesOfTypes(value as JsonValue[], want);
    if (!isJsonObject(value) || takesAsElement(value, want)) return [];
    const inner = want.place.depth === 0 ? innerOfCall(value, want) : undefined;
    const found = inner ?? innerOfKnownKey(value, want);
    return found === undefined || found === null ? [] : [found];
  },
  reason(before, _, want) {
    if (!isJsonObject(before)) return VALUES.typedValues;
    const only = onlyEntry(before);
    if (only === undefined) return VALUES.callOfThisTool;
    return namesThisPlace(only[0], want) ? namesPlace(only[0]) : isWrapper(only[0]);
  },
};

/** A single key that is not declared around all that is wanted, and that says what is wanted. */
export const unwrapAnyKey: Edit = {
  name: "unwrap-any-key",
  fits: "snug",
  maxRest: 2,
  level: "eager",
  cost: 3,
  unpacks: true,
  propose(value, want) {
    const only = isJsonObject(value) ? onlyEntry(value) : undefined;
    if (only === undefined || takesAsElement(value, want)) return [];
    const [key, inner] = only;
    if (inner === null || isTypeName(key, inner) || isOperator(key) || isDeclared(key, want)) {
      return [];
    }
    if (typeof inner === "object") {
      return Object.keys(inner).length > 0 && saysWhatIsWanted(key, want) ? [inner] : [];
    }
    // The key of a single value says what it is: that must be what is wanted here.
    const names = [...NAMELESS, foldName(want.place.key ?? "")];
    const isNamed = names.includes(foldName(key)) && want.place.depth > 0;
    // For text of any kind, an object is rather an object that should have been written out.
    return isNamed && freeText(want).length + want.of("object").length === 0 ? [inner] : [];
  },
  reason: (before) => namesPlace(Object.keys(before ?? {})[0] ?? ""),
};

function innerOfKnownKey(object: JsonObject, want: Want): JsonValue | undefined {
  if (Object.keys(object).some((key) => isDeclared(key, want))) return undefined;
  const { type, value, ...others } = object;
  if (value !== undefined && isTypeName("type", type ?? null) && Object.keys(others).length === 0) {
    return value;
  }
  const only = onlyEntry(object);
  if (only === undefined) return undefined;
  const [key, inner] = only;
  const folded = foldName(key);
  const isContainer =
    (inner !== null && typeof inner === "object") ||
    (typeof inner === "string" && opensContainer(inner));
  const takesObject = want.of("object").length > 0;
  if (takesObject) {
    // A key of no letters says nothing: `{" ": {…}}`.
    const isNamed =
      isEmptyName(key) || ENVELOPES.has(folded) || folded === foldName(want.run.toolName);
    const isBare = LEGACY.has(folded) && want.place.depth === 0 && !isContraryOf(key, want);
    if (isNamed && (isContainer || isBare)) return inner;
  }
  const isOwnName = namesThisPlace(key, want);
  const wrapsList = LISTS.has(folded) && want.of("array").length > 0;
  if (isContainer || wrapsList) return isOwnName || wrapsList ? inner : undefined;
  // What kind of thing it is, is not the thing: of the keys that say nothing, only these hold it.
  return !takesObject && (isOwnName || SCALARS.has(folded)) ? inner : undefined;
}

/** `{"name": "click", "arguments": {…}}`, or a schema with the values filled in. */
function innerOfCall(object: JsonObject, want: Want): JsonValue | undefined {
  const entries = Object.entries(object) as [string, JsonValue][];
  if (entries.length < 2 || entries.length > MAX_CALL_KEYS) return undefined;
  const inner = entries.filter(
    ([key, value]) =>
      ENVELOPES.has(foldName(key)) &&
      typeof value !== "boolean" &&
      isPacked(value) &&
      !isDeclared(key, want),
  );
  const [only] = inner;
  if (inner.length !== 1 || only === undefined) return undefined;
  const [key, held] = only;
  const beside = entries.filter((entry) => entry !== only);
  // What is declared is said of the thing itself, unless it is said inside as well.
  const isSaid = ([name]: [string, JsonValue]) =>
    isDeclared(name, want) && !(isJsonObject(held) && Object.hasOwn(held, name));
  if (foldName(key) === "properties") {
    const isSchema = beside.every((entry) => SCHEMA_KEYS.has(foldName(entry[0])) && !isSaid(entry));
    return isSchema ? held : undefined;
  }
  const names = beside.filter((entry) => NAME_KEYS.has(foldName(entry[0])));
  if (!names.every(([, value]) => isThisTool(value, want))) return undefined;
  const rest = beside.filter((entry) => !names.includes(entry));
  const isKnown =
    names.length > 0 ||
    (foldName(key) === "function" && isJsonObject(held) && Object.keys(held).some(isNameKey));
  return isKnown && rest.every((entry) => isCallMetadata(entry) && !isSaid(entry))
    ? held
    : undefined;
}

/** More keys than this are no call's. */
const MAX_CALL_KEYS = 8;

function isNameKey(key: string): boolean {
  return NAME_KEYS.has(foldName(key));
}

/** Whether a value beside the arguments is the name of the tool that was called. */
function isThisTool(value: JsonValue, { run: { toolName } }: Want): boolean {
  if (typeof value !== "string") return false;
  return value === toolName || repairToolName(value, [toolName], "safe").ok;
}

function isCallMetadata([key, value]: [string, JsonValue]): boolean {
  const folded = foldName(key);
  if (folded === "type") return typeof value === "string" && CALL_TYPES.has(foldName(value));
  return ID_KEYS.has(folded) && (typeof value === "string" || typeof value === "number");
}

/**
 * `[{"type": "C"}, {"type": "F"}]` for a list of texts: the keyword of the elements' schema, with
 * the values filled in. Of one element alone it could be the kind of something.
 */
function valuesOfTypes(items: readonly JsonValue[], want: Want): JsonValue[] {
  const [first] = items;
  if (items.length < 2 || !isJsonObject(first) || first.type === undefined) return [];
  if (elementsOf(want).some(({ type, values }) => type !== "string" || values !== undefined)) {
    return [];
  }
  if (elementsOf(want).length === 0) return [];
  const values = items.map((item) => (isJsonObject(item) ? onlyEntry(item) : undefined));
  const isTyped = values.every(
    (entry) =>
      entry?.[0] === "type" && typeof entry[1] === "string" && !isTypeName(entry[0], entry[1]),
  );
  const types = values.map((entry) => entry?.[1] as JsonValue);
  return isTyped && new Set(types).size === types.length ? [types] : [];
}

/** Whether a key is declared at a place: then it is no envelope, whatever stands at it. */
function isDeclared(key: string, want: Want): boolean {
  if (want.of("object").some((variant) => variant.keyAt(key) !== undefined)) return true;
  const folded = foldName(key);
  return [...want.of("object"), ...elementsOf(want)].some(
    ({ properties }) =>
      properties.has(key) || (folded !== "" && indexNames(properties).alike(folded).length > 0),
  );
}

/** Whether a key says the contrary of what is wanted: a `value` is no `key`. */
function isContraryOf(key: string, want: Want): boolean {
  return want
    .of("object")
    .some(({ required }) => [...required].some((name) => areOpposite(wordsOf(key), wordsOf(name))));
}

/** Whether a list is wanted that takes the value as an element: then nothing is wrong inside it. */
function takesAsElement(value: JsonValue, want: Want): boolean {
  return want.of("array").some(({ itemAt }) => {
    const item = itemAt(0);
    if (item?.accepts(value) !== true) return false;
    // An object with no key that is declared, where none is required, is accepted by accident.
    const takesAnything = item.variants().some(({ type }) => type === undefined);
    return takesAnything || fitsAt(value, item, "known");
  });
}

/** Whether a key is the name of its place once more: `{"files": {"file": […]}}`. */
function namesThisPlace(key: string, { place }: Want): boolean {
  const [folded, name] = [foldName(key), foldName(place.key ?? "")];
  return name !== "" && (folded === name || `${folded}s` === name || `${name}s` === folded);
}

/** Whether every word of a key is one of the tool's or the place's name, or says nothing. */
function saysWhatIsWanted(key: string, { place, run }: Want): boolean {
  const known = new Set([...wordsOf(run.toolName), ...wordsOf(place.key ?? "")].map(singular));
  const words = wordsOf(key);
  return words.length > 0 && words.every((word) => NEUTRAL.has(word) || known.has(singular(word)));
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith("s") ? word.slice(0, -1) : word;
}

/** Whether a key is made of signs that only part: nothing that could negate or compare. */
function isEmptyName(key: string): boolean {
  return /^[\s.,:;()"'`_]*$/.test(key);
}

function isTypeName(key: string, value: JsonValue): boolean {
  return key === "type" && typeof value === "string" && TYPE_NAMES.has(value.toLowerCase());
}

function onlyEntry(object: JsonObject): readonly [string, JsonValue] | undefined {
  const keys = Object.keys(object);
  const [key] = keys;
  return key === undefined || keys.length > 1 ? undefined : [key, object[key] as JsonValue];
}
