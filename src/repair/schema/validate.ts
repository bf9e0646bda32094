import { deepCompareStrict, type OutputUnit, type Schema, validate } from "@cfworker/json-schema";
import { getAt, parsePointer, toPointer } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import { OverLimit } from "../limits.ts";
import type { InputIssue, JsonSchema, JsonValue } from "../types.ts";
import { ANY_VALUE, describeAt, describeSchema, NOT_A_FIELD, showReceived } from "./describe.ts";
import { isKeywords, type Keywords } from "./keywords.ts";
import type { Limits, Part } from "./part.ts";
import { type Choice, chooserOf, shapesOf } from "./shapes.ts";

/** Charges for looks at keys, elements and branches; throws where they are too many. */
export type Step = (amount: number) => void;

/** The most looks where nobody else counts them. */
const MAX_LOOKS = 5_000_000;

/**
 * Whether a part of a schema acceptedBy a value: what `@cfworker/json-schema` says, which LangChain uses.
 *
 * @param part The part.
 * @param value The value.
 * @param step Charges for what is looked at. What it throws ends it. Default: a limit of its own.
 */
export function acceptedBy(part: Part, value: unknown, step?: Step): boolean {
  return checkPart(part, value, walkOf(step, undefined));
}

/**
 * Returns what a schema has against a value, in the order in which LangChain's validator says it.
 *
 * @returns One issue for each fault, at its place; none where the schema acceptedBy the value.
 */
export function findIssues(part: Part, value: unknown, step?: Step): readonly InputIssue[] {
  if (acceptedBy(part, value, step)) return [];
  const issues: InputIssue[] = [];
  checkPart(part, value, walkOf(step, issues));
  return issues;
}

/** A way through a value. */
interface Walk {
  /** What was found; `undefined` where the verdict alone is asked for: then the first fault ends it. */
  issues: InputIssue[] | undefined;
  readonly path: PropertyKey[];
  readonly step: Step;
  /** Verdicts by part, and by value, or by place where issues are looked for. */
  seen: Map<Part, Map<unknown, boolean>> | undefined;
}

function walkOf(step: Step | undefined, issues: Walk["issues"]): Walk {
  looks = 0;
  return { issues, path: [], step: step ?? countLooks, seen: undefined };
}

let looks = 0;

function countLooks(amount: number): void {
  looks += amount;
  if (looks > MAX_LOOKS) throw new OverLimit("maxSteps", MAX_LOOKS);
}

/** Most parts say a type and no more: for them this is small, so that the engine inlines it. */
function checkPart(part: Part, value: unknown, walk: Walk): boolean {
  if (!part.isTypeAlone) return checkKeywords(part, value, walk);
  return (part.kinds & kindBitOf(value)) !== 0 || reportFault(walk, "type", value, part);
}

/** The one walk: each keyword in the order of LangChain's validator. */
function checkKeywords(part: Part, value: unknown, walk: Walk): boolean {
  const { schema, source, target, only, choices, limits } = part;
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
  if (only !== undefined && !isOneOf(only, value)) isFine = reportFault(walk, "const", value, part);
  if (choices !== undefined && !isOneOf(choices, value))
    isFine = reportFault(walk, "enum", value, part);
  if (part.isCombined && (isFine || goesOn)) isFine = checkCombined(part, value, walk) && isFine;
  if (kind === OBJECT && part.required.length > 0 && (isFine || goesOn)) {
    isFine = checkRequired(part, value as Keywords, walk) && isFine;
  }
  if (limits !== undefined && (isFine || goesOn)) isFine = checkLimits(part, value, walk) && isFine;
  if (kind < ARRAY || !(isFine || goesOn)) return isFine;
  const inside = kind === ARRAY ? checkItems : checkKeys;
  return inside(part, value as never, walk) && isFine;
}

/**
 * References can double the work at every level: where a part leads to others, each value is held
 * against it once, and each place is told of once.
 */
function checkOnce(part: Part, value: unknown, walk: Walk): boolean {
  walk.step(1);
  const isQuick = walk.issues === undefined;
  if (isQuick && !(part.isCombined && hasParts(value))) return checkPart(part, value, walk);
  walk.seen ??= new Map();
  const verdicts = walk.seen.get(part) ?? new Map<unknown, boolean>();
  const key = isQuick ? value : toPointer(walk.path);
  const verdict = verdicts.get(key) ?? checkPart(part, value, walk);
  walk.seen.set(part, verdicts.set(key, verdict));
  return verdict;
}

function hasParts(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

/** The verdict alone, whatever is looked for. */
function checkQuietly(part: Part, value: unknown, walk: Walk): boolean {
  const { issues } = walk;
  walk.issues = undefined;
  const verdict = checkPart(part, value, walk);
  walk.issues = issues;
  return verdict;
}

function isOneOf(values: ReadonlySet<unknown>, value: unknown): boolean {
  return hasParts(value)
    ? [...values].some((one) => deepCompareStrict(value, one))
    : values.has(value);
}

function checkCombined(part: Part, value: unknown, walk: Walk): boolean {
  const { not, anyOf, allOf, oneOf, condition } = part;
  const goesOn = walk.issues !== undefined;
  let isFine = true;
  if (not !== undefined && checkQuietly(not, value, walk)) {
    isFine = reportFault(walk, "not", value, part, 'Instance matched "not" schema.');
  }
  if (anyOf !== undefined && (isFine || goesOn)) {
    isFine = checkUnion("anyOf", anyOf, value, part, walk) && isFine;
  }
  for (let index = 0; index < allOf.length && (isFine || goesOn); index++) {
    if (!checkOnce(allOf[index] as Part, value, walk)) isFine = false;
  }
  if (oneOf !== undefined && (isFine || goesOn)) {
    isFine = checkUnion("oneOf", oneOf, value, part, walk) && isFine;
  }
  const [test, then, otherwise] = condition ?? [];
  if (test !== undefined && (isFine || goesOn)) {
    const branch = (checkQuietly(test, value, walk) ? then : otherwise) as Part;
    if (!checkOnce(branch, value, walk)) isFine = false;
  }
  return isFine;
}

const choosers = new WeakMap<readonly Part[], (value: unknown) => Choice<Part>>();

/** A branch is chosen by its type and tag before it is tried; only where a tag tells it, its own faults are told. */
function checkUnion(
  keyword: "anyOf" | "oneOf",
  parts: readonly Part[],
  value: unknown,
  whole: Part,
  walk: Walk,
): boolean {
  const choose =
    choosers.get(parts) ?? chooserOf(parts.map((part) => [part, shapesOf(part)] as const));
  choosers.set(parts, choose);
  const { branches, isTagged } = choose(value);
  const enough = keyword === "anyOf" ? 1 : 2;
  let matches = 0;
  for (let index = 0; index < branches.length && matches < enough; index++) {
    walk.step(1);
    if (checkQuietly(branches[index] as Part, value, walk)) matches += 1;
  }
  if (matches === 1) return true;
  const [meant] = branches;
  return isTagged && meant !== undefined && branches.length === 1 && walk.issues !== undefined
    ? checkPart(meant, value, walk)
    : reportFault(walk, keyword, value, whole);
}

function checkRequired({ required, properties }: Part, value: Keywords, walk: Walk): boolean {
  let isFine = true;
  for (let index = 0; index < required.length; index++) {
    const key = required[index] as string;
    if (Object.hasOwn(value, key)) continue;
    if (walk.issues === undefined) return false;
    const [wanted] = properties.get(key) ?? [];
    walk.path.push(key);
    isFine = reportFault(walk, "required", undefined, wanted?.target ?? wanted);
    walk.path.pop();
  }
  return isFine;
}

function checkKeys(part: Part, value: Keywords, walk: Walk): boolean {
  const { properties, patterns, rest } = part;
  const goesOn = walk.issues !== undefined;
  walk.step(properties.size);
  if (!goesOn && patterns.length === 0 && isJsonObject(value)) {
    // In one pass: the engine knows a plain object's values as it goes through its keys.
    for (const key in value) {
      const place = properties.get(key)?.[0] ?? rest;
      if (place !== undefined && !checkPart(place, value[key], walk)) return false;
    }
    return true;
  }
  let isFine = true;
  for (const [key, [place]] of properties) {
    if (!Object.hasOwn(value, key) || checkBelow(place as Part, value[key], key, walk)) continue;
    if (!goesOn) return false;
    isFine = false;
  }
  if (patterns.length === 0 && rest === undefined) return isFine;
  const matched = new Set<string>();
  for (const [pattern, place] of patterns) {
    for (const key in value) {
      if (!pattern.test(key)) continue;
      matched.add(key);
      if (checkBelow(place, value[key], key, walk)) continue;
      if (!goesOn) return false;
      isFine = false;
    }
  }
  if (rest === undefined) return isFine;
  for (const key in value) {
    if (matched.has(key) || (properties.has(key) && Object.hasOwn(value, key))) continue;
    if (checkBelow(rest, value[key], key, walk)) continue;
    if (!goesOn) return false;
    isFine = false;
  }
  return isFine;
}

function checkItems(part: Part, items: readonly unknown[], walk: Walk): boolean {
  const { prefix, after } = part;
  walk.step(items.length);
  let isFine = true;
  const count = after === undefined ? Math.min(prefix.length, items.length) : items.length;
  for (let index = 0; index < count; index++) {
    const place = prefix[index]?.[0] ?? (after as Part);
    if (checkBelow(place, items[index], index, walk)) continue;
    if (walk.issues === undefined) return false;
    isFine = false;
  }
  const [one, other] = (part.isUnique ? duplicateIn(items) : undefined) ?? [];
  if (one === undefined) return isFine;
  const error = `Duplicate items at indexes ${one} and ${other}.`;
  return reportFault(walk, "uniqueItems", items, part, error);
}

/** What stands at a key or index. */
function checkBelow(part: Part, value: unknown, key: PropertyKey, walk: Walk): boolean {
  if (walk.issues === undefined) return checkPart(part, value, walk);
  walk.path.push(key);
  const verdict = checkPart(part, value, walk);
  walk.path.pop();
  return verdict;
}

/** Bounds, pattern and format; of the faults, and of rare keywords, `@cfworker/json-schema` tells. */
function checkLimits(part: Part, value: unknown, walk: Walk): boolean {
  const { keywords, isMet, rare } = part.limits as Limits;
  const isWithin = isMet(value);
  if (isWithin && rare === undefined) return true;
  if (walk.issues === undefined) return isWithin && ask(rare as Keywords, value, part, walk);
  return ask(keywords, value, part, walk);
}

/**
 * Finds the first two elements that are equal. Each is looked up among those before it, and not
 * compared with all of them.
 */
function duplicateIn(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<unknown, number>();
  let found: readonly [number, number] | undefined;
  for (const [index, item] of items.entries()) {
    const name = typeof item === "number" || item === null ? item : canonical(item);
    const other = seen.get(name);
    if (other === undefined) seen.set(name, index);
    else if (other < (found?.[0] ?? index)) found = [other, index];
  }
  return found;
}

/** JSON with the keys in order: the same for what is equal. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, child: unknown) =>
    isKeywords(child)
      ? Object.fromEntries(
          Object.keys(child)
            .sort()
            .map((key) => [key, child[key]]),
        )
      : child,
  );
}

/** The kind of a value as a bit, as `part.ts` has them. The validator throws at what is no JSON. */
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
  "properties patternProperties additionalProperties unevaluatedProperties items prefixItems additionalItems unevaluatedItems $ref $recursiveRef allOf if dependentSchemas".split(
    " ",
  ),
);

/** Keywords whose error is best told by what the schema wants at that place. */
const NAMES_EXPECTED: ReadonlySet<string> = new Set(
  "required type enum const anyOf oneOf".split(" "),
);

/** Asks `@cfworker/json-schema` about a schema in place of a part, or about some of its keywords. */
function ask(schema: JsonSchema, value: unknown, part: Part, walk: Walk): boolean {
  const { draft, lookup } = part.source;
  const isShort = walk.issues === undefined;
  const parts = lookup() as Record<string, Schema>;
  const { valid, errors } = validate(
    value,
    schema as Schema,
    draft,
    parts,
    isShort,
    null,
    "#",
    "#",
  );
  for (const { keyword, error, instanceLocation } of isShort ? [] : toldIn(errors)) {
    // `#/a/b%20c` → `/a/b c`
    const inside = parsePointer(decodeURI(instanceLocation.slice(1)));
    const missing = keyword === "required" ? /property "(.*)"\.$/s.exec(error)?.[1] : undefined;
    const place = missing === undefined ? inside : [...inside, missing];
    const path = toPointer([...walk.path, ...place]);
    const found = getAt(value as JsonValue, toPointer(place));
    const describe = () => (schema === part.schema ? describeAt(part, place) : ANY_VALUE);
    walk.issues?.push(toIssue(keyword, path, found, error, describe));
  }
  return valid;
}

/** The errors that are told: a union speaks for all that is below it, as which branch was meant is not known. */
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

/** Says that a value is refused; in a walk that looks for issues, also why. */
function reportFault(
  walk: Walk,
  keyword: string,
  value: unknown,
  wanted?: Part,
  error = "",
): false {
  const expected = () => describeSchema(wanted?.schema);
  walk.issues?.push(toIssue(keyword, toPointer(walk.path), value, error, expected));
  return false;
}

function toIssue(
  keyword: string,
  path: string,
  value: unknown,
  error: string,
  describe: () => string,
): InputIssue {
  const received = showReceived(value);
  if (keyword === "false") {
    return { path, message: NOT_A_FIELD, code: "additionalProperties", received };
  }
  if (!NAMES_EXPECTED.has(keyword)) return { path, message: error, code: keyword, received };
  const expected = describe();
  const message = keyword === "required" ? "is required" : `must be ${expected}`;
  return { path, message, code: keyword, expected, received };
}
