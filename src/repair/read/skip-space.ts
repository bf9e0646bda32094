import { isBlank } from "./characters.ts";

/** A part of the text that reads otherwise in JSON: a comment (`""`), or a literal of another language. */
export interface TextEdit {
  readonly from: number;
  readonly to: number;
  readonly json: string;
}

/** The index of the first character at or after `at` that is no white space. */
export function skipBlanks(text: string, at: number): number {
  let index = at;
  while (isBlank(text.charAt(index))) index++;
  return index;
}

/**
 * Tells whether a comment begins at an index between two tokens.
 *
 * @param beforeValue Whether a value must follow: there `#buy` is a value and `# buy` a comment.
 */
export function isCommentStart(text: string, at: number, beforeValue: boolean): boolean {
  const char = text.charAt(at);
  const next = text.charAt(at + 1);
  if (char === "/") return next === "/" || next === "*";
  if (char === "<") return text.startsWith("<!--", at);
  return char === "#" && (!beforeValue || next === "" || isBlank(next));
}

/**
 * Skips white space and comments (`//`, `#`, `<!-- -->` and block comments) between two tokens.
 *
 * @param comments Where the comments that were skipped are put.
 * @param beforeValue Whether a value must follow.
 * @returns The index of the next token, or the text's length.
 */
export function skipSpace(
  text: string,
  at: number,
  comments: TextEdit[],
  beforeValue: boolean,
): number {
  let index = skipBlanks(text, at);
  while (isCommentStart(text, index, beforeValue)) {
    const end = endOfComment(text, index);
    comments.push({ from: index, to: end, json: "" });
    index = skipBlanks(text, end);
  }
  return index;
}

function endOfComment(text: string, at: number): number {
  const close = text.startsWith("/*", at) ? "*/" : text.charAt(at) === "<" ? "-->" : "\n";
  const found = text.indexOf(close, at + 2);
  if (found < 0) return text.length;
  return close === "\n" ? found : found + close.length;
}
