import { ownAt, parsePointer, toPointer } from "../json.ts";
import type { Variant } from "../schema/node.ts";
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
  inList: boolean,
): Place {
  return {
    path: outer.path + toPointer([key]),
    key: inList ? outer.key : key,
    inList,
    around: [...outer.around, variant],
    isOptional:
      !inList && variant.properties.has(key) && !variant.required.has(key),
    depth: outer.depth + 1,
    given: ownAt(outer.given, key),
    issues: outer.issues?.inside.get(key),
    isUnchecked: outer.isUnchecked,
  };
}

/**
 * Whether the tool's own schema checked a value at its place, and accepted it.
 */
export function isAcceptedAt(value: JsonValue, place: Place): boolean {
  return (
    !place.isUnchecked && place.issues === undefined && value === place.given
  );
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
