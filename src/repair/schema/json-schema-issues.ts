import type { InputIssue } from "../types.ts";
import { describeSchema } from "./describe-schema.ts";
import type { Fault } from "./find-faults.ts";
import { NOT_A_FIELD, showReceived } from "./show-received.ts";

/** Keywords whose error only says that something below is wrong. */
const CONTAINERS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "prefixItems",
  "additionalItems",
  "unevaluatedItems",
  "$ref",
  "$recursiveRef",
  "allOf",
  "if",
  "dependentSchemas",
]);

/** Keywords that speak for everything below them: which branch was meant is not known. */
const UNIONS: ReadonlySet<string> = new Set(["anyOf", "oneOf"]);

/** Keywords whose error is best told by what the schema wants at that place. */
const NAMES_EXPECTED: ReadonlySet<string> = new Set([
  "required",
  "type",
  "enum",
  "const",
  ...UNIONS,
]);

/** Turns what a schema has against a value into issues: one for each fault, at the place where it is. */
export function toIssues(faults: readonly Fault[]): InputIssue[] {
  const issues: InputIssue[] = [];
  const spokenFor = new Set<string>();
  const described = new Map<unknown, string>();
  const describe = (wanted: unknown) => {
    const known = described.get(wanted) ?? describeSchema(wanted);
    described.set(wanted, known);
    return known;
  };
  for (const fault of faults) {
    if (isInsideUnion(fault.keywordLocation, spokenFor)) continue;
    if (UNIONS.has(fault.keyword)) spokenFor.add(fault.keywordLocation);
    if (!CONTAINERS.has(fault.keyword)) issues.push(toIssue(fault, describe));
  }
  const last = faults.at(-1);
  return issues.length === 0 && last !== undefined ? [toIssue(last, describe)] : issues;
}

/** Whether a keyword stands inside a union of which it was told. */
function isInsideUnion(location: string, spokenFor: ReadonlySet<string>): boolean {
  if (spokenFor.size === 0) return false;
  for (const union of location.matchAll(/\/(?:anyOf|oneOf)(?=\/)/g)) {
    if (spokenFor.has(location.slice(0, union.index + union[0].length))) return true;
  }
  return false;
}

function toIssue(
  { path, keyword, error, value, wanted }: Fault,
  describe: (wanted: unknown) => string,
): InputIssue {
  const received = showReceived(value);
  if (keyword === "false") {
    return { path, message: NOT_A_FIELD, code: "additionalProperties", received };
  }
  if (!NAMES_EXPECTED.has(keyword)) return { path, message: error, code: keyword, received };
  const expected = describe(wanted);
  const message = keyword === "required" ? "is required" : `must be ${expected}`;
  return { path, message, code: keyword, expected, received };
}
