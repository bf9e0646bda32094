import type { JsonValue } from "../types.ts";
import { afterContainer } from "./after-container.ts";
import { readJson } from "./read-json.ts";
import { skipBlanks } from "./skip-space.ts";

/** The one JSON container in prose. `undefined` when there is none. */
export type EmbeddedJson =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "truncated"; readonly completed?: JsonValue }
  | { readonly kind: "several" }
  | undefined;

/**
 * Finds the one object or array in prose: in a code fence, or standing free and being JSON as it
 * is. A selector (`a[href="x"]`), a template (`Hello {name}`) or an argument in code
 * (`f({"a": 1})`) is none.
 *
 * A place that is no JSON is not read twice, so that the cost is linear.
 */
export function findEmbeddedJson(text: string): EmbeddedJson {
  let found: EmbeddedJson;
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
      return isFence || isFreeBefore(text, start) ? read : undefined;
    }
    const follows = afterContainer(text, read.end);
    const isWanted = isFence
      ? follows !== "garbage"
      : read.exact && isFreeBefore(text, start) && isFreeAfter(text, read.end);
    if (isWanted) {
      if (found || (isFence && follows === "another")) return { kind: "several" };
      found = { kind: "value", value: read.value };
    } else if (found) {
      return { kind: "several" };
    }
    const fenceEnd = skipBlanks(text, read.end);
    at = isFence && text.startsWith("```", fenceEnd) ? fenceEnd + 3 : read.end;
  }
}

/** A code fence and its language, an object with a quoted key, or an array of such objects. */
const CANDIDATE = /```[\w+-]*|\{\s*"|\[\s*\{\s*"/g;

/** At the start of a line, after a sentence, a colon or a tag. */
function isFreeBefore(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 40), at);
  return at === 0 || /(?:\n|[:.!>：。])[^\S\n]*$/.test(before);
}

function isFreeAfter(text: string, at: number): boolean {
  return /^(?:[.\s<]|$|```)/.test(text.slice(at, at + 3));
}
