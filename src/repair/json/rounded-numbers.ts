import type { InputIssue, JsonValue } from "../types.ts";
import { toPointer } from "./json-pointer.ts";
import type { WrittenNumbers } from "./written-numbers.ts";

/**
 * Finds the numbers of a value that were written with more digits than they hold: an id would be
 * another one.
 *
 * @param value The value.
 * @param numbers How the numbers of the input that it came from are written.
 * @returns An issue for each place.
 */
export function roundedNumbers(value: JsonValue, { rounded }: WrittenNumbers): InputIssue[] {
  if (rounded.size === 0) return [];
  const issues: InputIssue[] = [];
  const open: [path: string, value: JsonValue][] = [["", value]];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const [path, inner] = place;
    const written = typeof inner === "number" ? rounded.get(inner) : undefined;
    if (written !== undefined) issues.push(issueOf(path, written, inner));
    if (inner === null || typeof inner !== "object") continue;
    for (const [key, child] of Object.entries(inner).reverse()) {
      if (child !== undefined) open.push([path + toPointer([key]), child]);
    }
  }
  return issues;
}

function issueOf(path: string, written: string, number: unknown): InputIssue {
  const shown = written.length <= 60 ? written : `${written.slice(0, 59)}…`;
  return {
    path,
    code: "inexact_number",
    message: `${shown} has more digits than a number holds; it would become ${String(number)}`,
    expected: "a number that a double holds",
    received: shown,
  };
}
