import { asPunctuation, closingBracket, closingQuotes, isClosingBracket } from "./characters.ts";
import { isCommentStart, skipBlanks } from "./skip-space.ts";

/**
 * Tells whether a quote inside a string value can be the one that ends it, by what follows: a
 * comma and then a key (in an object) or a value (in an array), closing brackets that fit, or the
 * end of the text. Any other quote belongs to the string: `"He said "hi" to me"`.
 *
 * What follows is read no further than to the end of the next token, so that all of a text's
 * quotes together cost time linear in its length.
 *
 * @param text The text.
 * @param after The index after the quote.
 * @param inner How many quotes inside the string were passed over so far. With none, what follows
 * may have faults of its own: a missing comma, a wrong bracket, a comment.
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
  if (isClosingBracket(char)) return inner === 0 || closesBrackets(text, at, brackets);
  if (inner > 0) return false;
  if (char === "+") return closingQuotes(text.charAt(skipBlanks(text, at + 1))) !== undefined;
  if (at === after) return false;
  if (isCommentStart(text, at, false)) return true;
  return brackets.at(-1) === "{"
    ? isKeyAhead(text, at, text.slice(after, at).includes("\n"))
    : isQuotedElement(text, at);
}

/**
 * Tells whether a key and its colon stand at an index, or the text ends before that is decided.
 *
 * @param unquoted Whether a key without quotes counts, too.
 */
export function isKeyAhead(text: string, at: number, unquoted: boolean): boolean {
  const end = skipQuoted(text, at) ?? (unquoted ? skipName(text, at) : undefined);
  if (end === undefined) return false;
  const next = asPunctuation(text.charAt(skipBlanks(text, end)));
  return next === "" || next === ":" || next === "=";
}

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
  if (char === "…" || text.startsWith("...", at)) return inner === 0;
  if (bracket === "{") return isKeyAhead(text, at, true);
  if (closingQuotes(char) !== undefined || closingBracket(char) !== undefined) return true;
  VALUE_START.lastIndex = at;
  return VALUE_START.test(text);
}

const VALUE_START =
  /[-+]?\.?\d|(?:t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|-)$|(?:true|false|null|True|False|None|undefined)(?![\w$])/y;

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
  return depth >= 0 && char === "," && continuesAfterComma(text, at + 1, 1, brackets[depth]);
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
