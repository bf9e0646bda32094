import { type Schema, validate } from "@cfworker/json-schema";
import { getAt, parsePointer, toPointer } from "../json/json-pointer.ts";
import type { JsonSchema, JsonValue } from "../types.ts";
import { duplicateIn, tupleOf } from "./check-arrays.ts";
import { type Checking, type Part, targetOf } from "./checking.ts";
import { type Keywords, listOf } from "./keywords.ts";
import { dereference, schemaBelow } from "./schema-at.ts";

/** One thing that a schema has against a value. */
export interface Fault {
  /** Where, as a JSON Pointer. */
  readonly path: string;
  readonly keyword: string;
  /** Where in the schema, as a JSON Pointer in a URI. */
  readonly keywordLocation: string;
  /** In the validator's words. */
  readonly error: string;
  /** What stands there; `undefined` where nothing does. */
  readonly value: unknown;
  /** What the schema says of the place, as far as that is known. */
  readonly wanted: unknown;
}

/** Keywords that are looked into here; about the others, the validator is asked for its words. */
const LOOKED_INTO: ReadonlySet<string> = new Set(
  "$ref not allOf anyOf oneOf if then else type const enum required properties additionalProperties patternProperties items prefixItems additionalItems uniqueItems $defs definitions $schema $id $comment title description default examples".split(
    " ",
  ),
);

/** A schema, as it was written and as it is checked. */
export interface Checked {
  readonly schema: JsonSchema;
  /** The marked copy of it. */
  readonly root: Part;
  readonly checking: Checking;
}

/**
 * Finds what a schema has against a value, in the validator's order. Only parts that are refused
 * are looked into, each once at a place, and no branch of a union: which was meant is not known.
 *
 * @param value The value, which is refused.
 * @param checked The schema.
 */
export function findFaults(value: unknown, checked: Checked): readonly Fault[] {
  const { schema, root, checking } = checked;
  const search: Search = { checked, found: [], seen: new Map() };
  const whole = { path: "", by: "#", wanted: dereference(schema, schema), mayRepeat: false };
  if (checking.isCompiled) look(value, root, whole, search);
  else ask(value, root, whole, search);
  return search.found;
}

interface Spot {
  readonly path: string;
  readonly by: string;
  readonly wanted: unknown;
  /** Whether a part may be reached here in two ways. */
  readonly mayRepeat: boolean;
}

interface Search {
  readonly checked: Checked;
  readonly found: Fault[];
  /** The parts that were looked into, by place. */
  readonly seen: Map<string, Set<Part>>;
}

/** Looks into a part that refuses a value. */
function look(value: unknown, part: Part, spot: Spot, search: Search): void {
  const { checking } = search.checked;
  if (typeof part !== "object") {
    ask(value, part, spot, search);
    return;
  }
  if (spot.mayRepeat) {
    const here = search.seen.get(spot.path) ?? new Set();
    if (here.has(part)) return;
    search.seen.set(spot.path, here.add(part));
  }
  const keywords = part as Keywords;
  const { draft, lookup } = checking;
  const own = ownKeywords(part);
  const at = own.mayRepeat && !spot.mayRepeat ? { ...spot, mayRepeat: true } : spot;
  const here = (name: string, inside: Part) => {
    if (checking.of(inside)(value)) return;
    look(value, inside, { ...at, by: `${at.by}/${name}` }, search);
  };
  if (keywords.$ref !== undefined) {
    here("$ref", targetOf(keywords, lookup) as Part);
    if (draft === "4" || draft === "7") return;
  }
  for (const [keyword, alone] of own.told) {
    if (!checking.of(alone)(value)) tell(keyword, { value, error: "" }, at, search);
  }
  if (own.not !== undefined) ask(value, own.not, at, search);
  if (own.anyOf !== undefined && !checking.of(own.anyOf)(value)) {
    tell("anyOf", { value, error: "" }, at, search);
  }
  for (const branch of listOf<Part>(keywords.allOf)) here("allOf", branch);
  if (own.oneOf !== undefined && !checking.of(own.oneOf)(value)) {
    tell("oneOf", { value, error: "" }, at, search);
  }
  if (keywords.if !== undefined) {
    const name = checking.of(keywords.if as Part)(value) ? "then" : "else";
    here(name, (keywords[name] ?? true) as Part);
  }
  if (Array.isArray(value)) {
    ask(value, own.others, at, search);
    lookIntoItems(value, keywords, at, search);
    const [one, other] = keywords.uniqueItems ? (duplicateIn(value) ?? []) : [];
    const error = `Duplicate items at indexes ${one} and ${other}.`;
    if (one !== undefined) tell("uniqueItems", { value, error }, at, search);
    return;
  }
  if (typeof value === "object" && value !== null) {
    const object = value as Readonly<Record<string, unknown>>;
    for (const key of own.required) {
      if (Object.hasOwn(object, key)) continue;
      const error = `Instance does not have required property "${key}".`;
      tell("required", { value: undefined, error, missing: key }, at, search);
    }
    ask(value, own.others, at, search);
    lookIntoKeys(object, { keywords, own }, at, search);
    return;
  }
  ask(value, own.others, at, search);
}

/** What is told of a place, or of a key that it lacks. */
interface Told {
  readonly value: unknown;
  readonly error: string;
  readonly missing?: string;
}

function tell(keyword: string, { value, error, missing }: Told, spot: Spot, search: Search): void {
  const { schema } = search.checked;
  search.found.push({
    path: missing === undefined ? spot.path : spot.path + toPointer([missing]),
    keyword,
    keywordLocation: `${spot.by}/${keyword}`,
    error,
    value,
    wanted: missing === undefined ? spot.wanted : schemaBelow(schema, spot.wanted, missing),
  });
}

/** Looks at what stands at a key or index, if it is refused. */
function lookAt(
  child: unknown,
  part: Part,
  [name, key]: readonly [name: string, key: string | number],
  { spot, search }: { readonly spot: Spot; readonly search: Search },
): void {
  const { checking, schema } = search.checked;
  // Of a list that says no more than what its elements are, they are asked one by one in any case.
  const isPlainList = Array.isArray(child) && typeof part === "object" && ownKeywords(part).isPlain;
  if (!isPlainList && checking.of(part)(child)) return;
  const { mayRepeat } = spot;
  const path = spot.path + toPointer([key]);
  const wanted = schemaBelow(schema, spot.wanted, String(key));
  look(child, part, { path, by: `${spot.by}/${name}`, wanted, mayRepeat }, search);
}

function lookIntoKeys(
  value: Readonly<Record<string, unknown>>,
  { keywords, own }: { readonly keywords: Keywords; readonly own: Own },
  spot: Spot,
  search: Search,
): void {
  const { patternProperties = {}, additionalProperties: rest } = keywords;
  const { properties } = own;
  const at = { spot, search };
  for (const [key, part] of properties) {
    if (Object.hasOwn(value, key)) lookAt(value[key], part, ["properties", key], at);
  }
  const patterns: RegExp[] = [];
  for (const [source, part] of Object.entries(patternProperties as Record<string, Part>)) {
    const pattern = new RegExp(source, "u");
    patterns.push(pattern);
    for (const key in value) {
      if (pattern.test(key)) lookAt(value[key], part, ["patternProperties", key], at);
    }
  }
  if (rest === undefined || rest === true) return;
  for (const key in value) {
    if (properties.has(key) && Object.hasOwn(value, key)) continue;
    if (patterns.some((pattern) => pattern.test(key))) continue;
    lookAt(value[key], rest as Part, ["additionalProperties", key], at);
  }
}

function lookIntoItems(
  value: readonly unknown[],
  keywords: Keywords,
  spot: Spot,
  search: Search,
): void {
  const tuple = tupleOf(keywords);
  const { items, additionalItems } = keywords;
  const rest = (Array.isArray(items) ? additionalItems : items) as Part | undefined;
  const at = { spot, search };
  const accepts = rest === undefined ? undefined : search.checked.checking.of(rest);
  for (let index = 0; index < value.length; index++) {
    const part = tuple[index] ?? rest;
    if (part === undefined || part === true) continue;
    if (part === rest && accepts?.(value[index])) continue;
    lookAt(value[index], part, ["items", index], at);
  }
}

/** The keywords of a part, each as a part of its own. */
interface Own {
  /** Those that need no words of the validator, as it tells them. */
  readonly told: readonly (readonly [keyword: string, alone: Part])[];
  readonly not: Part | undefined;
  readonly anyOf: Part | undefined;
  readonly oneOf: Part | undefined;
  readonly required: ReadonlySet<string>;
  readonly properties: ReadonlyMap<string, Part>;
  /** All that are not looked into here. */
  readonly others: Part;
  /** Whether a part may be reached in two ways at this place, or further in. */
  readonly mayRepeat: boolean;
  /** Whether it says no more than type, keys and items. */
  readonly isPlain: boolean;
}

const owns = new WeakMap<object, Own>();

function ownKeywords(part: Schema): Own {
  const known = owns.get(part);
  if (known !== undefined) return known;
  const alone = (keyword: string): Part | undefined =>
    part[keyword] === undefined ? undefined : ({ [keyword]: part[keyword] } as Schema);
  const told = ["type", "const", "enum"].flatMap((keyword) => {
    const one = alone(keyword);
    return one === undefined ? [] : [[keyword, one] as const];
  });
  const others = Object.entries(part).filter(([keyword]) => !LOOKED_INTO.has(keyword));
  const [not, anyOf, oneOf] = [alone("not"), alone("anyOf"), alone("oneOf")];
  const mayRepeat = REPEATING.some((keyword) => part[keyword] !== undefined);
  const hasUnion = [not, anyOf, oneOf].some((each) => each !== undefined);
  const isPlain = !mayRepeat && !hasUnion && others.length === 0 && part.uniqueItems === undefined;
  const own = {
    told,
    not,
    anyOf,
    oneOf,
    required: new Set(listOf<unknown>(part.required).map(String)),
    properties: new Map(Object.entries((part.properties ?? {}) as Record<string, Part>)),
    others: Object.fromEntries(others) as Schema,
    mayRepeat,
    isPlain,
  };
  owns.set(part, own);
  return own;
}

/** Keywords by which two parts speak of one value. */
const REPEATING = ["$ref", "allOf", "if", "patternProperties"];

/** Adds what the validator has against a value, in its words. */
function ask(value: unknown, part: Part, spot: Spot, { checked, found }: Search): void {
  if (typeof part === "object" && asksNothing(part)) return;
  const { checking, schema } = checked;
  const lookup = checking.lookup as Record<string, Schema>;
  const { errors } = validate(value, part, checking.draft, lookup, false, null, "#", spot.by);
  for (const { instanceLocation, keyword, keywordLocation, error } of errors) {
    // `#/a/b%20c` → `/a/b c`
    const path = decodeURI(instanceLocation.slice(1));
    const missing = keyword === "required" ? /property "(.*)"\.$/s.exec(error)?.[1] : undefined;
    const inside = missing === undefined ? path : path + toPointer([missing]);
    const wanted = parsePointer(inside).reduce<unknown>(
      (above, segment) => schemaBelow(schema, above, segment),
      spot.wanted,
    );
    found.push({
      path: spot.path + inside,
      keyword,
      keywordLocation,
      error,
      value: getAt(value as JsonValue, inside),
      wanted,
    });
  }
}

function asksNothing(part: Schema): boolean {
  for (const _ in part) return false;
  return true;
}
