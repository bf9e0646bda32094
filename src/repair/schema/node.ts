import { lazy } from "../drive.ts";
import { OverLimit } from "../limits.ts";
import type { JsonSchema, JsonValue } from "../types.ts";
import {
  type Branch,
  baseOf,
  branchesOf,
  branchesOfAll,
  chooserOf,
  fitsKeys,
  mayBe,
  TOO_MANY,
  typeOf,
  valuesOf,
} from "./branches.ts";
import { mapOf } from "./keywords.ts";
import { type JsonType, type Part, readSchema } from "./part.ts";
import { acceptedBy } from "./validate.ts";

export type { JsonType } from "./part.ts";

/** One place of a schema: which values it accepts. */
export interface SchemaNode {
  /** Whether the schema accepts a value here, by the validator that LangChain uses. */
  readonly accepts: (value: JsonValue) => boolean;
  /**
   * Whether the schema restricts only types, keys and items: then it accepts a container if it
   * accepts its keys and all its parts.
   */
  readonly isPlain: boolean;
  /**
   * The schema without unions: each variant is one kind of value. Empty if there are too many to
   * try: among a part of them, the intended one would be unknown.
   */
  readonly variants: () => readonly Variant[];
  /** The variants of a value's type; for an object, those that its tag selects, or its keys. */
  readonly variantsFor: (value: JsonValue) => readonly Variant[];
  /** The variants that an accepted value may be of. */
  readonly possibleFor: (value: JsonValue) => readonly Variant[];
  /** The variants of a JSON type; integers count as numbers. */
  readonly of: (type: JsonType) => readonly Variant[];
  readonly default: JsonValue | undefined;
}

/** One branch of a place, of one type. */
export interface Variant {
  readonly type: JsonType | undefined;
  /** The values of `enum` or `const`. */
  readonly values: readonly JsonValue[] | undefined;
  readonly description: string;
  /** Whether a text has a format or a pattern here that is cheap to check. */
  readonly hasForm: boolean;
  /** The values of a keyword here, one for each part that has it: `format`, `examples`. */
  readonly said: (keyword: string) => readonly unknown[];
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: ReadonlySet<string>;
  /** Whether undeclared keys are forbidden. */
  readonly closed: boolean;
  /** The place of a key, or `undefined` if the schema does not describe it. */
  readonly keyAt: (key: string) => SchemaNode | undefined;
  readonly itemAt: (index: number) => SchemaNode | undefined;
  /** Whether a key is declared, or welcome: the place of its value, if known. */
  readonly declares: (key: string) => SchemaNode | boolean;
}

/** The keywords that a plain schema may have. */
const PLAIN: ReadonlySet<string> = new Set(
  "type properties required additionalProperties items title description default examples $schema $id $defs definitions $comment".split(
    " ",
  ),
);

/** The most variants of one place that are tried. */
const MAX_VARIANTS = 64;

/** Returns the view of a JSON Schema that the repair works on. */
export function toSchemaNode(schema: JsonSchema): SchemaNode {
  return nodeOf([readSchema(schema)]);
}

const nodes = new WeakMap<Part, SchemaNode>();

/** The place where some parts apply together. Resolved lazily, because a schema may contain itself. */
function nodeOf(parts: readonly Part[]): SchemaNode {
  const only = parts.length === 1 ? parts[0] : undefined;
  const made = only && nodes.get(only);
  if (made !== undefined) return made;
  const keywords = mapOf(only?.schema);
  const isPlain =
    keywords.type !== undefined && Object.keys(keywords).every((word) => PLAIN.has(word));
  const branches = lazy(() => {
    const all = branchesOfAll(parts);
    return all === TOO_MANY ? [] : all;
  });
  const chooser = lazy(() => chooserOf(branches().map((branch) => [branch, [branch]] as const)));
  const variants = lazy(() => variantsOf(branches()));
  const variantsLeft = (value: JsonValue, isLikely: (object: object, of: Branch) => boolean) => {
    const all = variants();
    const type = typeOf(value);
    if (all.length === 1 && all[0]?.type === type) return all;
    const { choose, possible } = chooser();
    const likely = possible(value).filter(
      (one) => type !== "object" || isLikely(value as object, one),
    );
    const some = variantsOf(likely.length > 0 ? likely : choose(value).left);
    return some.filter((one) => one.type === undefined || baseOf(one.type) === type);
  };
  const byType = new Map<JsonType, readonly Variant[]>();
  const node: SchemaNode = {
    accepts(value) {
      try {
        return parts.every((part) => acceptedBy(part, value));
      } catch (error) {
        if (error instanceof OverLimit) throw error;
        // For example, a pattern that is no regular expression.
        return false;
      }
    },
    isPlain,
    variants,
    variantsFor: (value) => variantsLeft(value, fitsKeys),
    possibleFor: (value) => variantsLeft(value, mayBe),
    of(type) {
      const isOne = (one: Variant) => one.type !== undefined && baseOf(one.type) === type;
      const found = byType.get(type) ?? variants().filter(isOne);
      byType.set(type, found);
      return found;
    },
    default: parts.map((part) => mapOf(part.schema).default).find((value) => value !== undefined) as
      | JsonValue
      | undefined,
  };
  if (only !== undefined) nodes.set(only, node);
  return node;
}

const known = new WeakMap<Branch, readonly Variant[]>();

/** Empty if there are too many. */
function variantsOf(branches: readonly Branch[]): readonly Variant[] {
  if (branches.length > MAX_VARIANTS) return [];
  const variants = branches.flatMap((branch) => {
    const made = known.get(branch) ?? typesOf(branch).map((type) => toVariant(branch, type));
    known.set(branch, made);
    return made;
  });
  return variants.length > MAX_VARIANTS ? [] : variants;
}

/** The types that it names, or else those that its keywords imply. */
function typesOf(branch: Branch): readonly (JsonType | undefined)[] {
  const values = valuesOf(branch);
  if (branch.types !== undefined) return branch.types;
  if (values !== undefined) return [...new Set(values.map(typeOf))];
  if (branch.parts.some(({ properties, required }) => properties.size + required.length > 0))
    return ["object"];
  return branch.parts.some(({ prefix, after }) => prefix.length > 0 || isTold(after))
    ? ["array"]
    : [undefined];
}

/** Whether a part restricts anything: `false` and `true` have no place to look at. */
function isTold(part: Part | undefined): part is Part {
  return typeof part?.schema === "object";
}

function toVariant(branch: Branch, type: JsonType | undefined): Variant {
  const { parts, description } = branch;
  const nodeOfAll = (some: readonly Part[]) =>
    some.length > 0 ? nodeOf([...new Set(some)]) : undefined;
  const properties = toNodes(parts.flatMap((part) => [...part.properties]));
  const additional = nodeOfAll(parts.flatMap((part) => part.additional));
  const patterns = parts.flatMap((part) => part.patterns);
  const items = nodeOfAll(parts.map(({ after }) => after).filter(isTold));
  const length = Math.max(...parts.map(({ prefix }) => prefix.length), 0);
  const places = Array.from({ length }, (_, at) =>
    nodeOfAll(parts.flatMap(({ prefix }) => prefix[at] ?? [])),
  );
  const mentioned = lazy(() => conditionalOf(branch).flatMap((one) => one.parts));
  const mentions = (key: string) =>
    nodeOfAll(mentioned().flatMap((part) => part.properties.get(key) ?? [])) ??
    mentioned().some((part) => part.required.includes(key));
  const isWelcoming = branch.isUnsure || parts.some(({ open }) => open);
  const takesAny = isWelcoming || !parts.some(({ named }) => named);
  const keyAt = (key: string) => {
    const declared = properties.get(key);
    if (declared !== undefined || patterns.length === 0) return declared ?? additional;
    const matching = patterns.filter(([pattern]) => pattern.test(key)).map(([, part]) => part);
    return nodeOfAll(matching) ?? additional;
  };
  return {
    type,
    values: valuesOf(branch)?.filter((value) => !type || typeOf(value) === baseOf(type)),
    description,
    hasForm: parts.some(({ hasForm }) => hasForm),
    said: (keyword) => parts.flatMap(({ schema }) => mapOf(schema)[keyword] ?? []),
    properties,
    required: new Set(parts.flatMap((part) => part.required)),
    closed: parts.some(({ closed }) => closed),
    keyAt,
    itemAt: (index) => places[index] ?? items,
    declares: (key) => keyAt(key) ?? (mentions(key) || takesAny),
  };
}

/** The places of keys: several parts for one key apply together. */
function toNodes(entries: readonly (readonly [string, Part])[]): ReadonlyMap<string, SchemaNode> {
  const parts = new Map<string, Set<Part>>();
  for (const [key, part] of entries) parts.set(key, (parts.get(key) ?? new Set()).add(part));
  return new Map([...parts].map(([key, some]) => [key, nodeOf([...some])]));
}

/** The branches that apply only under a condition: their keys are declared, too. */
function conditionalOf(branch: Branch): readonly Branch[] {
  const found = new Set([branch]);
  for (const { parts } of found) {
    const tests = parts.flatMap((part) => [...part.condition.slice(0, 1), ...part.dependent]);
    for (const one of tests.flatMap(branchesOf)) found.add(one);
  }
  return [...found];
}
