import {
  asPunctuation,
  closingBracket,
  closingQuotes,
  isApostrophe,
  isClosingBracket,
} from "./characters.ts";
import { isCommentStart, skipBlanks } from "./skip-space.ts";

/**
 * Checks whether a quote inside a string value can be the one that ends it, by what follows: a
 * comma and then a key (in an object) or a value (in an array), closing brackets that fit, or the
 * end of the text. Any other quote belongs to the string: `"He said "hi" to me"`.
 *
 * What follows is read no further than to the next quote after the next token, so that all of a
 * text's quotes together cost time linear in its length.
 *
 * @param text The text.
 * @param after The index after the quote.
 * @param inner How many quotes inside the string were passed over so far. With none, what follows
 * may have a fault of its own: a missing or a second comma, a wrong bracket, a comment.
 * @param brackets The brackets that are open around the string, outermost first.
 */
export function endsString(
  text: string,
  after: number,
  inner: number,
  brackets: readonly string[],
): boolean {
  const at = skipBlanks(text, after);
  const char = asPunctuation(text.charAt(at));
  if (char === "" || isFence(text, at)) return true;
  if (char === ",") return continuesAfterComma(text, at + 1, inner, brackets.at(-1));
  if (isClosingBracket(char)) {
    return closesBrackets(text, at, brackets) || (inner === 0 && isWrongBracket(text, at));
  }
  return inner === 0 && continuesWithFault(text, after, at, brackets.at(-1));
}

function continuesWithFault(
  text: string,
  after: number,
  at: number,
  bracket: string | undefined,
): boolean {
  if (text.charAt(at) === "+") {
    return closingQuotes(text.charAt(skipBlanks(text, at + 1))) !== undefined;
  }
  const isBlock = text.startsWith("/*", at) || text.startsWith("<!--", at);
  if (isCommentStart(text, at, false) && (at > after || isBlock)) {
    return isBlock || text.includes("\n", at);
  }
  if (bracket === "{") return isNextKey(text, at, text.slice(after, at).includes("\n"));
  return at > after && (isQuotedElement(text, at) || isLiteralElement(text, at));
}

/**
 * Checks whether a key and its colon stand at an index, or the text ends before that is decided.
 *
 * @param unquoted Whether a key without quotes counts, too.
 */
export function isKeyAhead(text: string, at: number, unquoted: boolean): boolean {
  const end = skipQuoted(text, at) ?? (unquoted ? skipName(text, at) : undefined);
  if (end === undefined) return false;
  const next = asPunctuation(text.charAt(skipBlanks(text, end)));
  return next === "" || next === ":" || next === "=";
}

/**
 * The same where the comma before it is missing. A quoted key begins with what keys begin with: the
 * comma of `"a": "x"",b": 1` is not lost but in the wrong place.
 */
export function isNextKey(text: string, at: number, unquoted: boolean): boolean {
  const isQuoted = closingQuotes(text.charAt(at)) !== undefined;
  return (!isQuoted || KEY_START.test(text.charAt(at + 1))) && isKeyAhead(text, at, unquoted);
}

const KEY_START = /[\p{L}\p{N}_$@#]|^$/u;

/** Checks whether a number or literal is an element here, with a comma or bracket behind it. */
export function isLiteralElement(text: string, at: number): boolean {
  LITERAL.lastIndex = at;
  return LITERAL.test(text);
}

const LITERAL = /(?:-?\d[\d.]{0,20}|true|false|null|True|False|None)[^\S\n]*[,\]]/y;

function continuesAfterComma(
  text: string,
  from: number,
  inner: number,
  bracket: string | undefined,
): boolean {
  const at = skipBlanks(text, from);
  const char = asPunctuation(text.charAt(at));
  if (char === "" || isFence(text, at)) return true;
  if (isClosingBracket(char) || isCommentStart(text, at, false)) return inner === 0;
  if (char === "," || char === "…" || text.startsWith("...", at)) return inner === 0;
  if (bracket === "{") return isKeyAhead(text, at, true);
  if (closingQuotes(char) !== undefined || closingBracket(char) !== undefined) return true;
  VALUE_START.lastIndex = at;
  return VALUE_START.test(text) || (inner === 0 && isBareElement(text, at));
}

const VALUE_START =
  /[-+]?\.?\d|(?:t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|-)$|(?:true|false|null|True|False|None|undefined)(?![\w$])/y;

function isBareElement(text: string, at: number): boolean {
  BARE_ELEMENT.lastIndex = at;
  return BARE_ELEMENT.test(text);
}

const BARE_ELEMENT = /(?!true|false|null|none)[\p{L}_][\p{L}\p{N}_-]{0,99}[^\S\n]*[,\]]/iuy;

/** Closing brackets that fit, and behind them what may follow: the text goes on as JSON, or ends. */
function closesBrackets(text: string, from: number, brackets: readonly string[]): boolean {
  let depth = brackets.length - 1;
  let at = from;
  let char = asPunctuation(text.charAt(at));
  while (depth >= 0 && isClosingBracket(char)) {
    if (closingBracket(brackets[depth] ?? "") !== char) return false;
    depth--;
    at = skipBlanks(text, at + 1);
    char = asPunctuation(text.charAt(at));
  }
  if (char === "" || isFence(text, at)) return true;
  if (depth >= 0) return goesOn(text, at, brackets[depth]);
  return !isLaterEnd(text, at);
}

function goesOn(text: string, at: number, bracket: string | undefined): boolean {
  const char = asPunctuation(text.charAt(at));
  if (char === ",") return continuesAfterComma(text, at + 1, 0, bracket);
  if (isCommentStart(text, at, false)) return true;
  if (bracket === "{") return isNextKey(text, at, text.charAt(at - 1) === "\n");
  return closingBracket(char) !== undefined || isQuotedElement(text, at);
}

/**
 * Behind the whole value, text with one more quote that ends a string: `{"a": "use {"} to close"}`.
 * Then this quote and that one both may be the end.
 */
function isLaterEnd(text: string, from: number): boolean {
  let at = from;
  for (; at < text.length; at++) {
    const char = text.charAt(at);
    if (closingBracket(char) !== undefined) return false;
    if (closingQuotes(char) !== undefined && !isApostrophe(text, at)) break;
  }
  if (at >= text.length) return false;
  const next = skipBlanks(text, at + 1);
  const char = asPunctuation(text.charAt(next));
  const key = skipBlanks(text, next + 1);
  return isClosingBracket(char) || (char === "," && isKeyAhead(text, key, true));
}

/** A bracket of another kind, where the text goes on behind it as after a value. */
function isWrongBracket(text: string, from: number): boolean {
  const at = skipBlanks(text, from + 1);
  const char = asPunctuation(text.charAt(at));
  return char === "" || char === "," || isClosingBracket(char) || isFence(text, at);
}

function isQuotedElement(text: string, at: number): boolean {
  const end = skipQuoted(text, at);
  if (end === undefined) return false;
  const next = asPunctuation(text.charAt(skipBlanks(text, end)));
  return next === "" || next === "," || next === "]" || closingQuotes(next) !== undefined;
}

function skipQuoted(text: string, at: number): number | undefined {
  const closing = closingQuotes(text.charAt(at));
  if (closing === undefined) return undefined;
  let index = at + 1;
  for (let char = text.charAt(index); char !== ""; char = text.charAt(index)) {
    index += char === "\\" ? 2 : 1;
    if (closing.includes(char)) return index;
  }
  return text.length;
}

/** A name of letters and digits; one closing quote after it is a key whose opening quote is missing. */
function skipName(text: string, at: number): number | undefined {
  NAME.lastIndex = at;
  return NAME.test(text) ? NAME.lastIndex : undefined;
}

const NAME = /(?:[\p{L}_$][\p{L}\p{N}_$-]{0,99}|\d{1,15})["']?/uy;

function isFence(text: string, at: number): boolean {
  return text.startsWith("```", at);
}
