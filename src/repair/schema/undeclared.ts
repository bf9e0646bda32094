import { toPointer } from "../json/json-pointer.ts";
import { isJsonObject } from "../json/json-value.ts";
import { isContainer } from "../read/parse-exactly.ts";
import type { JsonSchema, JsonValue } from "../types.ts";
import { type SchemaNode, toSchemaNode, type Variant } from "./node.ts";

/** Further facts that decide whether a key is undeclared. */
export interface UndeclaredOptions {
  /** The schema's output for the value: for a union, it shows which keys passed. */
  readonly parsed: unknown;
  /** Keys that count as declared everywhere. */
  readonly allow: ReadonlySet<string>;
  /** How deep the search goes. */
  readonly maxDepth: number;
  /** How many to find. Default: all. */
  readonly most?: number;
}

/**
 * Finds the keys of an input that its schema does not declare: the tool will ignore them, or
 * receive keys that it does not know. Keys that a schema welcomes (`additionalProperties`, a
 * pattern, a record, an object that names no keys at all) count as declared.
 *
 * In a union, a key is undeclared if no branch that the value may be of declares it, or if the
 * schema's output shows that it was stripped.
 */
export function findUndeclared(
  value: unknown,
  schema: JsonSchema,
  options: UndeclaredOptions,
): readonly string[] {
  if (typeof schema === "boolean") return [];
  const { allow, maxDepth, most = Number.POSITIVE_INFINITY } = options;
  const found: string[] = [];
  const path: string[] = [];

  function visit(value: unknown, nodes: readonly SchemaNode[], parsed: unknown): void {
    if (nodes.length === 0 || path.length >= maxDepth || !isContainer(value)) return;
    const isList = Array.isArray(value);
    if (!isList && !isJsonObject(value)) return;
    const variants = variantsOf(value as JsonValue, nodes);
    const [only] = variants;
    const isSure = variants.length === 1;
    const made = isList === Array.isArray(parsed) && isContainer(parsed) ? parsed : undefined;
    const keys = isList ? value : Object.keys(value);
    for (let index = 0; index < keys.length && variants.length > 0; index++) {
      if (found.length >= most) return;
      const key = isList ? String(index) : (keys[index] as string);
      const child = isList ? value[index] : value[key];
      const isLeaf = !isContainer(child);
      // Nearly all keys take this path: no list is made for them.
      if (isLeaf && (isList || (isSure && only?.declares(key) !== false))) continue;
      const places: SchemaNode[] = [];
      let isDeclared = isList;
      for (const variant of variants) {
        const place = isList ? variant.itemAt(index) : variant.declares(key);
        isDeclared ||= place !== false;
        if (typeof place === "object") places.push(place);
      }
      const isPartly = isDeclared && !isSure && !isList && places.length < variants.length;
      const isStripped = isPartly && made !== undefined && !isHeard(key, value, made);
      path.push(key);
      if ((!isDeclared || isStripped) && !allow.has(key)) found.push(toPointer(path));
      else visit(child, places, (made as Readonly<Record<string, unknown>> | undefined)?.[key]);
      path.pop();
    }
  }

  try {
    // If the schema returned the value itself, it stripped no key.
    visit(value, [toSchemaNode(schema)], options.parsed === value ? undefined : options.parsed);
  } catch {
    // A reference that is no URI, or a getter that throws: then nothing is known.
    return [];
  }
  return found;
}

/** The branches that an accepted value may be of. */
function variantsOf(value: JsonValue, nodes: readonly SchemaNode[]): readonly Variant[] {
  const [only] = nodes;
  return nodes.length === 1 && only !== undefined
    ? only.possibleFor(value)
    : nodes.flatMap((node) => node.possibleFor(value));
}

/** Whether a key passed the schema; if none did, the schema made something else. */
function isHeard(key: string, object: object, made: object): boolean {
  return Object.hasOwn(made, key) || !Object.keys(object).some((one) => Object.hasOwn(made, one));
}
