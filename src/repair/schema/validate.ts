import { deepCompareStrict, type OutputUnit, type Schema, validate } from "@cfworker/json-schema";
import { canonicalJson } from "../json/canonical-json.ts";
import { getAt, parsePointer, toPointer } from "../json/json-pointer.ts";
import { DEFAULT_LIMITS, OverLimit } from "../limits.ts";
import { isContainer } from "../read/parse-exactly.ts";
import type { InputIssue, JsonSchema, JsonValue } from "../types.ts";
import { branchesOf, type Choice, chooserOf } from "./branches.ts";
import { describeSchema, NOT_A_FIELD, partAt, showReceived } from "./describe.ts";
import type { Keywords } from "./keywords.ts";
import type { Part } from "./part.ts";

/** How many looks at keys, elements and branches make a step of `maxSteps`. */
const LOOKS_PER_STEP = 10;

/** How many steps a reported fault costs for each key and index of its path. */
export const STEPS_PER_KEY = 5;

/** Whether a part of a schema accepts a value: the verdict of `@cfworker/json-schema`. */
export function acceptedBy(part: Part, value: unknown, maxSteps?: number): boolean {
  return check(part, value, newWalk(maxSteps));
}

/** Returns a schema's issues with a value, in the order of `@cfworker/json-schema`. */
export function findIssues(part: Part, value: unknown, maxSteps?: number): readonly InputIssue[] {
  if (acceptedBy(part, value, maxSteps)) return [];
  const issues: InputIssue[] = [];
  check(part, value, newWalk(maxSteps, issues));
  return issues;
}

/** A walk through a value. */
interface Walk {
  /** The issues found; `undefined` if only the verdict counts: then the first fault ends the walk. */
  readonly issues: InputIssue[] | undefined;
  readonly path: PropertyKey[];
  /** Verdicts by part and by value, or by place if issues are collected. */
  seen: Map<Part, Map<unknown, boolean>> | undefined;
  /** The walk for verdicts alone, inside one that collects issues. */
  quiet: Walk | undefined;
  readonly maxSteps: number;
  looks: number;
}

function newWalk(maxSteps = DEFAULT_LIMITS.maxSteps, issues?: InputIssue[]): Walk {
  return { issues, path: [], seen: undefined, quiet: undefined, maxSteps, looks: 0 };
}

function look(walk: Walk, amount: number): void {
  walk.looks += amount;
  if (walk.looks > walk.maxSteps * LOOKS_PER_STEP) throw new OverLimit("maxSteps", walk.maxSteps);
}

/** Most parts only restrict the type: this is small for them, so that the engine inlines it. */
function check(part: Part, value: unknown, walk: Walk): boolean {
  if (!part.isTypeAlone) return checkKeywords(part, value, walk);
  return (part.kinds & kindOf(value)) !== 0 || report(walk, "type", value, part);
}

type Check = (part: Part, value: unknown, walk: Walk) => boolean;

function checkKeywords(part: Part, value: unknown, walk: Walk): boolean {
  const { schema, source, isCombined } = part;
  if (!source.isKnown) return ask(schema, value, part, walk);
  if (typeof schema === "boolean") return schema || report(walk, "false", value);
  if (walk.issues !== undefined) {
    return CHECKS.filter((check) => !check(part, value, walk)).length === 0;
  }
  return (
    (part.target === undefined || checkOnce(part.target, value, walk)) &&
    checkType(part, value, walk) &&
    checkChoice(part, value, walk) &&
    (!isCombined || COMBINED.every((check) => check(part, value, walk))) &&
    checkRequired(part, value, walk) &&
    checkLimits(part, value, walk) &&
    checkContent(part, value, walk)
  );
}

/** Checks a value only once by a part that leads to others: references can double the work at every level. */
function checkOnce(part: Part, value: unknown, walk: Walk): boolean {
  look(walk, 1);
  if (!part.isCombined && walk.issues === undefined) return check(part, value, walk);
  walk.seen ??= new Map();
  const verdicts = walk.seen.get(part) ?? new Map<unknown, boolean>();
  const key = walk.issues === undefined ? value : toPointer(walk.path);
  const verdict = verdicts.get(key) ?? check(part, value, walk);
  walk.seen.set(part, verdicts.set(key, verdict));
  return verdict;
}

/** Only the verdict, even in a walk that collects issues. */
function accepts(part: Part, value: unknown, walk: Walk): boolean {
  if (walk.issues === undefined) return check(part, value, walk);
  walk.quiet ??= newWalk(walk.maxSteps);
  return check(part, value, walk.quiet);
}

const checkTarget: Check = ({ target }, value, walk) =>
  target === undefined || checkOnce(target, value, walk);

const checkType: Check = (part, value, walk) =>
  (part.kinds & kindOf(value)) !== 0 || report(walk, "type", value, part);

const checkChoice: Check = (part, value, walk) => {
  const { values, choices, keywords } = part;
  if (choices === undefined || choices.has(value)) return true;
  const isSame = (one: unknown) => isContainer(one) && deepCompareStrict(one, value);
  if (isContainer(value) && values?.some(isSame)) return true;
  return report(walk, keywords.const === undefined ? "enum" : "const", value, part);
};

const checkNot: Check = (part, value, walk) =>
  part.not === undefined ||
  !accepts(part.not, value, walk) ||
  report(walk, "not", value, part, 'Instance matched "not" schema.');

const checkAnyOf: Check = (part, value, walk) => checkUnion("anyOf", part, value, walk);

const checkAllOf: Check = ({ allOf }, value, walk) => {
  const checkPart = (part: Part) => checkOnce(part, value, walk);
  return walk.issues === undefined
    ? allOf.every(checkPart)
    : allOf.map(checkPart).every((isFine) => isFine);
};

const checkOneOf: Check = (part, value, walk) => checkUnion("oneOf", part, value, walk);

const checkIf: Check = ({ condition: [test, then, otherwise] }, value, walk) => {
  const branch = test !== undefined && accepts(test, value, walk) ? then : otherwise;
  return branch === undefined || checkOnce(branch, value, walk);
};

const choosers = new WeakMap<readonly Part[], (value: unknown) => Choice<Part>>();

/** Selects a branch by type, tag and keys; reports a branch's own faults only if a tag chose it. */
function checkUnion(keyword: "anyOf" | "oneOf", whole: Part, value: unknown, walk: Walk): boolean {
  const parts = whole[keyword];
  if (parts === undefined) return true;
  const choose = choosers.get(parts) ?? chooserOf(parts, branchesOf);
  choosers.set(parts, choose);
  const { left, possible, isTagged } = choose(value);
  const enough = keyword === "anyOf" ? 1 : 2;
  let matches = 0;
  for (const part of possible) {
    look(walk, 1);
    if (accepts(part, value, walk)) matches += 1;
    if (matches === enough) break;
  }
  if (matches === 1) return true;
  const [meant] = left;
  return isTagged && meant !== undefined && left.length === 1 && walk.issues !== undefined
    ? check(meant, value, walk)
    : report(walk, keyword, value, whole);
}

const checkRequired: Check = ({ required, properties }, value, walk) => {
  if (required.length === 0 || kindOf(value) !== OBJECT) return true;
  const isMissing = (key: string) => !Object.hasOwn(value as object, key);
  if (walk.issues === undefined) return !required.some(isMissing);
  const missing = required.filter(isMissing);
  for (const key of missing) {
    const wanted = properties.get(key);
    walk.path.push(key);
    report(walk, "required", undefined, wanted?.target ?? wanted);
    walk.path.pop();
  }
  return missing.length === 0;
};

/** Bounds; `@cfworker/json-schema` reports faults, and checks rare keywords. */
const checkLimits: Check = (part, value, walk) => {
  const { limits } = part;
  if (limits === undefined || limits.checks?.every((isMet) => isMet(value))) return true;
  return ask(limits.keywords, value, part, walk);
};

const checkContent: Check = (part, value, walk) => {
  if (Array.isArray(value)) return checkItems(part, value, walk);
  return !isContainer(value) || checkKeys(part, value as Keywords, walk);
};

const COMBINED: readonly Check[] = [checkNot, checkAnyOf, checkAllOf, checkOneOf, checkIf];

/** All checks, in the order of `@cfworker/json-schema`. */
const CHECKS: readonly Check[] = [
  checkTarget,
  checkType,
  checkChoice,
  ...COMBINED,
  checkRequired,
  checkLimits,
  checkContent,
];

function checkKeys(part: Part, value: Keywords, walk: Walk): boolean {
  const { properties, patterns, rest } = part;
  look(walk, properties.size);
  if (walk.issues === undefined && patterns.length === 0) {
    for (const key in value) {
      const place = properties.get(key) ?? rest;
      if (place !== undefined && !check(place, value[key], walk)) return false;
    }
    return true;
  }
  const keys = new Set([...properties.keys()].filter((key) => Object.hasOwn(value, key)));
  for (const key in value) keys.add(key);
  let isFine = true;
  for (const key of keys) {
    const matching = patterns.flatMap(([pattern, one]) => (pattern.test(key) ? [one] : []));
    const places = [...(properties.has(key) ? [properties.get(key)] : []), ...matching];
    for (const place of places.length > 0 ? places : [rest]) {
      if (place === undefined || checkBelow(place, value[key], key, walk)) continue;
      if (walk.issues === undefined) return false;
      isFine = false;
    }
  }
  return isFine;
}

function checkItems(part: Part, items: readonly unknown[], walk: Walk): boolean {
  const { prefix, after, keywords } = part;
  look(walk, items.length);
  let isFine = true;
  const count = after === undefined ? Math.min(prefix.length, items.length) : items.length;
  for (let index = 0; index < count; index++) {
    if (checkBelow(prefix[index] ?? (after as Part), items[index], index, walk)) continue;
    if (walk.issues === undefined) return false;
    isFine = false;
  }
  const [one, other] = (keywords.uniqueItems ? duplicateIn(items) : undefined) ?? [];
  if (one === undefined) return isFine;
  const error = `Duplicate items at indexes ${one} and ${other}.`;
  return report(walk, "uniqueItems", items, part, error);
}

/** Checks the value at a key or index. */
function checkBelow(part: Part, value: unknown, key: PropertyKey, walk: Walk): boolean {
  if (walk.issues === undefined) return check(part, value, walk);
  walk.path.push(key);
  const verdict = check(part, value, walk);
  walk.path.pop();
  return verdict;
}

/** Finds the first two equal elements: looks each up, rather than comparing it with all others. */
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

const [ARRAY, OBJECT] = [32, 64];

/** The kind of a value as a bit of `Part.kinds`; throws for what is no JSON, as the validator does. */
function kindOf(value: unknown): number {
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
  for (const { keyword, error, instanceLocation } of isShort ? [] : reportedOf(errors)) {
    // `#/a/b%20c` → `/a/b c`
    const path = parsePointer(decodeURI(instanceLocation.slice(1)));
    const missing = keyword === "required" ? /property "(.*)"\.$/s.exec(error)?.[1] : undefined;
    if (missing !== undefined) path.push(missing);
    const wanted = schema === part.schema ? partAt(part, path) : undefined;
    walk.path.push(...path);
    report(walk, keyword, getAt(value as JsonValue, toPointer(path)), wanted, error);
    walk.path.length -= path.length;
  }
  return valid;
}

/** The errors to report: a union speaks for all that is below it, because the intended branch is unknown. */
function reportedOf(errors: readonly OutputUnit[]): readonly OutputUnit[] {
  const isUnion = ({ keyword }: OutputUnit) => keyword === "anyOf" || keyword === "oneOf";
  const unions = new Set(errors.filter(isUnion).map(({ keywordLocation }) => keywordLocation));
  const isBelowUnion = (location: string) =>
    [...location.matchAll(/\/(?:anyOf|oneOf)(?=\/)/g)].some(({ 0: { length }, index }) =>
      unions.has(location.slice(0, index + length)),
    );
  const found = errors.filter(
    ({ keyword, keywordLocation }) => !CONTAINERS.has(keyword) && !isBelowUnion(keywordLocation),
  );
  return found.length === 0 ? errors.slice(-1) : found;
}

/** Rejects a value and, in a walk that collects issues, says why. */
function report(walk: Walk, code: string, value: unknown, wanted?: Part, error = ""): false {
  const { issues } = walk;
  if (issues === undefined) return false;
  look(walk, (1 + walk.path.length) * STEPS_PER_KEY * LOOKS_PER_STEP);
  const about = { path: toPointer(walk.path), received: showReceived(value) };
  if (code === "false") {
    issues.push({ ...about, message: NOT_A_FIELD, code: "additionalProperties" });
  } else if (NAMES_EXPECTED.has(code)) {
    const expected = describeSchema(wanted?.schema);
    const message = code === "required" ? "is required" : `must be ${expected}`;
    issues.push({ ...about, message, code, expected });
  } else {
    issues.push({ ...about, message: error, code });
  }
  return false;
}
