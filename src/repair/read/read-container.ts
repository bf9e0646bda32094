import { asPunctuation, closingBracket, closingQuotes, isClosingBracket } from "./characters.ts";
import type { MismatchReading, ReadContainer } from "./container-outcome.ts";
import { isKeyAhead, isLiteralElement, isNextKey } from "./ends-string.ts";
import { readContainerValue } from "./read-container-value.ts";
import { readString } from "./read-string.ts";
import {
  closeBracket,
  createReader,
  isBracketTooMany,
  openBracket,
  type Reader,
  refused,
  tookBracket,
  truncated,
} from "./reader.ts";
import { skipBlanks, skipSpace } from "./skip-space.ts";

/**
 * Reads an object, array or tuple that may have faults of syntax, in one pass.
 *
 * @param text The text.
 * @param start The index of the opening bracket, or of the first key with `impliedBrace`.
 * @param options `mismatch`: how a bracket that does not fit is taken; `impliedBrace`: the text
 * lacks the opening brace.
 */
export function readContainer(
  text: string,
  start: number,
  options: { readonly mismatch?: MismatchReading; readonly impliedBrace?: boolean } = {},
): ReadContainer {
  const reader = createReader(text, start, options.mismatch);
  if (options.impliedBrace) openBracket(reader, "{", 0);
  const allowStrings = !options.impliedBrace && asPunctuation(text.charAt(start)) === "{";
  for (;;) {
    const from = reader.at;
    const comments = reader.edits.length;
    reader.at = skipSpace(text, from, reader.edits, isBeforeValue(reader));
    if (leavesOut(reader, comments)) return refused(reader);
    if (reader.at >= text.length || text.startsWith("```", reader.at)) return truncated(reader);
    const outcome = readToken(reader, from, allowStrings);
    if (outcome) return outcome;
  }
}

/** There `#buy` is no comment. */
function isBeforeValue({ expected }: Reader): boolean {
  return expected === "value" || expected === "colon";
}

function readToken(reader: Reader, from: number, allowStrings: boolean): ReadContainer | undefined {
  const char = asPunctuation(reader.text.charAt(reader.at));
  if (isClosingBracket(char) && reader.expected !== "colon") return readClosing(reader, char);
  switch (reader.expected) {
    case "key":
      return readKey(reader, char);
    case "colon":
      return readColon(reader, char, from);
    case "value":
      return readContainerValue(reader, char, allowStrings);
    case "end":
      return readComma(reader, char, from);
  }
}

function readKey(reader: Reader, char: string): ReadContainer | undefined {
  const { text, writer } = reader;
  const container = reader.open.at(-1);
  if (char === "," && container) return readExtraComma(reader, container);
  if (char === "{" && writer.count() === 0 && text.charAt(reader.at - 1) === "{" && container) {
    if (container.doubled) return refused(reader);
    container.doubled = true;
    reader.at++;
    return undefined;
  }
  reader.isQuotedKey = closingQuotes(char) !== undefined;
  if (reader.isQuotedKey) {
    const read = readString(text, reader.at, undefined);
    if (read.kind === "cut") return truncated(reader);
    if (read.kind === "refused") return refused(reader, read.at);
    writer.key(read.json);
    reader.isPlainKey = PLAIN_KEY.test(read.json);
    reader.at = read.end;
  } else {
    NAME.lastIndex = reader.at;
    const name = NAME.exec(text)?.[1];
    if (name === undefined) return refused(reader);
    writer.key(JSON.stringify(name));
    reader.at = NAME.lastIndex;
  }
  reader.expected = "colon";
  return undefined;
}

/** A key that did not take its colon, or what is behind it, in. */
const PLAIN_KEY = /^"[\p{L}\p{N}_$@#][^"\\:,;{}[\]]{0,99}"$/u;
const NAME = /([\p{L}_$][\p{L}\p{N}_$-]{0,99}|(?:0|[1-9]\d{0,14})(?![\w.]))["']?/uy;

/** A comma before the first key, or a second one between two: between keys and values nothing is lost. */
function readExtraComma(
  reader: Reader,
  container: NonNullable<Reader["open"][number]>,
): ReadContainer | undefined {
  const isFirst = reader.writer.count() === 0 && container.commas === 0;
  const isSecond = container.commas === reader.writer.count() && container.commas > 0;
  if (!isFirst && !isSecond) return refused(reader);
  container.commas++;
  reader.at++;
  const isBeforeKey = isKeyAhead(reader.text, skipBlanks(reader.text, reader.at), true);
  return isBeforeKey ? undefined : refused(reader);
}

function readColon(reader: Reader, char: string, from: number): ReadContainer | undefined {
  const { text, at, isQuotedKey } = reader;
  if (char === ":") reader.at++;
  else if (char === "=") reader.at += text.charAt(at + 1) === ">" ? 2 : 1;
  else if (!mayLackColon(reader, char, at > from)) return refused(reader);
  else if (!isQuotedKey && closingQuotes(char) === undefined) return refused(reader);
  reader.expected = "value";
  return undefined;
}

/** A value right behind its key. A string must stand apart from a quoted key: `{"a""b"}` may be one text. */
function mayLackColon(
  { text, at, isQuotedKey, isPlainKey }: Reader,
  char: string,
  isApart: boolean,
): boolean {
  if (isQuotedKey && !isPlainKey) return false;
  if (char === "{" || char === "[") return true;
  if (closingQuotes(char) !== undefined) return isApart;
  return (isApart || text.charAt(at - 1) === '"') && LITERAL_START.test(text.slice(at, at + 2));
}

const LITERAL_START = /^(?:-?\d|[tfnTFN][raouA-Z])/;

function readComma(reader: Reader, char: string, from: number): ReadContainer | undefined {
  const { text, at } = reader;
  const container = reader.open.at(-1);
  if (!container) return refused(reader);
  const inObject = container.bracket === "{";
  if (char === ",") {
    const separator = ";；".includes(text.charAt(at)) ? ";" : ",";
    const isMixed = container.separator !== "" && container.separator !== separator;
    container.separator = separator;
    container.commas++;
    reader.lastComma = reader.at++;
    if (isMixed && !(inObject && isQuotedKeyAhead(reader))) return refused(reader);
  } else if (!(inObject ? isNextMember(reader, from) : isNextElement(reader, char, from))) {
    return refused(reader);
  }
  reader.expected = inObject ? "key" : "value";
  return undefined;
}

/** A semicolon among commas is one of them where a key in quotes follows; in a list it may be a row's end. */
function isQuotedKeyAhead({ text, at }: Reader): boolean {
  const next = skipBlanks(text, at);
  return closingQuotes(text.charAt(next)) !== undefined && isNextKey(text, next, true);
}

/** A key without a comma before it. */
function isNextMember(reader: Reader, from: number): boolean {
  const { text, at } = reader;
  if (hasMisplacedComma(reader)) return false;
  const gap = text.slice(from, at);
  if (gap === "" && closingQuotes(text.charAt(at)) === undefined) return false;
  return isNextKey(text, at, gap.includes("\n"));
}

/** An element without a comma before it. */
function isNextElement(reader: Reader, char: string, from: number): boolean {
  const { text, at, last } = reader;
  const gap = text.slice(from, at);
  if (gap === "" && !isClosingBracket(text.charAt(from - 1))) return false;
  const isString = closingQuotes(char) !== undefined;
  if (hasMisplacedComma(reader)) return false;
  if (isString) return !",;:]}".includes(text.charAt(at + 1));
  if (gap.includes("\n") || closingBracket(char) === "}" || closingBracket(char) === "]")
    return true;
  return last === "string" && isLiteralElement(text, at);
}

/** The comma that is missing here may be the one at the end of the string, or inside the bracket. */
function hasMisplacedComma({ last, lastString, hasTrailingComma }: Reader): boolean {
  if (last === "string") return /[,;:]"$/.test(lastString.slice(-2));
  return last !== "word" && hasTrailingComma;
}

function readClosing(reader: Reader, char: string): ReadContainer | undefined {
  const { writer, mismatch } = reader;
  const container = reader.open.at(-1);
  if (!container) return refused(reader);
  const mayEnd = container.bracket !== "{" && (writer.count() > 0 || container.commas === 0);
  if (reader.expected === "value" && !mayEnd) return refused(reader);
  if (writer.count() > 0 && container.commas > writer.count()) return refused(reader);
  const isFitting = closingBracket(container.bracket) === char;
  if (!isFitting && (container.bracket === "(" || tookBracket(reader))) return refused(reader);
  if (!isFitting && mismatch === "skip") {
    if (!isBracketTooMany(reader, char)) return refused(reader);
    reader.at++;
    return undefined;
  }
  if (reader.expected !== "end" && writer.count() > 0 && hasPlaceholder(reader)) {
    return refused(reader);
  }
  reader.hasTrailingComma = reader.expected !== "end" && writer.count() > 0;
  if (isFitting && isClosedTooEarly(reader)) {
    reader.isReopened = true;
    reader.at++;
    return undefined;
  }
  if (isFitting || mismatch === "replace") return closeBracket(reader, 1);
  if (mismatch === undefined) return { kind: "mismatched" };
  return reader.openByClosing[char] ? closeBracket(reader, 0) : refused(reader);
}

/** `{"a": 1}, "b": 2}`: one more key, and one more brace that ends the text. */
function isClosedTooEarly(reader: Reader): boolean {
  const { text, at, open, expected, start } = reader;
  const [root] = open;
  if (open.length !== 1 || root?.bracket !== "{" || root.doubled || expected !== "end")
    return false;
  if (root.alikeAt > 0 || reader.isReopened || !isBracketTooMany(reader, "}")) return false;
  const comma = skipBlanks(text, at + 1);
  if (text.charAt(comma) !== ",") return false;
  const key = skipBlanks(text, comma + 1);
  const isKey = closingQuotes(text.charAt(key)) !== undefined && isNextKey(text, key, false);
  return isKey && start === 0 && text.endsWith("}");
}

/** A comment that stands in the place of an element: `{"a": 1, # other fields`. */
function hasPlaceholder({ text, edits, lastComma, at }: Reader): boolean {
  const comment = edits.at(-1);
  if (!comment || comment.from < lastComma) return false;
  const isOnOwnLine = text.slice(lastComma, comment.from).includes("\n");
  return isOnOwnLine || !text.slice(comment.to, at).includes("\n");
}

/** A comment that says that something was left out, or three dots instead of a value. */
function leavesOut({ text, edits, at }: Reader, comments: number): boolean {
  const isOmission =
    edits.length > comments &&
    edits.slice(comments).some(({ from, to }) => /\.\.\.|…/.test(text.slice(from, to)));
  return isOmission || text.startsWith("...", at) || text.charAt(at) === "…";
}
