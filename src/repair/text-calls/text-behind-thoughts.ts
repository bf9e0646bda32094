import { splitThoughts, THOUGHT_MARKS } from "../read/prose.ts";
import { textFormats } from "./formats.ts";

/**
 * What a model says behind its thoughts. Thoughts whose opening mark stood in the prompt are passed
 * over where they are nothing else: what stands before an opening mark was said, and so was what
 * holds the beginning of a call whose value mentions such a mark.
 *
 * @param text What the model wrote.
 * @returns What may hold calls; `undefined` where the thoughts do not end.
 */
export function textBehindThoughts(text: string): string | undefined {
  const trimmed = text.trim();
  const split = splitThoughts(trimmed);
  if (split === undefined) return undefined;
  const { unopened, rest } = split;
  if (unopened !== "") {
    const isSaid = isOpenedWithin(unopened) || mentionsMark(unopened) || endsWithinCall(unopened);
    return isSaid ? trimmed : rest.trim();
  }
  const thoughts = trimmed.slice(0, trimmed.length - rest.length);
  return countOf(OPENING, thoughts) > countOf(CLOSING, thoughts) ? undefined : rest.trim();
}

const OPENING = marksAt(0);
const CLOSING = marksAt(1);

function marksAt(index: 0 | 1): RegExp {
  const marks = THOUGHT_MARKS.map((pair) => pair[index].replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(marks.join("|"), "gi");
}

function countOf(pattern: RegExp, text: string): number {
  return text.match(pattern)?.length ?? 0;
}

/** Whether an opening mark stands in them: then the prompt did not open them. */
function isOpenedWithin(thoughts: string): boolean {
  return countOf(OPENING, thoughts) > 0;
}

/** Whether a sentence goes on to the mark: "Some models end their thoughts with </think>". */
function mentionsMark(thoughts: string): boolean {
  const before = thoughts.replace(new RegExp(`(?:${CLOSING.source})$`, "i"), "");
  return /[\p{L}\p{N}][^\S\n]+$/u.test(before.slice(-100));
}

/** Whether they may be a call that was cut off in a value that holds the closing mark. */
function endsWithinCall(thoughts: string): boolean {
  const plain = thoughts.replace(/\\./g, "");
  if (countOf(/"/g, plain) % 2 === 1 || countOf(/```/g, plain) % 2 === 1) return true;
  if (/^<[A-Za-z_][\w.-]*>/.test(plain) || isBracketOpen(plain)) return true;
  if (countOf(/[=:([{,]\s{0,9}'/g, plain) > countOf(/'\s{0,9}[,:)\]}]/g, plain)) return true;
  return textFormats.some(({ marker, open, close, call: [first, ...others] }) => {
    const opening = open ?? first;
    const closing = close ?? others.at(-1);
    if (marker === "none" || typeof opening !== "string") return false;
    return isOpenIn(plain, opening, typeof closing === "string" ? closing : undefined);
  });
}

function isOpenIn(text: string, open: string, close: string | undefined): boolean {
  const opened = text.lastIndexOf(open);
  return close === undefined ? opened >= 0 : opened > text.lastIndexOf(close);
}

/** Whether a bracket that follows a word or another bracket, as in code, is not closed. */
function isBracketOpen(text: string): boolean {
  let depth = 0;
  for (const { 0: sign } of text.matchAll(/(?<=[\w[({:=,]\s?)[[({]|[\])}]/g)) {
    depth = /[[({]/.test(sign) ? depth + 1 : Math.max(0, depth - 1);
  }
  return depth > 0;
}
