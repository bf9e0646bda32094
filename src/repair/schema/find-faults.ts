import { type OutputUnit, type Schema, validate } from "@cfworker/json-schema";
import { toPointer } from "../json/json-pointer.ts";
import { duplicateIn, tupleOf } from "./check-arrays.ts";
import { type Checking, type Part, targetOf } from "./checking.ts";
import { type Keywords, listOf } from "./keywords.ts";

/** One thing that a schema has against a value. */
export interface Fault {
  /** Where, as a JSON Pointer. */
  readonly path: string;
  readonly keyword: string;
  /** Where in the schema, as a JSON Pointer in a URI. */
  readonly keywordLocation: string;
  /** In the validator's words. */
  readonly error: string;
}

/** Keywords that are looked into here; about the others, the validator is asked for its words. */
const LOOKED_INTO: ReadonlySet<string> = new Set(
  "$ref not allOf anyOf oneOf if then else type const enum required properties additionalProperties patternProperties items prefixItems additionalItems uniqueItems $defs definitions $schema $id $comment title description default examples".split(
    " ",
  ),
);

/**
 * Finds what a schema has against a value, in the validator's order. Only parts that are refused
 * are looked into, each once at a place, and no branch of a union: which was meant is not known.
 *
 * @param value The value, which is refused.
 * @param root The schema.
 * @param checking Its checks.
 */
export function findFaults(value: unknown, root: Part, checking: Checking): readonly Fault[] {
  if (!checking.isCompiled) return asked(value, root, checking, { path: "", by: "#" });
  const found: Fault[] = [];
  look(value, root, { path: "", by: "#" }, { checking, found, seen: new Map() });
  return found;
}

interface Spot {
  readonly path: string;
  readonly by: string;
}

interface Search {
  readonly checking: Checking;
  readonly found: Fault[];
  /** The parts that were looked into, by place. */
  readonly seen: Map<string, Set<Part>>;
}

function look(value: unknown, part: Part, spot: Spot, search: Search): void {
  const { checking, found, seen } = search;
  if (checking.of(part)(value)) return;
  const here = seen.get(spot.path) ?? new Set();
  if (here.has(part)) return;
  seen.set(spot.path, here.add(part));
  if (typeof part !== "object") {
    found.push(...asked(value, part, checking, spot));
    return;
  }
  const keywords = part as Keywords;
  const { draft, lookup } = checking;
  const own = ownKeywords(part);
  const into: Into = (child, name, inside, key) => {
    const path = key === undefined ? spot.path : spot.path + toPointer([key]);
    look(child, inside, { path, by: `${spot.by}/${name}` }, search);
  };
  const tell = (keyword: string, error = "") =>
    found.push({ path: spot.path, keyword, keywordLocation: `${spot.by}/${keyword}`, error });
  if (keywords.$ref !== undefined) {
    into(value, "$ref", targetOf(keywords, lookup) as Part);
    if (draft === "4" || draft === "7") return;
  }
  for (const [keyword, alone] of own.told) if (!checking.of(alone)(value)) tell(keyword);
  if (own.not !== undefined) found.push(...asked(value, own.not, checking, spot));
  if (own.anyOf !== undefined && !checking.of(own.anyOf)(value)) tell("anyOf");
  for (const branch of listOf<Part>(keywords.allOf)) into(value, "allOf", branch);
  if (own.oneOf !== undefined && !checking.of(own.oneOf)(value)) tell("oneOf");
  if (keywords.if !== undefined) {
    const name = checking.of(keywords.if as Part)(value) ? "then" : "else";
    into(value, name, (keywords[name] ?? true) as Part);
  }
  if (Array.isArray(value)) {
    found.push(...asked(value, own.others, checking, spot));
    lookIntoItems(value, keywords, into);
    const [one, other] = keywords.uniqueItems ? (duplicateIn(value) ?? []) : [];
    if (one !== undefined) tell("uniqueItems", `Duplicate items at indexes ${one} and ${other}.`);
    return;
  }
  if (typeof value === "object" && value !== null) {
    const object = value as Readonly<Record<string, unknown>>;
    for (const key of new Set(listOf<Part>(keywords.required).map(String))) {
      if (Object.hasOwn(object, key)) continue;
      tell("required", `Instance does not have required property "${key}".`);
    }
    found.push(...asked(value, own.others, checking, spot));
    lookIntoKeys(object, keywords, into);
    return;
  }
  found.push(...asked(value, own.others, checking, spot));
}

type Into = (child: unknown, name: string, inside: Part, key?: string | number) => void;

function lookIntoKeys(value: Readonly<Record<string, unknown>>, keywords: Keywords, into: Into) {
  const { properties = {}, patternProperties = {}, additionalProperties: rest } = keywords;
  const known = new Set<string>();
  for (const [key, part] of Object.entries(properties as Record<string, Part>)) {
    if (!Object.hasOwn(value, key)) continue;
    known.add(key);
    into(value[key], "properties", part, key);
  }
  for (const [source, part] of Object.entries(patternProperties as Record<string, Part>)) {
    const pattern = new RegExp(source, "u");
    for (const key in value) {
      if (!pattern.test(key)) continue;
      known.add(key);
      into(value[key], "patternProperties", part, key);
    }
  }
  if (rest === undefined || rest === true) return;
  for (const key in value) {
    if (!known.has(key)) into(value[key], "additionalProperties", rest as Part, key);
  }
}

function lookIntoItems(value: readonly unknown[], keywords: Keywords, into: Into) {
  const tuple = tupleOf(keywords);
  const { items, additionalItems } = keywords;
  const rest = (Array.isArray(items) ? additionalItems : items) as Part | undefined;
  for (let index = 0; index < value.length; index++) {
    const part = tuple[index] ?? rest;
    if (part !== undefined && part !== true) into(value[index], "items", part, index);
  }
}

/** The keywords of a part, each as a part of its own. */
interface Own {
  /** Those that need no words of the validator, as it tells them. */
  readonly told: readonly (readonly [keyword: string, alone: Part])[];
  readonly not: Part | undefined;
  readonly anyOf: Part | undefined;
  readonly oneOf: Part | undefined;
  /** All that are not looked into here. */
  readonly others: Part;
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
  const own = {
    told,
    not: alone("not"),
    anyOf: alone("anyOf"),
    oneOf: alone("oneOf"),
    others: Object.fromEntries(others) as Schema,
  };
  owns.set(part, own);
  return own;
}

/** What the validator has against a value, in its words. */
function asked(value: unknown, part: Part, checking: Checking, { path, by }: Spot): Fault[] {
  if (typeof part === "object" && Object.keys(part).length === 0) return [];
  const lookup = checking.lookup as Record<string, Schema>;
  const { errors } = validate(value, part, checking.draft, lookup, false, null, "#", by);
  return errors.map((unit) => toFault(unit, path));
}

/** `#/a/b%20c` → `/a/b c` */
function toFault({ instanceLocation, keyword, keywordLocation, error }: OutputUnit, path: string) {
  const inside = decodeURI(instanceLocation.slice(1));
  return { path: path + inside, keyword, keywordLocation, error };
}
