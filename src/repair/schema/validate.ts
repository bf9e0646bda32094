import { deepCompareStrict, type Schema, validate } from "@cfworker/json-schema";
import { canonicalJson } from "../json/canonical-json.ts";
import { getAt, parsePointer, toPointer } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import { DEFAULT_LIMITS, OverLimit } from "../limits.ts";
import { isContainer } from "../read/parse-exactly.ts";
import type { InputIssue, JsonSchema, JsonValue } from "../types.ts";
import { describeSchema, NOT_A_FIELD, partAt, showReceived } from "./describe.ts";
import type { Keywords } from "./keywords.ts";
import { branchesOf, type Choice, chooserOf, type Limits, type Part, typeOf } from "./part.ts";

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
  const issues: InputIssue[] = [];
  if (!acceptedBy(part, value, maxSteps)) check(part, value, newWalk(maxSteps, issues));
  return issues;
}

/** A walk through a value. Each check returns whether the walk goes on. */
interface Walk {
  /** The issues found; `undefined` if only the verdict counts: then the first fault ends the walk. */
  readonly issues: InputIssue[] | undefined;
  readonly path: PropertyKey[];
  /** The walk for verdicts alone, inside one that collects issues. */
  readonly quiet: Walk | undefined;
  /** Verdicts by part and by value, or by place if issues are collected. */
  seen: Map<Part, Map<unknown, boolean>> | undefined;
  readonly maxSteps: number;
  looks: number;
}

function newWalk(maxSteps = DEFAULT_LIMITS.maxSteps, issues?: InputIssue[]): Walk {
  const quiet = issues && newWalk(maxSteps);
  return { issues, path: [], quiet, seen: undefined, maxSteps, looks: 0 };
}

function look(walk: Walk, amount: number): void {
  walk.looks += amount;
  if (walk.looks > walk.maxSteps * LOOKS_PER_STEP) throw new OverLimit("maxSteps", walk.maxSteps);
}

/** Most parts only restrict the type: this is small for them, so that the engine inlines it. */
function check(part: Part, value: unknown, walk: Walk): boolean {
  return part.isTypeAlone ? checkType(part, value, walk) : checkKeywords(part, value, walk);
}

/** Checks the keywords in the order of `@cfworker/json-schema`. */
function checkKeywords(part: Part, value: unknown, walk: Walk): boolean {
  const { schema, source, target, values, not, anyOf, allOf, oneOf, condition, required, limits } =
    part;
  if (!source.isKnown) return ask(schema, value, part, walk);
  const isList = Array.isArray(value);
  const isObject = !isList && isContainer(value);
  if (typeof schema === "boolean") return schema || report(walk, "false", value);
  return (
    (target === undefined || checkOnce(target, value, walk)) &&
    checkType(part, value, walk) &&
    (values === undefined || values.has(value as JsonValue) || checkChoice(part, value, walk)) &&
    (not === undefined ||
      !accepts(not, value, walk) ||
      report(walk, "not", value, part, 'Instance matched "not" schema.')) &&
    (anyOf === undefined || checkUnion("anyOf", anyOf, value, part, walk)) &&
    (allOf.length === 0 || allOf.every((one) => checkOnce(one, value, walk))) &&
    (oneOf === undefined || checkUnion("oneOf", oneOf, value, part, walk)) &&
    (condition === undefined || checkCondition(condition, value, walk)) &&
    (!isObject || required.length === 0 || checkRequired(part, value, walk)) &&
    (limits === undefined || isWithin(limits, value) || ask(limits.keywords, value, part, walk)) &&
    (!isObject || checkKeys(part, value as Keywords, walk)) &&
    (!isList || checkItems(part, value, walk))
  );
}

/** Checks a value only once by a part that several ways lead to: work could double at every level. */
function checkOnce(part: Part, value: unknown, walk: Walk): boolean {
  look(walk, 1);
  walk.seen ??= new Map();
  const verdicts = walk.seen.get(part) ?? new Map<unknown, boolean>();
  walk.seen.set(part, verdicts);
  const key = walk.issues === undefined ? value : toPointer(walk.path);
  const verdict = verdicts.get(key) ?? check(part, value, walk);
  verdicts.set(key, verdict);
  return verdict;
}

/** The verdict alone, even in a walk that collects issues. */
function accepts(part: Part, value: unknown, walk: Walk): boolean {
  return check(part, value, walk.quiet ?? walk);
}

function checkType(part: Part, value: unknown, walk: Walk): boolean {
  const { types } = part;
  if (types === undefined) return true;
  const type = typeOf(value as JsonValue);
  if (types[0] === type || types.includes(type)) return true;
  const isInteger = type === "number" && types.includes("integer") && (value as number) % 1 === 0;
  return isInteger || report(walk, "type", value, part);
}

function checkChoice(part: Part, value: unknown, walk: Walk): boolean {
  const { values = [], keywords } = part;
  const isSame = (one: JsonValue) => isContainer(one) && deepCompareStrict(one, value);
  if (isContainer(value) && [...values].some(isSame)) return true;
  return report(walk, keywords.const === undefined ? "enum" : "const", value, part);
}

const choosers = new WeakMap<readonly Part[], (value: unknown) => Choice<Part>>();

/** Selects a branch by type, tag and keys; reports a branch's own faults only if a tag chose it. */
function checkUnion(
  keyword: "anyOf" | "oneOf",
  parts: readonly Part[],
  value: unknown,
  part: Part,
  walk: Walk,
): boolean {
  const choose = choosers.get(parts) ?? chooserOf(parts, branchesOf);
  choosers.set(parts, choose);
  const { left, isTagged } = choose(value);
  const enough = keyword === "anyOf" ? 1 : 2;
  let matches = 0;
  for (const one of left) {
    look(walk, 1);
    if (accepts(one, value, walk)) matches += 1;
    if (matches === enough) break;
  }
  if (matches === 1) return true;
  const [meant] = left;
  return isTagged && meant !== undefined && left.length === 1 && walk.issues !== undefined
    ? check(meant, value, walk)
    : report(walk, keyword, value, part);
}

function checkCondition(condition: readonly Part[], value: unknown, walk: Walk): boolean {
  const [test, then, otherwise] = condition as readonly [Part, Part, Part];
  return checkOnce(accepts(test, value, walk) ? then : otherwise, value, walk);
}

function checkRequired({ required, properties }: Part, value: object, walk: Walk): boolean {
  for (const key of required) {
    if (Object.hasOwn(value, key)) continue;
    const wanted = properties.get(key);
    walk.path.push(key);
    const goesOn = report(walk, "required", undefined, wanted?.target ?? wanted);
    walk.path.pop();
    if (!goesOn) return false;
  }
  return true;
}

/** Whether a value is surely within limits; otherwise `@cfworker/json-schema` must check them. */
function isWithin({ isRare, keywords }: Limits, value: unknown): boolean {
  if (isRare) return false;
  if (typeof value === "number") return isBetween(value, keywords.minimum, keywords.maximum);
  if (Array.isArray(value)) return isBetween(value.length, keywords.minItems, keywords.maxItems);
  if (typeof value !== "string") return true;
  // A character of text is one or two units.
  const { minLength = 0, maxLength } = keywords;
  return isBetween(value.length, minLength > 1 ? 2 * minLength : minLength, maxLength);
}

function isBetween(size: number, least = -Infinity, most = Infinity): boolean {
  return size >= least && size <= most;
}

function checkKeys(part: Part, value: Keywords, walk: Walk): boolean {
  const { properties, patterns, rest } = part;
  look(walk, properties.size);
  if (walk.issues === undefined && patterns.length === 0 && isJsonObject(value)) {
    // In one pass: the engine knows a plain object's values as it goes through its keys.
    for (const key in value) {
      const place = properties.get(key) ?? rest;
      if (place !== undefined && !check(place, value[key], walk)) return false;
    }
    return true;
  }
  const checkAt = (key: string) => {
    const declared = properties.get(key);
    if (declared !== undefined && !checkBelow(declared, value[key], key, walk)) return false;
    const matching = patterns.filter(([pattern]) => pattern.test(key));
    if (!matching.every(([, one]) => checkBelow(one, value[key], key, walk))) return false;
    const isOther = declared === undefined && matching.length === 0;
    return !isOther || rest === undefined || checkBelow(rest, value[key], key, walk);
  };
  for (const key of properties.keys()) if (Object.hasOwn(value, key) && !checkAt(key)) return false;
  return Object.keys(value).every((key) => properties.has(key) || checkAt(key));
}

function checkItems(part: Part, items: readonly unknown[], walk: Walk): boolean {
  const { prefix, after, keywords } = part;
  look(walk, items.length);
  const count = after === undefined ? Math.min(prefix.length, items.length) : items.length;
  for (let index = 0; index < count; index++) {
    const place = prefix[index] ?? (after as Part);
    if (!checkBelow(place, items[index], index, walk)) return false;
  }
  const twins = keywords.uniqueItems ? duplicateIn(items) : undefined;
  if (twins === undefined) return true;
  const error = `Duplicate items at indexes ${twins.join(" and ")}.`;
  return report(walk, "uniqueItems", items, part, error);
}

/** Checks the value at a key or index. */
function checkBelow(part: Part, value: unknown, key: PropertyKey, walk: Walk): boolean {
  if (walk.issues === undefined) return check(part, value, walk);
  walk.path.push(key);
  const goesOn = check(part, value, walk);
  walk.path.pop();
  return goesOn;
}

/** Finds two equal elements: looks each up, rather than comparing it with all others. */
function duplicateIn(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<unknown, number>();
  for (const [index, item] of items.entries()) {
    const name = typeof item === "number" || item === null ? item : canonicalJson(item);
    const other = seen.get(name);
    if (other !== undefined) return [other, index];
    seen.set(name, index);
  }
  return undefined;
}

/** Keywords whose error is clearest as what the schema wants at that place. */
const NAMES_EXPECTED: ReadonlySet<string> = new Set(
  "required type enum const anyOf oneOf".split(" "),
);

/** Asks `@cfworker/json-schema` about a schema in place of a part, or about some of its keywords. */
function ask(schema: JsonSchema, value: unknown, part: Part, walk: Walk): boolean {
  const parts = part.source.lookup() as Record<string, Schema>;
  const isShort = walk.issues === undefined;
  const { valid, errors } = validate(value, schema as Schema, "2019-09", parts, isShort);
  if (isShort) return valid;
  for (const [index, { keyword, keywordLocation, instanceLocation, error }] of errors.entries()) {
    // The errors below this one say what is wrong.
    if (errors[index + 1]?.keywordLocation.startsWith(`${keywordLocation}/`)) continue;
    // `#/a/b%20c` → `/a/b c`
    const path = parsePointer(decodeURI(instanceLocation.slice(1)));
    const missing = keyword === "required" ? /property "(.*)"\.$/s.exec(error)?.[1] : undefined;
    if (missing !== undefined) path.push(missing);
    const wanted = schema === part.schema ? partAt(part, path) : undefined;
    walk.path.push(...path);
    report(walk, keyword, getAt(value as JsonValue, toPointer(path)), wanted, error);
    walk.path.length -= path.length;
  }
  return true;
}

/** Says why a value is rejected, if the walk collects issues; it goes on then. */
function report(walk: Walk, code: string, value: unknown, wanted?: Part, error = ""): boolean {
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
  return true;
}
