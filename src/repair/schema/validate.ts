import { deepCompareStrict, type Schema, validate } from "@cfworker/json-schema";
import { canonicalJson, getAt, isContainer, parsePointer, showValue, toPointer } from "../json.ts";
import { DEFAULT_LIMITS, OverLimit } from "../policy.ts";
import type { InputIssue, JsonSchema, JsonValue } from "../types.ts";
import { branchesOf, chooserOf } from "./branches.ts";
import { isKeywords, type Keywords, memoize, type Part, partAt, typeOf } from "./part.ts";

/** How many looks at keys, elements and branches make a step of `maxSteps`. */
const LOOKS_PER_STEP = 10;

/** How many steps a reported fault costs for each key and index of its path. */
export const STEPS_PER_KEY = 5;

/** Whether a part of a schema accepts a value: the verdict of `@cfworker/json-schema`. */
export function acceptedBy(part: Part, value: unknown): boolean {
  return check(part, value, newWalk());
}

/** Returns a schema's issues with a value, in the order of `@cfworker/json-schema`. */
export function findIssues(part: Part, value: unknown, maxSteps?: number): readonly InputIssue[] {
  const issues: InputIssue[] = [];
  const quiet = newWalk(maxSteps);
  if (!check(part, value, quiet)) check(part, value, newWalk(maxSteps, issues, quiet));
  return issues;
}

/** A walk through a value. Each check returns whether the walk goes on. */
interface Walk {
  /** The current place, if issues are collected. */
  readonly path: PropertyKey[];
  /** The issues found; without them only the verdict counts: then the first fault ends the walk. */
  readonly issues: InputIssue[] | undefined;
  /** The walk for verdicts alone, inside one that collects issues. */
  readonly quiet: Walk | undefined;
  /** Verdicts by part and by value, or by place if issues are collected. */
  seen: Map<Part, Map<unknown, boolean>> | undefined;
  readonly maxSteps: number;
  looks: number;
}

function newWalk(maxSteps = DEFAULT_LIMITS.maxSteps, issues?: InputIssue[], quiet?: Walk): Walk {
  return { path: [], issues, quiet, seen: undefined, maxSteps, looks: 0 };
}

function look(walk: Walk, amount: number): void {
  walk.looks += amount;
  if (walk.looks > walk.maxSteps * LOOKS_PER_STEP) throw new OverLimit("maxSteps", walk.maxSteps);
}

/** Checks the value at a key or index. */
function checkBelow(part: Part, value: unknown, key: PropertyKey, walk: Walk): boolean {
  if (walk.issues === undefined) return check(part, value, walk);
  walk.path.push(key);
  const goesOn = check(part, value, walk);
  walk.path.pop();
  return goesOn;
}

/** Checks the keywords in the order of `@cfworker/json-schema`. */
function check(part: Part, value: unknown, walk: Walk): boolean {
  const { schema, source, target, values, anyOf, allOf, oneOf, limits } = part;
  if (part.isForeign || !source.isKnown) return ask(schema, value, part, walk);
  if (typeof schema === "boolean") return schema || report(walk, "false", value);
  const isList = Array.isArray(value);
  const isObject = !isList && isContainer(value);
  return (
    (target === undefined || checkOnce(target, value, walk)) &&
    checkType(part, value, walk) &&
    (values === undefined || values.has(value as JsonValue) || checkChoice(part, value, walk)) &&
    (anyOf === undefined || checkUnion("anyOf", anyOf, value, part, walk)) &&
    (allOf.length === 0 || allOf.every((one) => checkOnce(one, value, walk))) &&
    (oneOf === undefined || checkUnion("oneOf", oneOf, value, part, walk)) &&
    (!isObject || checkRequired(part, value, walk)) &&
    (limits === undefined || isWithin(part, value) || ask(limits, value, part, walk)) &&
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

function checkType(part: Part, value: unknown, walk: Walk): boolean {
  const { types } = part;
  if (types === undefined) return true;
  const type = typeOf(value as JsonValue);
  if (types[0] === type || types.includes(type)) return true;
  const isInteger = type === "number" && types.includes("integer") && (value as number) % 1 === 0;
  return isInteger || report(walk, "type", value, part);
}

function checkChoice(part: Part, value: unknown, walk: Walk): boolean {
  const isSame = (one: JsonValue) => isContainer(one) && deepCompareStrict(one, value);
  if (isContainer(value) && [...(part.values ?? [])].some(isSame)) return true;
  return report(walk, part.keywords.const === undefined ? "enum" : "const", value, part);
}

const choiceOf = memoize((parts: readonly Part[]) => chooserOf(parts, branchesOf));

/** Selects a branch by type and tag; reports a branch's own faults only if a tag chose it. */
function checkUnion(
  keyword: "anyOf" | "oneOf",
  parts: readonly Part[],
  value: unknown,
  part: Part,
  walk: Walk,
): boolean {
  const { left, isTagged } = choiceOf(parts)(value);
  const enough = keyword === "anyOf" ? 1 : 2;
  let matches = 0;
  for (const one of left) {
    look(walk, 1);
    if (check(one, value, walk.quiet ?? walk)) matches += 1;
    if (matches === enough) break;
  }
  if (matches === 1) return true;
  const [meant, ...more] = left;
  return isTagged && meant !== undefined && more.length === 0 && walk.issues !== undefined
    ? check(meant, value, walk)
    : report(walk, keyword, value, part);
}

function checkRequired({ required, properties }: Part, value: object, walk: Walk): boolean {
  return required.every((key) => {
    if (Object.hasOwn(value, key)) return true;
    const wanted = properties.get(key);
    walk.path.push(key);
    const goesOn = report(walk, "required", undefined, wanted?.target ?? wanted);
    walk.path.pop();
    return goesOn;
  });
}

/** Whether a value is surely within its limits; otherwise `@cfworker/json-schema` must check them. */
function isWithin({ isRange, limits = {} }: Part, value: unknown): boolean {
  const [size, least = -Infinity, most = Infinity] =
    typeof value === "number"
      ? [value, limits.minimum, limits.maximum]
      : typeof value === "string"
        ? // A character of text is one or two units.
          [value.length, 2 * (limits.minLength ?? 0), limits.maxLength]
        : [Array.isArray(value) ? value.length : 0, limits.minItems, limits.maxItems];
  return isRange && size >= least && size <= most;
}

function checkKeys({ properties, patterns, rest }: Part, value: Keywords, walk: Walk): boolean {
  look(walk, properties.size);
  const all = Object.keys(value);
  for (const key of walk.issues === undefined ? all : new Set([...properties.keys(), ...all])) {
    if (!Object.hasOwn(value, key)) continue;
    const matching = patterns.length === 0 ? [] : patterns.filter(([pattern]) => pattern.test(key));
    const place = properties.get(key) ?? (matching.length === 0 ? rest : undefined);
    if (place !== undefined && !checkBelow(place, value[key], key, walk)) return false;
    for (const [, one] of matching) if (!checkBelow(one, value[key], key, walk)) return false;
  }
  return true;
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

/** Finds two equal elements: looks each up, rather than comparing it with all others. */
function duplicateIn(items: readonly unknown[]): readonly [number, number] | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const name = canonicalJson(item);
    const other = seen.get(name);
    if (other !== undefined) return [other, index];
    seen.set(name, index);
  }
  return undefined;
}

/** Asks `@cfworker/json-schema` about a schema in place of a part, or about some of its keywords. */
function ask(schema: JsonSchema, value: unknown, part: Part, walk: Walk): boolean {
  // A `$ref` that it follows may lead back to itself, twice at each level of the value.
  const parts = new Proxy(part.source.lookup() as Record<string, Schema>, {
    get(all, uri: string) {
      look(walk, LOOKS_PER_STEP / 2);
      return all[uri];
    },
  });
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
  const { issues, path } = walk;
  if (issues === undefined) return false;
  look(walk, (1 + path.length) * STEPS_PER_KEY * LOOKS_PER_STEP);
  const about = { path: toPointer(path), received: showReceived(value) };
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

/** Describes an unrestricted schema. */
export const ANY_VALUE = "any value";

/** The message of an issue with a key that the schema does not have. */
export const NOT_A_FIELD = "is not a field of this tool";

/** The codes of faults, zod's included, that are clearest as what the schema wants at that place. */
export const NAMES_EXPECTED: ReadonlySet<string> = new Set(
  `required type enum const anyOf oneOf invalid_type invalid_value invalid_union invalid_enum_value
  invalid_literal invalid_union_discriminator`.split(/\s+/),
);

const MAX_CHOICES = 12;
const MAX_FIELDS = 8;

/** How many levels of fields and items are written out. */
const DEPTH = 2;

/** Describes a JSON Schema in a few words, for a person or a model. */
export function describeSchema(schema: unknown): string {
  return isKeywords(schema) ? described(schema) : ANY_VALUE;
}

const described = memoize((schema: Keywords) => inWords(schema, DEPTH));

/**
 * Shows the value at an issue's place: scalars as JSON, containers by type, so that a message holds
 * no more of the input than the fault.
 */
export function showReceived(value: unknown): string {
  return isContainer(value) ? typeOf(value as JsonValue) : showValue(value);
}

function inWords(schema: unknown, depth: number): string {
  if (!isKeywords(schema)) return ANY_VALUE;
  const { type, enum: values, const: only, items, properties, required } = schema;
  if (only !== undefined) return showValue(only);
  if (Array.isArray(values)) {
    return `one of ${someOf(values, MAX_CHOICES, (value) => showValue(value)).join(", ")}`;
  }
  const branches = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(branches)) {
    const ways = new Set(branches.map((branch) => inWords(branch, depth - 1)));
    return someOf([...ways], MAX_CHOICES, String).join(" or ");
  }
  if (Array.isArray(type)) return type.join(" or ");
  if (type === "array") {
    return depth > 0 && isKeywords(items) ? `array of ${inWords(items, depth - 1)}` : "array";
  }
  if (!isKeywords(properties)) return typeof type === "string" ? type : ANY_VALUE;
  if (depth <= 0) return "object";
  const fields = someOf(Object.keys(properties), MAX_FIELDS, (name) => {
    const isRequired = Array.isArray(required) && required.includes(name);
    return `${name}${isRequired ? "" : "?"}: ${inWords(properties[name], depth - 1)}`;
  });
  return `object { ${fields.join(", ")} }`;
}

function someOf<Item>(items: readonly Item[], most: number, show: (item: Item) => string) {
  const shown = items.slice(0, most).map(show);
  return items.length > most ? [...shown, "…"] : shown;
}
