import { afterContainer } from "./after-container.ts";
import type { FoundJson } from "./find-json.ts";
import { isTelling } from "./parse-exactly.ts";
import { readJson } from "./read-json.ts";
import { skipBlanks } from "./skip-space.ts";

/**
 * Finds the one object or array in prose: in a code fence, or standing free at the end of the text
 * and being JSON as it is. With prose behind it, it may be what must not be run. A selector
 * (`a[href="x"]`), a template (`Hello {name}`) or an argument in code (`f({"a": 1})`) is none.
 * JSON that is cut off is told, wherever it stands.
 *
 * A place that is no JSON is not read twice, so that the cost is linear.
 */
export function findEmbeddedJson(text: string): FoundJson {
  let found: FoundJson;
  let isPassedOver = false;
  let at = 0;
  for (;;) {
    CANDIDATE.lastIndex = at;
    const match = CANDIDATE.exec(text);
    if (!match) return found;
    const isFence = match[0].startsWith("```");
    const start = isFence ? skipBlanks(text, CANDIDATE.lastIndex) : match.index;
    const isContainer = text.charAt(start) === "{" || text.charAt(start) === "[";
    if (isFence && !isContainer) {
      const close = text.indexOf("```", CANDIDATE.lastIndex);
      if (close < 0) return found;
      at = close + 3;
      continue;
    }
    const read = readJson(text, start);
    if (read.kind === "refused") {
      at = Math.max(read.at, start + 1);
      const close = isFence ? text.indexOf("```", at) : at;
      if (close < 0) return found;
      at = isFence ? close + 3 : close;
      continue;
    }
    if (read.kind === "truncated") {
      if (found) return { kind: "several" };
      return isFence || isFreeBefore(text, start) ? read : { kind: "truncated" };
    }
    if (isFence) {
      const follows = afterContainer(text, read.end);
      if (found || isPassedOver || follows === "another") return { kind: "several" };
      if (follows === "garbage") return undefined;
      found = { kind: "value", value: read.value };
    } else if (isTelling(read.value)) {
      if (found) return { kind: "several" };
      if (read.exact && isFreeBefore(text, start)) {
        if (isLast(text, read.end))
          return isPassedOver ? { kind: "several" } : { kind: "value", value: read.value };
        isPassedOver = true;
      }
    }
    const fenceEnd = skipBlanks(text, read.end);
    at = isFence && text.startsWith("```", fenceEnd) ? fenceEnd + 3 : read.end;
  }
}

/** A code fence and its language, an object with a quoted key, or an array of such objects or strings. */
const CANDIDATE = /```[\w+-]*|\{\s*["'“]|\[\s*\{\s*["'“]|(?<![\w\])])\[\s*["'“]/g;

/** At the start of a line, after a sentence, a colon or a tag. */
function isFreeBefore(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 40), at);
  return at === 0 || /(?:\n|[:.!>：。])[^\S\n]*$/.test(before);
}

/** Nothing but a full stop, tags or the end of a fence follows. */
function isLast(text: string, at: number): boolean {
  return /^(?:\.|```)?\s*(?:<[^<>{}\n]{1,60}>\s*)*$/.test(text.slice(at));
}
