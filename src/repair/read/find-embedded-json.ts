import { afterContainer } from "./after-container.ts";
import { mayHoldInput, readCodeFence } from "./code-fence.ts";
import type { FoundJson, ReadingPolicy } from "./found-json.ts";
import { isLeadIn } from "./lead-in.ts";
import { isTelling } from "./parse-exactly.ts";
import { readJson } from "./read-json.ts";
import { skipBlanks } from "./skip-space.ts";
import { handsOver, tellsEffect } from "./speaks-for-input.ts";
import { speaksOfCall } from "./speaks-of-call.ts";

/** The only JSON in a text so far. */
interface Candidate {
  readonly from: number;
  readonly end: number;
  readonly found: FoundJson;
}

/**
 * Finds the one object or array amid prose that is no known lead-in. It is taken where it is JSON as
 * it stands and the prose hands it over; outside of a code fence, at level `eager` alone. A selector (`a[href="x"]`), a
 * template (`Hello {name}`) or an argument in code (`f({"a": 1})`) is none. JSON that is cut off is
 * told, wherever it stands, and so are several.
 *
 * A place that is no JSON is not read twice, so that the cost is linear.
 */
export function findEmbeddedJson(text: string, policy: ReadingPolicy): FoundJson {
  let only: Candidate | undefined;
  let at = 0;
  for (;;) {
    CANDIDATE.lastIndex = at;
    const match = CANDIDATE.exec(text);
    if (!match) return only && takeAtLevel(text, only, policy);
    const fence = readCodeFence(text, match.index);
    const isFence = fence !== undefined;
    const start = isFence ? skipBlanks(text, fence.end) : match.index;
    const isContainer = text.charAt(start) === "{" || text.charAt(start) === "[";
    const read = isContainer ? readJson(text, start) : undefined;
    if (read?.kind === "truncated") return only ? { kind: "several" } : { kind: "truncated" };
    if (read?.kind !== "value") {
      at = Math.max(read?.at ?? CANDIDATE.lastIndex, match.index + 1);
      const close = isFence ? text.indexOf("```", at) : at;
      if (close < 0) return undefined;
      at = isFence ? close + 3 : close;
      continue;
    }
    if (isFence || isTelling(read.value)) {
      if (only) return { kind: "several" };
      const isInput = !fence || mayHoldInput(fence.language, policy.toolName);
      const isSure = isInput && read.exact && isTelling(read.value);
      const found: FoundJson = isSure
        ? { kind: "value", value: read.value, level: isFence ? "safe" : "eager" }
        : undefined;
      only = { from: match.index, end: read.end, found };
    }
    const fenceEnd = skipBlanks(text, read.end);
    at = (fence && readCodeFence(text, fenceEnd)?.end) ?? read.end;
  }
}

/** A code fence and its language, an object with a quoted key, or an array of such objects or strings. */
const CANDIDATE = /`{3,20}[\w+-]*|\{\s*["'“]|\[\s*\{\s*["'“]|(?<![\w\])])\[\s*["'“]/g;

/** Out of a fence at `safe`, where the prose speaks of this call; else at `eager`. */
function takeAtLevel(text: string, only: Candidate, policy: ReadingPolicy): FoundJson {
  const { found, from } = only;
  if (found?.kind !== "value" || !standsFree(text, only, policy)) return undefined;
  const before = text.slice(0, from);
  const isPlain =
    isLeadIn(before, policy.toolName) || speaksOfCall(before, found.value, policy.toolName);
  if (found.level === "safe" && isPlain) return found;
  return policy.level === "eager" ? { ...found, level: "eager" } : undefined;
}

/** Whether the prose around JSON hands it over, and it is no part of a word or of code. */
function standsFree(text: string, { from, end }: Candidate, { toolName }: ReadingPolicy): boolean {
  const before = text.slice(0, from);
  if (before.includes("```")) return false;
  if (!/(?:\n|[:.!])[^\S\n]{0,20}$/.test(before.slice(-40))) return false;
  const after = afterContainer(text, end);
  const isEnd = after.kind === "nothing" || (after.kind === "text" && after.isApart);
  return (
    isEnd &&
    handsOver(before, toolName) &&
    (after.kind !== "text" || tellsEffect(after.text, toolName))
  );
}
