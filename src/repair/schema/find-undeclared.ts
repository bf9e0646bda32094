import { toPointer } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import type { JsonSchema } from "../types.ts";
import { type DeclaredKeys, declaredKeysOf, type ReadDeclaredKeys } from "./declared-keys.ts";

/** What else tells whether a key is undeclared. */
export interface UndeclaredOptions {
  /** What the schema made of the value: of a union, it shows what was heard. */
  readonly parsed: unknown;
  /** Keys that are taken as declared wherever they stand. */
  readonly allow: ReadonlySet<string>;
  /** How deep is looked. */
  readonly maxDepth: number;
}

const readers = new WeakMap<object, ReadDeclaredKeys>();

/**
 * Finds the keys of an input that its schema does not declare: the tool will not hear them, or hears
 * strangers. Where a schema welcomes other keys (`additionalProperties`, a pattern, a record, an
 * object that names no keys at all), they are declared.
 *
 * Of a union, a key is undeclared where none of the branches declares it that the value may be of,
 * or where what the schema made of the value shows that it was stripped.
 *
 * One walk over the keys of the input; the schema is read once.
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
  if (typeof schema === "boolean") return NONE;
  const found: string[] = [];
  const walk: Walk = { readerOf: readerFor(schema), options, found, path: [] };
  try {
    visit(value, schema, options.parsed, walk);
  } catch {
    // A reference that is no URI, a getter that throws: nothing is known then.
    return NONE;
  }
  return found;
}

const NONE: readonly string[] = [];

/**
 * Names the keys that a schema declares for an input as a whole.
 *
 * @param value The input.
 * @param schema The schema.
 * @param most How many are named.
 */
export function fieldsOf(value: unknown, schema: JsonSchema, most: number): readonly string[] {
  if (typeof schema === "boolean" || !isJsonObject(value)) return NONE;
  return [...readerFor(schema)(schema, value).keys.keys()].slice(0, most);
}

interface Walk {
  readonly readerOf: ReadDeclaredKeys;
  readonly options: UndeclaredOptions;
  readonly found: string[];
  /** Where it stands; written out only for what is found. */
  readonly path: PropertyKey[];
}

function readerFor(schema: object & JsonSchema): ReadDeclaredKeys {
  const reader = readers.get(schema) ?? declaredKeysOf(schema);
  readers.set(schema, reader);
  return reader;
}

function visit(value: unknown, schema: JsonSchema, parsed: unknown, walk: Walk): void {
  if (value === null || typeof value !== "object" || typeof schema === "boolean") return;
  if (walk.path.length >= walk.options.maxDepth) return;
  if (Array.isArray(value)) visitItems(value, schema, parsed, walk);
  else if (isJsonObject(value)) visitKeys(value, schema, parsed, walk);
}

function visitItems(
  items: readonly unknown[],
  schema: JsonSchema,
  parsed: unknown,
  walk: Walk,
): void {
  const { prefix, items: rest } = walk.readerOf(schema, items);
  if (prefix.length === 0 && rest === undefined) return;
  const parsedItems = Array.isArray(parsed) ? parsed : [];
  for (let index = 0; index < items.length; index++) {
    walk.path.push(index);
    visit(items[index], prefix[index] ?? rest ?? true, parsedItems[index], walk);
    walk.path.pop();
  }
}

function visitKeys(
  object: { readonly [key: string]: unknown },
  schema: JsonSchema,
  parsed: unknown,
  walk: Walk,
): void {
  const declared = walk.readerOf(schema, object);
  if (!declared.named && declared.patterns.length === 0 && declared.rest === undefined) return;
  const made = isJsonObject(parsed) ? parsed : undefined;
  for (const key of Object.keys(object)) {
    walk.path.push(key);
    const child = schemaFor(key, declared);
    const isStripped =
      declared.partly.has(key) && made !== undefined && !isHeard(key, object, made);
    if ((child === undefined || isStripped) && !walk.options.allow.has(key)) {
      walk.found.push(toPointer(walk.path));
    } else if (child !== undefined) {
      visit(object[key], child, made?.[key], walk);
    }
    walk.path.pop();
  }
}

/** The schema of what stands at a key; `undefined` where the key is not declared. */
function schemaFor(
  key: string,
  { named, keys, patterns, rest }: DeclaredKeys,
): JsonSchema | undefined {
  const own = keys.get(key);
  if (own !== undefined) return own;
  const matching = patterns.find(([pattern]) => pattern.test(key));
  return matching?.[1] ?? rest ?? (named || patterns.length > 0 ? undefined : true);
}

/** Whether a key came through the schema; where nothing did, the schema made another thing of it. */
function isHeard(key: string, object: object, made: object): boolean {
  return Object.hasOwn(made, key) || !Object.keys(object).some((one) => Object.hasOwn(made, one));
}
