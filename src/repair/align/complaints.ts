import { parsePointer } from "../json/json-pointer.ts";
import type { InputIssue } from "../types.ts";

/** What is complained about at a path: the place itself, what is inside it, or both. */
export interface Complaint {
  /** Whether the place itself is refused. */
  readonly isHere: boolean;
  /** Whether what is inside was not looked at, so that it may be wrong without a word of it. */
  readonly coversInside: boolean;
  /** By key or index. Of a place that is not in it nothing is said, nor of anything inside it. */
  readonly inside: ReadonlyMap<string, Complaint>;
}

interface Told extends Complaint {
  isHere: boolean;
  coversInside: boolean;
  inside: Map<string, Told>;
}

/** Codes that speak of a container as a whole; what is inside it was looked at all the same. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set(
  "custom too_small too_big minItems maxItems uniqueItems minProperties maxProperties dependentRequired".split(
    " ",
  ),
);

/** Sorts issues by their places: what is said of the whole input, and so on further in. */
export function toComplaints(issues: readonly InputIssue[]): Complaint | undefined {
  if (issues.length === 0) return undefined;
  const whole = nothingTold();
  for (const { path, code } of issues) {
    let at = whole;
    for (const segment of parsePointer(path)) at = insideOf(at, segment);
    at.isHere = true;
    at.coversInside ||= !OF_THE_WHOLE.has(code);
  }
  return whole;
}

function insideOf(above: Told, segment: string): Told {
  const known = above.inside.get(segment);
  if (known !== undefined) return known;
  const made = nothingTold();
  if (above.inside === NOTHING) above.inside = new Map([[segment, made]]);
  else above.inside.set(segment, made);
  return made;
}

/** What most complaints have inside: thousands of them need no map each. */
const NOTHING: Map<string, Told> = new Map();

function nothingTold(): Told {
  return { isHere: false, coversInside: false, inside: NOTHING };
}
