import { parsePointer, toPointer } from "../json/json-pointer.ts";
import type { InputIssue } from "../types.ts";

/** What is complained about at a path: the place itself, what is inside it, or both. */
export interface Complaint {
  /** Whether the place itself is refused. */
  readonly isHere: boolean;
  /** Whether what is inside was not looked at, so that it may be wrong without a word of it. */
  readonly coversInside: boolean;
}

/** By JSON Pointer. Of a place that is not in it nothing is said, nor of anything inside it. */
export type Complaints = ReadonlyMap<string, Complaint>;

/** Codes that speak of a container as a whole; what is inside it was looked at all the same. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set(
  "custom too_small too_big minItems maxItems uniqueItems minProperties maxProperties dependentRequired".split(
    " ",
  ),
);

/** Sorts issues by their places. */
export function toComplaints(issues: readonly InputIssue[]): Complaints {
  const complaints = new Map<string, Complaint>();
  for (const { path, code } of issues) {
    const segments = parsePointer(path);
    for (let length = 0; length < segments.length; length++) {
      const above = toPointer(segments.slice(0, length));
      if (!complaints.has(above)) complaints.set(above, { isHere: false, coversInside: false });
    }
    const coversInside = !OF_THE_WHOLE.has(code) || complaints.get(path)?.coversInside === true;
    complaints.set(path, { isHere: true, coversInside });
  }
  return complaints;
}
