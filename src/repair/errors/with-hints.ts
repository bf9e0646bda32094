import { getAt, parsePointer } from "../json/json-pointer.ts";
import { isJsonObject, showValue } from "../json/json-value.ts";
import type { InputIssue, JsonValue } from "../types.ts";

/**
 * Adds to issues what was probably meant: what the schema-driven repair would have done, had it
 * been sure enough. For a missing field that is the key that holds what belongs there.
 *
 * @param issues The issues.
 * @param value The input that has them.
 * @param hints JSON Pointer of an issue → the value that would mend it, as text.
 */
export function withHints(
  issues: readonly InputIssue[],
  value: JsonValue,
  hints: ReadonlyMap<string, string>,
): readonly InputIssue[] {
  return issues.map((issue) => {
    const hint = hints.get(issue.path);
    const isMissing = issue.received === "nothing";
    const didYouMean = isMissing && hint !== undefined ? keyHint(issue.path, hint, value) : hint;
    return didYouMean === undefined ? issue : { ...issue, didYouMean };
  });
}

function keyHint(path: string, hint: string, value: JsonValue): string | undefined {
  const parent = path.slice(0, path.lastIndexOf("/"));
  const holder = getAt(value, parent);
  if (path === "" || !isJsonObject(holder)) return undefined;
  const keys = Object.keys(holder).filter((key) => showValue(holder[key]) === hint);
  const [wanted = ""] = parsePointer(path.slice(parent.length));
  return keys.length === 1 ? `"${wanted}" where you wrote ${showValue(keys[0])}` : undefined;
}
