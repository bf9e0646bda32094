import { ownAt, parsePointer, toPointer } from "../json.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import type { InputIssue, JsonValue } from "../types.ts";
import type { IssueTree, Place } from "./types.ts";

/** The place of the whole input. */
export function rootPlace(
  input: JsonValue,
  issues: readonly InputIssue[],
): Place {
  return {
    path: "",
    key: "",
    inList: false,
    around: [],
    isOptional: false,
    depth: 0,
    given: input,
    issues: treeOf(issues),
    isUnchecked: false,
  };
}

/** The place of a property, or of an element of a list. */
export function placeInside(
  outer: Place,
  key: string,
  variant: Variant,
): Place {
  const inList = variant.type === "array";
  return {
    path: pathOf(key, outer),
    key: inList ? outer.key : key,
    inList,
    around: [...outer.around, variant],
    isOptional: isOptional(key, variant),
    depth: outer.depth + 1,
    given: ownAt(outer.given, key),
    issues: outer.issues?.inside.get(key),
    isUnchecked: outer.isUnchecked,
  };
}

/** What the schema says of a property, or of an element of a list. */
export function nodeAt(key: string, variant: Variant): SchemaNode | undefined {
  const isList = variant.type === "array";
  return isList ? variant.itemAt(Number(key)) : variant.keyAt(key);
}

/** How many kinds of objects and lists a place takes. */
export function countContainers(node: SchemaNode): number {
  return node.of("object").length + node.of("array").length;
}

/** Where a part of a place stands, as a JSON Pointer. */
export function pathOf(key: string, { path }: Place): string {
  return path + toPointer([key]);
}

/** Whether a key is declared, and need not be there. */
function isOptional(key: string, variant: Variant): boolean {
  if (variant.type === "array" || variant.required.has(key)) return false;
  return variant.properties.has(key);
}

/**
 * Whether the tool's own schema checked a value at its place, and accepted it.
 */
export function isAcceptedAt(value: JsonValue, place: Place): boolean {
  if (place.isUnchecked || place.issues !== undefined) return false;
  return value === place.given;
}

/**
 * Codes of issues with a container as a whole; its parts were checked all the
 * same.
 */
const CODES_OF_THE_WHOLE: ReadonlySet<string> = new Set([
  "custom",
  "too_small",
  "too_big",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "uniqueItems",
  "dependentRequired",
]);

/** Groups issues by their places; `undefined` without an issue. */
function treeOf(issues: readonly InputIssue[]): IssueTree | undefined {
  if (issues.length === 0) return undefined;
  const root = emptyTree();
  for (const { path, code } of issues) {
    let tree = root;
    for (const segment of parsePointer(path)) {
      const inner = tree.inside.get(segment) ?? emptyTree();
      tree.inside.set(segment, inner);
      tree = inner;
    }
    tree.isHere = true;
    tree.coversInside ||= !CODES_OF_THE_WHOLE.has(code);
  }
  return root;
}

function emptyTree(): IssueTree {
  return { isHere: false, coversInside: false, inside: new Map() };
}
