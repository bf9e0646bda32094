import { toPointer } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonObject, JsonSchema, JsonValue } from "../types.ts";
import { type SchemaNode, toSchemaNode, type Variant } from "./node.ts";

/** What else tells whether a key is undeclared. */
export interface UndeclaredOptions {
  /** What the schema made of the value: of a union, it shows what was heard. */
  readonly parsed: unknown;
  /** Keys that are taken as declared wherever they stand. */
  readonly allow: ReadonlySet<string>;
  /** How deep is looked. */
  readonly maxDepth: number;
  /** How many are wanted. Default: all. */
  readonly most?: number;
}

/**
 * Finds the keys of an input that its schema does not declare: the tool will not hear them, or hears
 * strangers. Where a schema welcomes other keys (`additionalProperties`, a pattern, a record, an
 * object that names no keys at all), they are declared.
 *
 * Of a union, a key is undeclared where none of the branches declares it that the value may be of,
 * or where what the schema made of the value shows that it was stripped.
 *
 * @param value The input, as the schema accepts it.
 * @param schema The schema; `true` where nothing is known of it.
 * @param options What the schema made of it, keys to allow, and how deep to look.
 * @returns JSON Pointers, in the order of the input.
 */
export function findUndeclared(
  value: unknown,
  schema: JsonSchema,
  options: UndeclaredOptions,
): readonly string[] {
  if (typeof schema === "boolean") return [];
  const walk: Walk = { options, found: [], path: [] };
  try {
    // What the schema made nothing else of, it stripped nothing from.
    const parsed = options.parsed === value ? undefined : options.parsed;
    visit(value, [toSchemaNode(schema)], parsed, walk);
  } catch {
    // A reference that is no URI, a getter that throws: nothing is known then.
    return [];
  }
  return walk.found;
}

/**
 * Names the keys that a schema declares for an input as a whole.
 *
 * @param value The input.
 * @param schema The schema.
 * @param most How many are named.
 */
export function fieldsOf(value: unknown, schema: JsonSchema, most: number): readonly string[] {
  if (typeof schema === "boolean" || !isJsonObject(value)) return [];
  try {
    const variants = possibleVariants(value, [toSchemaNode(schema)]);
    const fields = variants.flatMap(({ properties }) => [...properties.keys()]);
    return [...new Set(fields)].slice(0, most);
  } catch {
    return [];
  }
}

interface Walk {
  readonly options: UndeclaredOptions;
  readonly found: string[];
  readonly path: PropertyKey[];
}

function visit(value: unknown, nodes: readonly SchemaNode[], parsed: unknown, walk: Walk): void {
  if (nodes.length === 0 || walk.path.length >= walk.options.maxDepth) return;
  if (Array.isArray(value)) visitItems(value, nodes, parsed, walk);
  else if (isJsonObject(value)) visitKeys(value, nodes, parsed, walk);
}

function visitItems(
  items: readonly unknown[],
  nodes: readonly SchemaNode[],
  parsed: unknown,
  walk: Walk,
): void {
  const made = Array.isArray(parsed) ? parsed : [];
  let variants: readonly Variant[] | undefined;
  for (let index = 0; index < items.length; index++) {
    if (!mayHaveKeys(items[index])) continue;
    variants ??= variantsOf(items as JsonValue, nodes);
    let places = NOWHERE;
    for (const { itemAt } of variants) {
      const place = itemAt(index);
      if (place !== undefined) places = withPlace(places, place);
    }
    walk.path.push(index);
    visit(items[index], places, made[index], walk);
    walk.path.pop();
  }
}

function visitKeys(
  object: JsonObject,
  nodes: readonly SchemaNode[],
  parsed: unknown,
  walk: Walk,
): void {
  const { allow, most = Number.POSITIVE_INFINITY } = walk.options;
  const variants = possibleVariants(object, nodes);
  if (variants.length === 0) return;
  const made = isJsonObject(parsed) ? parsed : undefined;
  const isSure = variants.length === 1;
  for (const key of Object.keys(object)) {
    if (walk.found.length >= most) return;
    const value = object[key];
    const mayHold = mayHaveKeys(value);
    let places = NOWHERE;
    let isDeclared = false;
    for (let index = 0; index < variants.length; index++) {
      const place = (variants[index] as Variant).declares(key);
      isDeclared ||= place !== false;
      if (typeof place === "object" && (mayHold || !isSure)) places = withPlace(places, place);
    }
    const isPartly = isDeclared && !isSure && places.length < variants.length;
    const isStripped = isPartly && made !== undefined && !isHeard(key, object, made);
    if ((!isDeclared || isStripped) && !allow.has(key)) {
      walk.found.push(toPointer([...walk.path, key]));
    } else if (mayHold) {
      walk.path.push(key);
      visit(value, places, made?.[key], walk);
      walk.path.pop();
    }
  }
}

const NOWHERE: readonly SchemaNode[] = [];

/** Nearly always there is one. */
function withPlace(places: readonly SchemaNode[], place: SchemaNode): readonly SchemaNode[] {
  return places.length === 0 ? [place] : [...places, place];
}

/** The branches that an accepted object may be of. */
function possibleVariants(object: JsonObject, nodes: readonly SchemaNode[]): readonly Variant[] {
  const variants = variantsOf(object, nodes);
  if (variants.length < 2) return variants;
  const possible = variants.filter(({ mayBe }) => mayBe(object));
  return possible.length > 0 ? possible : variants;
}

function variantsOf(value: JsonValue, nodes: readonly SchemaNode[]): readonly Variant[] {
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined
    ? only.variantsFor(value)
    : nodes.flatMap((node) => node.variantsFor(value));
}

function mayHaveKeys(value: unknown): boolean {
  return value !== null && typeof value === "object";
}

/** Whether a key came through the schema; where nothing did, the schema made another thing of it. */
function isHeard(key: string, object: object, made: object): boolean {
  return Object.hasOwn(made, key) || !Object.keys(object).some((one) => Object.hasOwn(made, one));
}
