import { closingBracket, isClosingBracket } from "./characters.ts";
import type { MismatchReading, ReadContainer } from "./container-outcome.ts";
import { createExactFinder, type FindExact, jsonOf } from "./exact-container.ts";
import { createJsonWriter, type JsonWriter } from "./json-writer.ts";
import { skipBlanks, type TextEdit } from "./skip-space.ts";

/** What may stand where the reader is. */
type Expected = "key" | "colon" | "value" | "end";

interface OpenBracket {
  readonly bracket: string;
  /** How many comments there were before it. */
  readonly editsBefore: number;
  /** Written `{{`, to be closed by `}}`. */
  doubled: boolean;
  /** What stands between its elements, as it was first written: `,` or `;`. */
  separator: string;
  commas: number;
  /** How many elements it had when the last of its own kind in it was closed; 0 before that. */
  alikeAt: number;
  /** Whether a bracket too many behind it may have been meant for the end of one inside. */
  isLoose: boolean;
}

/** A text that is being read as an object, array or tuple, and how far that has come. */
export interface Reader {
  readonly text: string;
  readonly start: number;
  /** How a bracket that does not fit is taken; `undefined` where none was found so far. */
  readonly mismatch: MismatchReading | undefined;
  readonly writer: JsonWriter;
  readonly findExact: FindExact;
  /** The parts of the text that read otherwise in JSON. */
  readonly edits: TextEdit[];
  readonly open: OpenBracket[];
  /** The same, without what is known of them. */
  readonly brackets: string[];
  /** How many brackets are open that each closing bracket closes. */
  readonly openByClosing: Record<string, number>;
  at: number;
  expected: Expected;
  lastComma: number;
  isQuotedKey: boolean;
  isPlainKey: boolean;
  /** The bracket that was closed last. */
  closed: OpenBracket | undefined;
  /** Whether a string had quotes inside that were not escaped. */
  isUncertain: boolean;
  /** What the value read last was. */
  last: "word" | "string" | "list" | "object" | undefined;
  /** The string read last, as JSON. */
  lastString: string;
  /** Whether the last of a container's values had a comma behind it. */
  hasTrailingComma: boolean;
  /** Whether it was closed before its last key: `{"a": 1}, "b": 2}`. */
  isReopened: boolean;
}

/** More brackets within each other are not read: no limit of depth that makes sense is higher. */
const MAX_DEPTH = 200;

/**
 * Creates a reader that stands at the first bracket.
 *
 * @param text The text.
 * @param start The index of the opening bracket.
 * @param mismatch How a bracket that does not fit is taken.
 */
export function createReader(
  text: string,
  start: number,
  mismatch: MismatchReading | undefined,
): Reader {
  return {
    text,
    start,
    mismatch,
    writer: createJsonWriter(),
    findExact: createExactFinder(text, MAX_DEPTH),
    edits: [],
    open: [],
    brackets: [],
    openByClosing: {},
    at: start,
    expected: "value",
    lastComma: start,
    isQuotedKey: false,
    isPlainKey: false,
    closed: undefined,
    isUncertain: false,
    last: undefined,
    lastString: "",
    hasTrailingComma: false,
    isReopened: false,
  };
}

/** Opens a bracket that is written with `length` characters; 0 where it is missing. */
export function openBracket(
  reader: Reader,
  bracket: string,
  length: number,
): ReadContainer | undefined {
  if (reader.open.length >= MAX_DEPTH) return refused(reader);
  reader.writer.open(bracket === "{");
  reader.open.push(newBracket(reader, bracket));
  reader.brackets.push(bracket);
  count(reader, bracket, 1);
  reader.expected = bracket === "{" ? "key" : "value";
  reader.at += length;
  return undefined;
}

/**
 * Takes an object or array that is JSON as it stands whole, as if it had been read token by token.
 *
 * @returns Whether there is one, where nothing makes doubt about its end.
 */
export function takeExact(reader: Reader): boolean {
  const { text, at, open, writer } = reader;
  const parent = open.at(-1);
  const bracket = text.charAt(at);
  if (parent === undefined || (bracket !== "{" && bracket !== "[")) return false;
  const exact = reader.findExact(at, open.length + 1);
  if (exact === undefined) return false;
  const next = text.charAt(skipBlanks(text, exact.end));
  if (next !== "" && next !== "," && !isClosingBracket(next)) return false;
  writer.scalar(jsonOf(text, exact));
  const isAlike = parent.bracket === bracket;
  if (isAlike) parent.alikeAt = writer.count();
  parent.isLoose = isAlike && exact.isLoose;
  reader.closed = { ...newBracket(reader, bracket), isLoose: exact.isLoose };
  if (exact.lastComma >= 0) reader.lastComma = exact.lastComma;
  reader.hasTrailingComma = false;
  reader.at = exact.end;
  return true;
}

function newBracket({ edits }: Reader, bracket: string): OpenBracket {
  return {
    bracket,
    editsBefore: edits.length,
    doubled: false,
    separator: "",
    commas: 0,
    alikeAt: 0,
    isLoose: false,
  };
}

/** Closes the innermost bracket; with `length` 0 by a bracket that is missing. */
export function closeBracket(reader: Reader, length: number): ReadContainer | undefined {
  const { text, writer, open } = reader;
  const container = open.pop();
  if (!container) return refused(reader);
  const { bracket, doubled, editsBefore } = container;
  const isEmpty = writer.count() === 0;
  if (isEmpty && (reader.edits.length > editsBefore || length === 0)) return refused(reader);
  const parent = open.at(-1);
  const isAlike = parent?.bracket === bracket;
  // which of two that are alike lacks its end, and so what belongs to which, is not known
  const isLast = bracket === "[" && reader.last === "list";
  if (length === 0 && (isAlike || isLast)) return refused(reader);
  if (bracket === "(" && writer.count() === 1 && reader.expected === "end") return refused(reader);
  reader.at += length;
  if (doubled) {
    if (reader.at >= text.length) return { kind: "truncated", edits: reader.edits };
    if (text.charAt(reader.at) !== "}") return refused(reader);
    reader.at++;
  }
  reader.brackets.pop();
  count(reader, bracket, -1);
  container.isLoose ||= container.alikeAt > 0 && container.alikeAt < writer.count();
  writer.close();
  if (isAlike && parent) {
    parent.alikeAt = writer.count();
    parent.isLoose = container.isLoose;
  } else if (parent) parent.isLoose = false;
  reader.closed = container;
  reader.last = bracket === "{" ? "object" : "list";
  if (!parent && !endsForCertain(reader)) return refused(reader);
  return afterValue(reader, reader.last);
}

/** Checks whether a closing bracket here that fits nothing is one too many, and nothing else. */
export function isBracketTooMany(reader: Reader, bracket: string): boolean {
  const { last, closed, hasTrailingComma } = reader;
  if (last === "string") return !tookBracket(reader);
  if (last === "word" || closed === undefined) return true;
  const isAlike = closingBracket(closed.bracket) === bracket;
  return !hasTrailingComma && !(closed.isLoose && isAlike);
}

/** Where brackets follow the end of the whole, that may be somewhere else. */
function endsForCertain(reader: Reader): boolean {
  const { text, at, isReopened, mismatch } = reader;
  const next = skipBlanks(text, at);
  if (isReopened) return next >= text.length;
  const char = text.charAt(next);
  return mismatch !== undefined || !isClosingBracket(char) || isBracketTooMany(reader, char);
}

/** Checks whether a bracket that does not fit may belong to the string that was read last, or one in it not. */
export function tookBracket({ last, lastString }: Reader): boolean {
  let depth = 0;
  for (const char of lastString) depth += "[{(".includes(char) ? 1 : "]})".includes(char) ? -1 : 0;
  return last === "string" && depth !== 0;
}

function count({ openByClosing }: Reader, bracket: string, step: number): void {
  const closing = closingBracket(bracket) ?? "";
  openByClosing[closing] = (openByClosing[closing] ?? 0) + step;
}

/** Goes on behind a value, or ends where it was the whole. */
export function afterValue(
  reader: Reader,
  last: NonNullable<Reader["last"]>,
): ReadContainer | undefined {
  if (reader.writer.conflicting()) return refused(reader);
  reader.last = last;
  reader.expected = "end";
  if (reader.open.length > 0) return undefined;
  return { kind: "complete", json: reader.writer.text(), end: reader.at, edits: reader.edits };
}

/** The text ends here. It is completed only after a value that is certain to be whole. */
export function truncated({ text, writer, edits, open, ...reader }: Reader): ReadContainer {
  const endsInComment = edits.at(-1)?.to === text.length;
  const isComplete =
    reader.expected === "end" && reader.last !== "word" && !reader.isUncertain && !endsInComment;
  // Of a list that is open nobody knows how much is missing.
  const isCut = open.some(({ doubled, bracket }) => doubled || bracket !== "{");
  if (!isComplete || isCut) return { kind: "truncated", edits };
  return { kind: "truncated", json: writer.text(), edits };
}

export function refused(reader: Reader, index: number = reader.at): ReadContainer {
  return { kind: "refused", at: Math.max(index, reader.start + 1) };
}
