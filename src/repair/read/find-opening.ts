import { isBlank } from "./characters.ts";
import { mayHoldInput, readCodeFence } from "./code-fence.ts";
import { readControlTag } from "./control-tag.ts";
import { isLeadIn } from "./lead-in.ts";
import { isCommentStart, skipSpace, type TextEdit } from "./skip-space.ts";
import { disowns } from "./speaks-for-input.ts";

/** Where a text comes to its JSON. */
export interface Opening {
  /** The index of the bracket. */
  readonly start: number;
  /** Whether it stands in a code fence. */
  readonly isFenced: boolean;
}

/**
 * Finds the bracket to which nothing leads but a code fence, control tags, and words that say no
 * more than that JSON follows. `undefined` where anything else stands before it.
 *
 * @param text The text, without white space around it.
 * @param toolName The tool that the text was given to.
 */
export function findOpening(text: string, toolName: string | undefined): Opening | undefined {
  let at = 0;
  let prose = "";
  let proseEnd = -1;
  let isFenced = false;
  while (at < text.length && prose.length <= MAX_PROSE) {
    const fence = readCodeFence(text, at);
    if (fence) {
      if (!mayHoldInput(fence.language, toolName)) return undefined;
      at = fence.end;
      isFenced = true;
      continue;
    }
    const comment = prose.trim() === "" ? commentAt(text, at, toolName) : undefined;
    if (comment !== undefined) {
      at = comment;
      continue;
    }
    const char = text.charAt(at);
    const tag = char === "<" || char === "[" ? readControlTag(text, at, toolName) : undefined;
    if (tag !== undefined) {
      if (tag.kind === "closing") return undefined;
      at = tag.end;
      continue;
    }
    if ("{[｛［".includes(char) || (char === "(" && isTuple(text, at, prose))) {
      const isFree = proseEnd !== at || !WORD_END.test(text.charAt(at - 1));
      return isFree && isLeadIn(prose, toolName) ? { start: at, isFenced } : undefined;
    }
    if (char === "<") return undefined;
    RUN.lastIndex = at;
    const run = RUN.exec(text)?.[0] ?? char;
    prose += run;
    at += run.length;
    proseEnd = at;
  }
  return undefined;
}

/** The longest prose that can be a lead-in, in characters. */
const MAX_PROSE = 1000;
const WORD_END = /[\p{L}\p{N}_\])"'`]/u;
/** A number in parentheses at the head of a list, or text up to what may be a bracket, tag or fence. */
const RUN = /\(\d{1,2}\)|[^<[{｛［(`~/]{1,1000}/y;

/** The index after a comment that stands before everything else, and makes no doubt. */
function commentAt(text: string, at: number, toolName: string | undefined): number | undefined {
  const comments: TextEdit[] = [];
  const end = isCommentStart(text, at, true) ? skipSpace(text, at, comments, true) : at;
  if (
    comments.length === 0 ||
    comments.length > 20 ||
    comments.some(({ from, to }) => to - from > MAX_PROSE)
  )
    return undefined;
  const isDoubted = comments.some(({ from, to }) => {
    const said = text.slice(from, to).replace(/^(?:\/[/*]|#|<!--)|(?:\*\/|-->)$/g, "");
    const isHeading = text.charAt(from) === "#" && isLeadIn(said, toolName);
    return !isHeading && disowns(said, toolName);
  });
  return isDoubted ? undefined : end;
}

/** `("a", 1)`, at the head of the text. */
function isTuple(text: string, at: number, prose: string): boolean {
  let index = at + 1;
  while (isBlank(text.charAt(index))) index++;
  return prose.trim() === "" && /["'\d(-]/.test(text.charAt(index)) && !BULLET.test(text);
}

const BULLET = /^\(\d{1,2}\)\s/;
