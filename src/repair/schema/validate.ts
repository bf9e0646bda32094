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
    const verdict = verdicts.get(key) ?? check(part, value, this);
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
  const message =
    code === "required" ? "is required" : `must be ${description}`;
  return { message, code, expected: description };
}

/** Checks the keywords in the order of `@cfworker/json-schema`. */
function check(part: SchemaPart, value: unknown, walk: Walk): boolean {
  const { schema, source, target, values, anyOf, allOf, oneOf } = part;
  if (part.isForeign || !source.isKnown) return ask(schema, value, part, walk);
  if (typeof schema === "boolean") return schema || walk.report("false", value);
  if (target !== undefined && !walk.once(target, value)) return false;
  if (!checkType(part, value, walk)) return false;
  const isChoice = values === undefined || values.has(value as JsonValue);
  if (!isChoice && !checkChoice(part, value, walk)) return false;
  if (anyOf !== undefined && !checkUnion("anyOf", anyOf, value, part, walk))
    return false;
  for (const required of allOf) if (!walk.once(required, value)) return false;
  if (oneOf !== undefined && !checkUnion("oneOf", oneOf, value, part, walk))
    return false;
  return checkContents(part, value, walk);
}

/** Checks the keywords for values of one type. */
function checkContents(part: SchemaPart, value: unknown, walk: Walk): boolean {
  const { limits } = part;
  const isObject = isContainer(value) && !Array.isArray(value);
  if (isObject && !checkRequired(part, value, walk)) return false;
  const isLimited = limits !== undefined && !isWithin(part, value);
  if (isLimited && !ask(limits, value, part, walk)) return false;
  if (isObject) return checkKeys(part, value as Keywords, walk);
  return !Array.isArray(value) || checkItems(part, value, walk);
}

function checkType(part: SchemaPart, value: unknown, walk: Walk): boolean {
  const { types } = part;
  if (types === undefined) return true;
  const type = typeOf(value as JsonValue);
  if (types[0] === type || types.includes(type)) return true;
  if (types.includes("integer") && Number.isInteger(value)) return true;
  return walk.report("type", value, part);
}

function checkChoice(part: SchemaPart, value: unknown, walk: Walk): boolean {
  const isSame = (choice: JsonValue) =>
    isContainer(choice) && deepCompareStrict(choice, value);
  if (isContainer(value) && [...(part.values ?? [])].some(isSame)) return true;
  return walk.report(
    part.keywords.const === undefined ? "enum" : "const",
    value,
    part,
  );
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
  union: readonly SchemaPart[],
  value: unknown,
  part: SchemaPart,
  walk: Walk,
): boolean {
  const { members, isTagged } = chooserOf(union).choose(value);
  const enough = keyword === "anyOf" ? 1 : 2;
  const verdicts = walk.collecting?.quiet ?? walk;
  let matches = 0;
  for (const member of members) {
    walk.look(1);
    if (check(member, value, verdicts)) matches += 1;
    if (matches === enough) break;
  }
  if (matches === 1) return true;
  const [meant] = members;
  if (walk.collecting === undefined) return false;
  const isMeant = isTagged && meant !== undefined && members.length === 1;
  return isMeant
    ? check(meant, value, walk)
    : walk.report(keyword, value, part);
}

function checkRequired(
  { required, properties }: SchemaPart,
  value: object,
  walk: Walk,
): boolean {
  for (const key of required) {
    if (Object.hasOwn(value, key)) continue;
    const property = properties.get(key);
    const expected = property?.target ?? property;
    if (!walk.reportAt([key], "required", undefined, expected)) return false;
  }
  return true;
}

/**
 * Whether a value is surely within its limits; otherwise
 * `@cfworker/json-schema` must check them.
 */
function isWithin(
  { isRange, limits = {} }: SchemaPart,
  value: unknown,
): boolean {
  if (!isRange) return false;
  if (typeof value === "number")
    return isBetween(value, limits.minimum, limits.maximum);
  if (typeof value === "string") {
    // A character of text is one or two units.
    return isBetween(
      value.length,
      2 * (limits.minLength ?? 0),
      limits.maxLength,
    );
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
  const keys = Object.keys(value);
  const ordered =
    walk.collecting === undefined
      ? keys
      : new Set([...properties.keys(), ...keys]);
  for (const key of ordered) {
    if (Object.hasOwn(value, key) && !checkKey(part, key, value[key], walk))
      return false;
  }
  return true;
}

function checkKey(
  part: SchemaPart,
  key: string,
  value: unknown,
  walk: Walk,
): boolean {
  const property = part.properties.get(key);
  if (property !== undefined && !walk.below(property, value, key)) return false;
  let isNamed = property !== undefined;
  for (const [pattern, place] of part.patterns) {
    if (!pattern.test(key)) continue;
    isNamed = true;
    if (!walk.below(place, value, key)) return false;
  }
  return (
    isNamed ||
    part.additional === undefined ||
    walk.below(part.additional, value, key)
  );
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
  const twins = keywords.uniqueItems ? duplicateIn(items) : undefined;
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
  const missing =
    keyword === "required" ? /property "(.*)"\.$/s.exec(error)?.[1] : undefined;
  return missing === undefined ? keys : [...keys, missing];
}

/** The message of an issue with a key that the schema does not have. */
export const NOT_A_FIELD = "is not a field of this tool";

/** The issue with a key of an input that the schema does not declare. */
export function undeclaredIssue(
  toolInput: JsonValue,
  path: string,
  message: string = NOT_A_FIELD,
): InputIssue {
  return {
    path,
    message,
    code: "undeclared",
    received: showReceived(getAt(toolInput, path)),
  };
}

/**
 * The codes of faults, zod's included, that are clearest as what the schema
 * wants at that place.
 */
export const NAMES_EXPECTED: ReadonlySet<string> = new Set(
  `required type enum const anyOf oneOf invalid_type invalid_value invalid_union invalid_enum_value
  invalid_literal invalid_union_discriminator`.split(/\s+/),
);
