import {
  deepCompareStrict,
  type OutputUnit,
  type Schema,
  validate,
} from "@cfworker/json-schema";
import {
  canonicalJson,
  getAt,
  isContainer,
  parsePointer,
  toPointer,
} from "../json.ts";
import { DEFAULT_LIMITS, OverLimit } from "../limits.ts";
import type { InputIssue, JsonSchema, JsonValue } from "../types.ts";
import { branchesOf, UnionChooser } from "./branches.ts";
import { describeSchema, showReceived } from "./in-words.ts";
import {
  followRef,
  type Keywords,
  memoize,
  partAt,
  type SchemaPart,
  typeOf,
} from "./part.ts";

/** How many looks at keys, elements and branches make a step of `maxSteps`. */
const LOOKS_PER_STEP = 10;

/** How many steps a reported fault costs for each key and index of its path. */
export const STEPS_PER_KEY = 5;

/**
 * Whether a part of a schema accepts a value: the verdict of
 * `@cfworker/json-schema`.
 */
export function acceptedBy(part: SchemaPart, value: unknown): boolean {
  return check(part, value, new Walk());
}

/**
 * Returns a schema's issues with a value, in the order of
 * `@cfworker/json-schema`.
 */
export function findIssues(
  part: SchemaPart,
  value: unknown,
  maxSteps?: number,
): readonly InputIssue[] {
  const quiet = new Walk(maxSteps);
  if (check(part, value, quiet)) return [];
  const issues: InputIssue[] = [];
  check(part, value, new Walk(maxSteps, { issues, quiet }));
  return issues;
}

/** What a walk collects, and the walk for verdicts alone inside it. */
interface Collecting {
  readonly issues: InputIssue[];
  readonly quiet: Walk;
}

/**
 * A walk through a value. Each check returns whether the walk goes on: if
 * issues are collected, to its end; otherwise only the verdict counts, and the
 * first fault ends it.
 */
class Walk {
  readonly collecting: Collecting | undefined;
  /** The current place, if issues are collected. */
  readonly path: PropertyKey[] = [];
  readonly #maxSteps: number;
  /** Verdicts by part and by value, or by place if issues are collected. */
  #verdicts: Map<SchemaPart, Map<unknown, boolean>> | undefined;
  #looks = 0;

  constructor(maxSteps = DEFAULT_LIMITS.maxSteps, collecting?: Collecting) {
    this.#maxSteps = maxSteps;
    this.collecting = collecting;
  }

  look(amount: number): void {
    this.#looks += amount;
    if (this.#looks > this.#maxSteps * LOOKS_PER_STEP) {
      throw new OverLimit("maxSteps", this.#maxSteps);
    }
  }

  /**
   * Checks a value only once by a part that several ways lead to: work could
   * double at every level.
   */
  once(part: SchemaPart, value: unknown): boolean {
    this.look(1);
    this.#verdicts ??= new Map();
    const verdicts = this.#verdicts.get(part) ?? new Map<unknown, boolean>();
    this.#verdicts.set(part, verdicts);
    const key = this.collecting === undefined ? value : toPointer(this.path);
    const known = verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = check(part, value, this);
    verdicts.set(key, verdict);
    return verdict;
  }

  /** Checks the value at a key or index. */
  below(part: SchemaPart, value: unknown, key: PropertyKey): boolean {
    if (this.collecting === undefined) return check(part, value, this);
    this.path.push(key);
    const goesOn = check(part, value, this);
    this.path.pop();
    return goesOn;
  }

  /**
   * Says why a value is rejected, if issues are collected; the walk goes on
   * then.
   */
  report(
    code: string,
    value: unknown,
    expected?: SchemaPart,
    error = "",
  ): boolean {
    if (this.collecting === undefined) return false;
    this.look((1 + this.path.length) * STEPS_PER_KEY * LOOKS_PER_STEP);
    const path = toPointer(this.path);
    const received = showReceived(value);
    this.collecting.issues.push({
      path,
      received,
      ...faultOf(code, expected, error),
    });
    return true;
  }

  /** Does the same for the place below some keys of the current one. */
  reportAt(
    keys: readonly PropertyKey[],
    ...fault: Parameters<Walk["report"]>
  ): boolean {
    this.path.push(...keys);
    const goesOn = this.report(...fault);
    this.path.length -= keys.length;
    return goesOn;
  }
}

/** What an issue says is wrong. */
function faultOf(
  code: string,
  expected: SchemaPart | undefined,
  error: string,
): Pick<InputIssue, "message" | "code" | "expected"> {
  if (code === "false")
    return { message: NOT_A_FIELD, code: "additionalProperties" };
  if (!NAMES_EXPECTED.has(code)) return { message: error, code };
  const description = describeSchema(expected?.schema);
  if (code === "required")
    return { message: "is required", code, expected: description };
  return { message: `must be ${description}`, code, expected: description };
}

/** Checks a value by a part, or has `@cfworker/json-schema` check it. */
function check(part: SchemaPart, value: unknown, walk: Walk): boolean {
  const { schema, source, isForeign } = part;
  if (isForeign || !source.isKnown) return ask(schema, value, part, walk);
  if (schema === true) return true;
  if (schema === false) return walk.report("false", value);
  return checkKeywords(part, value, walk);
}

/** Checks the keywords in the order of `@cfworker/json-schema`. */
function checkKeywords(part: SchemaPart, value: unknown, walk: Walk): boolean {
  if (!checkTarget(part, value, walk)) return false;
  if (!checkType(part, value, walk)) return false;
  if (!checkChoice(part, value, walk)) return false;
  if (!checkUnion("anyOf", part, value, walk)) return false;
  for (const required of part.allOf) {
    if (!walk.once(required, value)) return false;
  }
  if (!checkUnion("oneOf", part, value, walk)) return false;
  if (Array.isArray(value)) return checkList(part, value, walk);
  if (isContainer(value)) return checkObject(part, value, walk);
  return checkLimits(part, value, walk);
}

function checkTarget(part: SchemaPart, value: unknown, walk: Walk): boolean {
  if (part.target === undefined) return true;
  return walk.once(part.target, value);
}

function checkType(part: SchemaPart, value: unknown, walk: Walk): boolean {
  const { types } = part;
  if (types === undefined) return true;
  const type = typeOf(value);
  if (types[0] === type || types.includes(type)) return true;
  if (types.includes("integer") && Number.isInteger(value)) return true;
  return walk.report("type", value, part);
}

function checkChoice(part: SchemaPart, value: unknown, walk: Walk): boolean {
  const { values, keywords } = part;
  if (values === undefined) return true;
  if (values.has(value as JsonValue)) return true;
  if (isContainer(value) && holdsEqual(values, value)) return true;
  const code = keywords.const === undefined ? "enum" : "const";
  return walk.report(code, value, part);
}

/** Whether a list or object is among the choices; most choices are texts. */
function holdsEqual(choices: ReadonlySet<unknown>, value: object): boolean {
  for (const choice of choices) {
    if (isContainer(choice) && deepCompareStrict(choice, value)) return true;
  }
  return false;
}

const chooserOf = memoize((members: readonly SchemaPart[]) => {
  return new UnionChooser(members, branchesOf);
});

/**
 * Selects a branch by type and tag; reports a branch's own faults only if a tag
 * chose it.
 */
function checkUnion(
  keyword: "anyOf" | "oneOf",
  part: SchemaPart,
  value: unknown,
  walk: Walk,
): boolean {
  const union = part[keyword];
  if (union === undefined) return true;
  const { members, isTagged } = chooserOf(union).choose(value);
  const enough = keyword === "anyOf" ? 1 : 2;
  if (countMatches(members, value, enough, walk) === 1) return true;
  if (walk.collecting === undefined) return false;
  const [meant] = members;
  const isOne = meant !== undefined && members.length === 1;
  if (isOne && isTagged) return check(meant, value, walk);
  return walk.report(keyword, value, part);
}

/** Counts the members that accept a value, until there are enough. */
function countMatches(
  members: readonly SchemaPart[],
  value: unknown,
  enough: number,
  walk: Walk,
): number {
  const quiet = walk.collecting?.quiet ?? walk;
  let matches = 0;
  for (const member of members) {
    walk.look(1);
    if (check(member, value, quiet)) matches += 1;
    if (matches === enough) break;
  }
  return matches;
}

/** Checks the keywords for objects. */
function checkObject(part: SchemaPart, value: object, walk: Walk): boolean {
  if (!checkRequired(part, value, walk)) return false;
  if (!checkLimits(part, value, walk)) return false;
  return checkKeys(part, value as Keywords, walk);
}

/** Checks the keywords for arrays. */
function checkList(
  part: SchemaPart,
  value: readonly unknown[],
  walk: Walk,
): boolean {
  if (!checkLimits(part, value, walk)) return false;
  return checkItems(part, value, walk);
}

function checkRequired(
  { required, properties }: SchemaPart,
  value: object,
  walk: Walk,
): boolean {
  for (const key of required) {
    if (Object.hasOwn(value, key)) continue;
    const property = properties.get(key);
    const expected = property && followRef(property);
    if (!walk.reportAt([key], "required", undefined, expected)) return false;
  }
  return true;
}

function checkLimits(part: SchemaPart, value: unknown, walk: Walk): boolean {
  const { limits } = part;
  if (limits === undefined) return true;
  if (isWithin(part.isRange, limits, value)) return true;
  return ask(limits, value, part, walk);
}

/**
 * Whether a value is surely within its limits; otherwise
 * `@cfworker/json-schema` must check them.
 */
function isWithin(isRange: boolean, limits: Schema, value: unknown): boolean {
  if (!isRange) return false;
  if (typeof value === "number")
    return isBetween(value, limits.minimum, limits.maximum);
  if (typeof value === "string") {
    // A character of text is one or two units.
    const { minLength = 0, maxLength } = limits;
    return isBetween(value.length, 2 * minLength, maxLength);
  }
  const count = Array.isArray(value) ? value.length : 0;
  return isBetween(count, limits.minItems, limits.maxItems);
}

function isBetween(size: number, least = -Infinity, most = Infinity): boolean {
  return size >= least && size <= most;
}

function checkKeys(part: SchemaPart, value: Keywords, walk: Walk): boolean {
  const { properties } = part;
  walk.look(properties.size);
  let keys: Iterable<string> = Object.keys(value);
  // Issues come in the order of the schema's keys.
  if (walk.collecting !== undefined)
    keys = new Set([...properties.keys(), ...keys]);
  for (const key of keys) {
    if (!Object.hasOwn(value, key)) continue;
    if (!checkKey(part, key, value[key], walk)) return false;
  }
  return true;
}

function checkKey(
  part: SchemaPart,
  key: string,
  value: unknown,
  walk: Walk,
): boolean {
  const { properties, patterns, additional } = part;
  const property = properties.get(key);
  let isNamed = false;
  if (property !== undefined) {
    isNamed = true;
    if (!walk.below(property, value, key)) return false;
  }
  for (const [pattern, place] of patterns) {
    if (!pattern.test(key)) continue;
    isNamed = true;
    if (!walk.below(place, value, key)) return false;
  }
  if (isNamed) return true;
  if (additional === undefined) return true;
  return walk.below(additional, value, key);
}

function checkItems(
  part: SchemaPart,
  items: readonly unknown[],
  walk: Walk,
): boolean {
  const { prefix, after, keywords } = part;
  walk.look(items.length);
  for (let index = 0; index < items.length; index++) {
    const place = prefix[index] ?? after;
    if (place === undefined) break;
    if (!walk.below(place, items[index], index)) return false;
  }
  if (!keywords.uniqueItems) return true;
  const twins = duplicateIn(items);
  if (twins === undefined) return true;
  const error = `Duplicate items at indexes ${twins.join(" and ")}.`;
  return walk.report("uniqueItems", items, part, error);
}

/**
 * Finds two equal elements: looks each up, rather than comparing it with all
 * others.
 */
function duplicateIn(
  items: readonly unknown[],
): readonly [number, number] | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const name = canonicalJson(item);
    const twin = seen.get(name);
    if (twin !== undefined) return [twin, index];
    seen.set(name, index);
  }
  return undefined;
}

/**
 * Asks `@cfworker/json-schema` about a schema in place of a part, or about some
 * of its keywords.
 */
function ask(
  schema: JsonSchema,
  value: unknown,
  part: SchemaPart,
  walk: Walk,
): boolean {
  // A `$ref` that it follows may lead back to itself, twice at each level of
  // the value.
  const parts = new Proxy(part.source.lookup() as Record<string, Schema>, {
    get(all, uri: string) {
      walk.look(LOOKS_PER_STEP / 2);
      return all[uri];
    },
  });
  const isShort = walk.collecting === undefined;
  const { valid, errors } = validate(
    value,
    schema as Schema,
    "2019-09",
    parts,
    isShort,
  );
  if (isShort) return valid;
  for (const [index, error] of errors.entries()) {
    // The errors below this one say what is wrong.
    if (
      errors[index + 1]?.keywordLocation.startsWith(`${error.keywordLocation}/`)
    )
      continue;
    const keys = keysOf(error);
    const rejected = getAt(value as JsonValue, toPointer(keys));
    const expected = schema === part.schema ? partAt(part, keys) : undefined;
    walk.reportAt(keys, error.keyword, rejected, expected, error.error);
  }
  return true;
}

/** The keys that lead to what is wrong. */
function keysOf({
  keyword,
  instanceLocation,
  error,
}: OutputUnit): readonly string[] {
  // `#/a/b%20c` → `/a/b c`
  const keys = parsePointer(decodeURI(instanceLocation.slice(1)));
  if (keyword !== "required") return keys;
  const missing = MISSING_PROPERTY.exec(error)?.[1];
  if (missing === undefined) return keys;
  return [...keys, missing];
}

/**
 * Takes `Instance does not have required property "a".`; not
 * `Property "a" does not match schema.`
 */
const MISSING_PROPERTY = /property "(.*)"\.$/s;

/** The message of an issue with a key that the schema does not have. */
export const NOT_A_FIELD = "is not a field of this tool";

/** The code of a key that the schema ignores. */
export const UNDECLARED_CODE = "undeclared";

/** The issue with a key of an input that the schema does not declare. */
export function undeclaredIssue(
  toolInput: JsonValue,
  path: string,
  message: string = NOT_A_FIELD,
): InputIssue {
  return {
    path,
    message,
    code: UNDECLARED_CODE,
    received: showReceived(getAt(toolInput, path)),
  };
}

/**
 * The codes of faults, zod's included, that are clearest as what the schema
 * wants at that place.
 */
export const NAMES_EXPECTED: ReadonlySet<string> = new Set(
  (
    "required type enum const anyOf oneOf invalid_type invalid_value " +
    "invalid_union invalid_enum_value invalid_literal " +
    "invalid_union_discriminator"
  ).split(" "),
);
