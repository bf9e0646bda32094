import { skipSpace } from "./skip-space.ts";

/** What follows an object or array in a text. */
export type AfterContainer = "nothing" | "another" | "prose" | "garbage";

/**
 * Tells what follows an object or array: nothing (closing brackets too many, a comma, a comment
 * and the end of a code fence count as nothing), another container, prose, or garbage: text that
 * may well belong to the value.
 *
 * @param text The text.
 * @param end The index after the container.
 */
export function afterContainer(text: string, end: number): AfterContainer {
  let at = skipSpace(text, end, [], false);
  const hasGap = at > end;
  while ("}])".includes(text.charAt(at)) && at < text.length)
    at = skipSpace(text, at + 1, [], false);
  if (text.charAt(at) === "," || text.charAt(at) === ";") at = skipSpace(text, at + 1, [], false);
  const isFenceEnd = text.startsWith("```", at);
  if (isFenceEnd) at = skipSpace(text, at + 3, [], false);
  if (at >= text.length) return "nothing";
  const char = text.charAt(at);
  if (char === "{" || char === "[" || looksLikeContainer(text, at)) return "another";
  if (isFenceEnd || char === "<") return "prose";
  return hasGap && at === skipSpace(text, end, [], false) && /[\p{L}\p{N}(*_-]/u.test(char)
    ? "prose"
    : "garbage";
}

/** Tells whether the text from an index on holds what looks like an object, or an array of objects. */
function looksLikeContainer(text: string, from: number): boolean {
  CONTAINER.lastIndex = from;
  return CONTAINER.test(text);
}

const CONTAINER = /\{\s*["'“]|\[\s*["'“{]/g;
