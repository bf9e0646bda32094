import { deepCompareStrict, type OutputUnit, type Schema, validate } from "@cfworker/json-schema";
import { canonicalJson } from "../json/canonical-json.ts";
import { getAt, parsePointer, toPointer } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import { DEFAULT_LIMITS, OverLimit } from "../limits.ts";
import { isContainer } from "../read/parse-exactly.ts";
import type { InputIssue, JsonSchema, JsonValue } from "../types.ts";
import { branchesOf, type Chooser, chooserOf } from "./branches.ts";
import { ANY_VALUE, describeAt, describeSchema, NOT_A_FIELD, showReceived } from "./describe.ts";
import type { Keywords } from "./keywords.ts";
import type { Part } from "./part.ts";

/** How many looks at keys, elements and branches make a step of `maxSteps`. */
const LOOKS_PER_STEP = 10;

/** How many steps a reported fault costs for each key and index of its path. */
export const STEPS_PER_KEY = 5;

/**
 * Whether a part of a schema accepts a value, with the verdict of `@cfworker/json-schema`, which
 * LangChain uses.
 */
export function acceptedBy(part: Part, value: unknown, maxSteps?: number): boolean {
  return checkPart(part, value, newWalk(maxSteps));
}

/** Returns a schema's issues with a value, in the order of LangChain's validator. */
export function findIssues(part: Part, value: unknown, maxSteps?: number): readonly InputIssue[] {
  if (acceptedBy(part, value, maxSteps)) return [];
  const issues: InputIssue[] = [];
  checkPart(part, value, newWalk(maxSteps, issues));
  return issues;
}

/** A walk through a value. */
interface Walk {
  /** The issues found; `undefined` if only the verdict counts: then the first fault ends the walk. */
  readonly issues: InputIssue[] | undefined;
  readonly path: PropertyKey[];
  /** Verdicts by part, and by value; for a scalar that is reported, by its place. */
  seen: Map<Part, Map<unknown, boolean>> | undefined;
  readonly maxSteps: number;
  looks: number;
  /** The walk for verdicts alone, inside one that collects issues. */
  quiet: Walk | undefined;
}

function newWalk(maxSteps = DEFAULT_LIMITS.maxSteps, issues?: InputIssue[]): Walk {
  return { issues, path: [], seen: undefined, maxSteps, looks: 0, quiet: undefined };
}

function look(walk: Walk, amount: number): void {
  walk.looks += amount;
  if (walk.looks > walk.maxSteps * LOOKS_PER_STEP) throw new OverLimit("maxSteps", walk.maxSteps);
}

/** Most parts only restrict the type: this is small for them, so that the engine inlines it. */
function checkPart(part: Part, value: unknown, walk: Walk): boolean {
  if (!part.isTypeAlone) return checkKeywords(part, value, walk);
  return (part.kinds & kindBitOf(value)) !== 0 || reportFault(walk, "type", value, part);
}

/** The only walk: takes the keywords in the order of LangChain's validator. */
function checkKeywords(part: Part, value: unknown, walk: Walk): boolean {
  const { schema, source, target, fixed, limits } = part;
  if (!source.isKnown) return ask(schema, value, part, walk);
  if (typeof schema === "boolean") return schema || reportFault(walk, "false", value);
  const goesOn = walk.issues !== undefined;
  let isFine = true;
  if (target !== undefined) {
    isFine = checkOnce(target, value, walk);
    if (source.isRefAlone || !(isFine || goesOn)) return isFine;
  }
  const kind = kindBitOf(value);
  if ((part.kinds & kind) === 0) isFine = reportFault(walk, "type", value, part);
  for (const { keyword, scalars, containers } of fixed) {
    const isOne = kind < ARRAY ? scalars.has(value) : containers.some((one) => isSame(one, value));
    if (!isOne) isFine = reportFault(walk, keyword, value, part);
  }
  if (part.isCombined && (isFine || goesOn)) isFine = checkCombined(part, value, walk) && isFine;
  if (kind === OBJECT && part.required.length > 0 && (isFine || goesOn))
    isFine = checkRequired(part, value as Keywords, walk) && isFine;
  if (limits !== undefined && (isFine || goesOn)) isFine = checkLimits(part, value, walk) && isFine;
  if (kind < ARRAY || !(isFine || goesOn)) return isFine;
  const inside = kind === ARRAY ? checkItems : checkKeys;
  return inside(part, value as never, walk) && isFine;
}

const isSame = (one: unknown, other: unknown) => deepCompareStrict(one, other);

/**
 * References can double the work at every level: a part that leads to others checks each value
 * once, and reports each place once.
 */
function checkOnce(part: Part, value: unknown, walk: Walk): boolean {
  look(walk, 1);
  if (!part.isCombined && walk.issues === undefined) return checkPart(part, value, walk);
  walk.seen ??= new Map();
  const verdicts = walk.seen.get(part) ?? new Map<unknown, boolean>();
  const isTold = walk.issues !== undefined && !isContainer(value);
  const key = isTold ? toPointer(walk.path) : value;
  const verdict = verdicts.get(key) ?? checkPart(part, value, walk);
  walk.seen.set(part, verdicts.set(key, verdict));
  return verdict;
}

/** Only the verdict, even in a walk that collects issues. */
function checkQuietly(part: Part, value: unknown, walk: Walk): boolean {
  if (walk.issues === undefined) return checkPart(part, value, walk);
  walk.quiet ??= newWalk(walk.maxSteps);
  return checkPart(part, value, walk.quiet);
}

function checkCombined(part: Part, value: unknown, walk: Walk): boolean {
  const { not, anyOf, allOf, oneOf, condition } = part;
  const goesOn = walk.issues !== undefined;
  let isFine = true;
  if (not !== undefined && checkQuietly(not, value, walk))
    isFine = reportFault(walk, "not", value, part, 'Instance matched "not" schema.');
  if (anyOf !== undefined && (isFine || goesOn))
    isFine = checkUnion("anyOf", anyOf, value, part, walk) && isFine;
  for (let index = 0; index < allOf.length && (isFine || goesOn); index++)
    isFine = checkOnce(allOf[index] as Part, value, walk) && isFine;
  if (oneOf !== undefined && (isFine || goesOn))
    isFine = checkUnion("oneOf", oneOf, value, part, walk) && isFine;
  const [test, then, otherwise] = condition;
  if (test === undefined || !(isFine || goesOn)) return isFine;
  const branch = (checkQuietly(test, value, walk) ? then : otherwise) as Part;
  return checkOnce(branch, value, walk) && isFine;
}

const choosers = new WeakMap<readonly Part[], Chooser<Part>>();

/** Selects a branch by type, tag and keys; reports a branch's own faults only if a tag chose it. */
function checkUnion(
  keyword: "anyOf" | "oneOf",
  parts: readonly Part[],
  value: unknown,
  whole: Part,
  walk: Walk,
): boolean {
  const chooser =
    choosers.get(parts) ?? chooserOf(parts.map((part) => [part, branchesOf(part)] as const));
  choosers.set(parts, chooser);
  const enough = keyword === "anyOf" ? 1 : 2;
  let matches = 0;
  for (const part of chooser.possible(value)) {
    look(walk, 1);
    if (checkQuietly(part, value, walk)) matches += 1;
    if (matches === enough) break;
  }
  if (matches === 1) return true;
  const { left, isTagged } = chooser.choose(value);
  const [meant] = left;
  return isTagged && meant !== undefined && left.length === 1 && walk.issues !== undefined
    ? checkPart(meant, value, walk)
    : reportFault(walk, keyword, value, whole);
}

function checkRequired({ required, properties }: Part, value: Keywords, walk: Walk): boolean {
  let isFine = true;
  for (const key of required) {
    if (Object.hasOwn(value, key)) continue;
    if (walk.issues === undefined) return false;
    const wanted = properties.get(key);
    walk.path.push(key);
    isFine = reportFault(walk, "required", undefined, wanted?.target ?? wanted);
    walk.path.pop();
  }
  return isFine;
}

function checkKeys(part: Part, value: Keywords, walk: Walk): boolean {
  const { properties, patterns, rest } = part;
  look(walk, properties.size);
  if (walk.issues === undefined && patterns.length === 0 && isJsonObject(value)) {
    // In one pass: the engine knows a plain object's values as it goes through its keys.
    for (const key in value) {
      const place = properties.get(key) ?? rest;
      if (place !== undefined && !checkPart(place, value[key], walk)) return false;
    }
    return true;
  }
  let isFine = true;
  for (const [key, place] of properties) {
    if (!Object.hasOwn(value, key) || checkBelow(place, value[key], key, walk)) continue;
    if (walk.issues === undefined) return false;
    isFine = false;
  }
  const matched = new Set<string>();
  for (const [pattern, place] of [...patterns, [undefined, rest] as const]) {
    for (const key in place && value) {
      const isOther = !matched.has(key) && !(properties.has(key) && Object.hasOwn(value, key));
      if (!(pattern === undefined ? isOther : pattern.test(key))) continue;
      if (pattern !== undefined) matched.add(key);
      if (checkBelow(place as Part, value[key], key, walk)) continue;
      if (walk.issues === undefined) return false;
      isFine = false;
    }
  }
  return isFine;
}

function checkItems(part: Part, items: readonly unknown[], walk: Walk): boolean {
  const { prefix, after } = part;
  look(walk, items.length);
  let isFine = true;
  const count = after === undefined ? Math.min(prefix.length, items.length) : items.length;
  for (let index = 0; index < count; index++) {
    if (checkBelow(prefix[index] ?? (after as Part), items[index], index, walk)) continue;
    if (walk.issues === undefined) return false;
    isFine = false;
  }
  const [one, other] = (part.isUnique ? duplicateIn(items) : undefined) ?? [];
  if (one === undefined) return isFine;
  const error = `Duplicate items at indexes ${one} and ${other}.`;
  return reportFault(walk, "uniqueItems", items, part, error);
}

/** Checks the value at a key or index. */
function checkBelow(part: Part, value: unknown, key: PropertyKey, walk: Walk): boolean {
  if (walk.issues === undefined) return checkPart(part, value, walk);
  walk.path.push(key);
  const verdict = checkPart(part, value, walk);
  walk.path.pop();
  return verdict;
}

/** Bounds, pattern and format; `@cfworker/json-schema` reports faults, and checks rare keywords. */
function checkLimits(part: Part, value: unknown, walk: Walk): boolean {
  const { keywords, isMet } = part.limits as NonNullable<Part["limits"]>;
  if (isMet?.(value)) return true;
  if (isMet !== undefined && walk.issues === undefined) return false;
  return ask(keywords, value, part, walk);
}

/**
 * Finds the first two equal elements. Each is looked up among those before it, not compared with
 * all of them.
 */
function duplicateIn(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<unknown, number>();
  let found: readonly [number, number] | undefined;
  for (const [index, item] of items.entries()) {
    const name = typeof item === "number" || item === null ? item : canonicalJson(item);
    const other = seen.get(name);
    if (other === undefined) seen.set(name, index);
    else if (other < (found?.[0] ?? index)) found = [other, index];
  }
  return found;
}

/** The kind of a value as a bit, as in `part.ts`. The validator throws if it is no JSON. */
function kindBitOf(value: unknown): number {
  switch (typeof value) {
    case "string":
      return 1;
    case "number":
      return value % 1 === 0 ? 2 : 4;
    case "boolean":
      return 8;
    case "object":
      if (value === null) return 16;
      return Array.isArray(value) ? ARRAY : OBJECT;
    default:
      throw new TypeError(`Instances of "${typeof value}" type are not supported.`);
  }
}
const [ARRAY, OBJECT] = [32, 64];

/** Keywords whose error only says that something below is wrong. */
const CONTAINERS: ReadonlySet<string> = new Set(
  `properties patternProperties additionalProperties unevaluatedProperties items prefixItems
  additionalItems unevaluatedItems $ref $recursiveRef allOf if dependentSchemas`.split(/\s+/),
);

/** Keywords whose error is clearest as what the schema wants at that place. */
const NAMES_EXPECTED: ReadonlySet<string> = new Set(
  "required type enum const anyOf oneOf".split(" "),
);

/** Asks `@cfworker/json-schema` about a schema in place of a part, or about some of its keywords. */
function ask(schema: JsonSchema, value: unknown, part: Part, walk: Walk): boolean {
  const { draft, lookup } = part.source;
  const parts = lookup() as Record<string, Schema>;
  const isShort = walk.issues === undefined;
  const { valid, errors } = validate(value, schema as Schema, draft, parts, isShort);
  for (const { keyword, error, instanceLocation } of isShort ? [] : toldIn(errors)) {
    // `#/a/b%20c` → `/a/b c`
    const inside = parsePointer(decodeURI(instanceLocation.slice(1)));
    const missing = keyword === "required" ? /property "(.*)"\.$/s.exec(error)?.[1] : undefined;
    const place = missing === undefined ? inside : [...inside, missing];
    const found = getAt(value as JsonValue, toPointer(place));
    const describe = () => (schema === part.schema ? describeAt(part, place) : ANY_VALUE);
    tell(walk, keyword, place, found, error, describe);
  }
  return valid;
}

/** The errors to report: a union speaks for all that is below it, because the intended branch is unknown. */
function toldIn(errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const unions = new Set<string>();
  const told = errors.filter(({ keyword, keywordLocation }) => {
    for (const union of keywordLocation.matchAll(/\/(?:anyOf|oneOf)(?=\/)/g)) {
      if (unions.has(keywordLocation.slice(0, union.index + union[0].length))) return false;
    }
    if (keyword === "anyOf" || keyword === "oneOf") unions.add(keywordLocation);
    return !CONTAINERS.has(keyword);
  });
  return told.length === 0 ? errors.slice(-1) : told;
}

/** Rejects a value and, in a walk that collects issues, says why. */
function reportFault(
  walk: Walk,
  keyword: string,
  value: unknown,
  wanted?: Part,
  error = "",
): false {
  if (walk.issues !== undefined)
    tell(walk, keyword, [], value, error, () => describeSchema(wanted?.schema));
  return false;
}

function tell(
  walk: Walk,
  code: string,
  below: readonly string[],
  value: unknown,
  error: string,
  describe: () => string,
): void {
  look(walk, (1 + walk.path.length + below.length) * STEPS_PER_KEY * LOOKS_PER_STEP);
  const path = toPointer([...walk.path, ...below]);
  const received = showReceived(value);
  if (code === "false") {
    walk.issues?.push({ path, message: NOT_A_FIELD, code: "additionalProperties", received });
  } else if (!NAMES_EXPECTED.has(code)) {
    walk.issues?.push({ path, message: error, code, received });
  } else {
    const expected = describe();
    const message = code === "required" ? "is required" : `must be ${expected}`;
    walk.issues?.push({ path, message, code, expected, received });
  }
}
