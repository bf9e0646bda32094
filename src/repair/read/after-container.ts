import { readCodeFence } from "./code-fence.ts";
import { readControlTag } from "./control-tag.ts";
import { endsTurn } from "./ends-turn.ts";
import { skipSpace, type TextEdit } from "./skip-space.ts";
import { raisesDoubt } from "./speaks-for-input.ts";

/** What follows an object or array in a text. */
export type AfterContainer =
  | { readonly kind: "nothing" }
  | { readonly kind: "another" }
  /** Prose, or something that may belong to the value: only its words tell. */
  | { readonly kind: "text"; readonly text: string; readonly isApart: boolean };

/**
 * Finds what follows an object or array. Closing brackets too many, a comma, a full stop, comments,
 * the end of a code fence, closing tags of the chat template and tokens that end a turn count as nothing.
 *
 * @param text The text.
 * @param end The index after the container.
 */
export function afterContainer(text: string, end: number): AfterContainer {
  const comments: TextEdit[] = [];
  const skip = (from: number) => skipSpace(text, from, comments, false);
  let at = skip(end);
  while (at < text.length && "}])".includes(text.charAt(at))) at = skip(at + 1);
  if (text.charAt(at) !== "" && ",;.".includes(text.charAt(at))) at = skip(at + 1);
  let isFramed = false;
  for (;;) {
    const fence = readCodeFence(text, at);
    const tag = fence ? undefined : readControlTag(text, at, undefined);
    const mark = fence?.language === "" ? fence : tag?.kind === "closing" ? tag : undefined;
    if (!mark) break;
    at = skip(mark.end);
    isFramed = true;
  }
  if (endsTurn(text, at)) at = text.length;
  const isDoubted = comments.some(({ from, to }) => raisesDoubt(text.slice(from, to)));
  if (at >= text.length && !isDoubted) return { kind: "nothing" };
  if (at < text.length && (/^[{[]/.test(text.charAt(at)) || looksLikeContainer(text, at))) {
    return { kind: "another" };
  }
  const isApart = isFramed || text.slice(end, at).includes("\n");
  return { kind: "text", text: text.slice(isDoubted ? end : at), isApart };
}

/** Tells whether the text from an index on holds what looks like an object, or an array of objects. */
function looksLikeContainer(text: string, from: number): boolean {
  CONTAINER.lastIndex = from;
  return CONTAINER.test(text);
}

const CONTAINER = /\{\s*["'“]|\[\s*["'“{]/g;
