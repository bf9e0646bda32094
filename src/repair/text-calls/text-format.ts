import { endsTurn } from "../read/prose.ts";
import { matchesAt, skipBlanks } from "../read/tokens.ts";

/**
 * A call as it stands in a text, before it is known whether its tool accepts
 * it.
 */
export interface WrittenCall {
  readonly name: string;
  /** The id that the format gives a call, where it gives one. */
  readonly id?: string | undefined;
  readonly args: WrittenValue;
}

/** Arguments, or one of them, as the format writes them. */
export interface WrittenValue {
  /**
   * Of all arguments: JSON, or nearly; the pipeline reads it. Of one: its text,
   * tags included.
   */
  readonly text: string;
  /** The level that reading the JSON takes if it has a fault. */
  readonly level?: "safe" | "eager" | undefined;
  /**
   * What the format says of one argument: that it is text, that it is JSON, or
   * nothing.
   */
  readonly is?: "text" | "json" | undefined;
  /**
   * Whether elements begin in the text, though it is not nothing but elements.
   */
  readonly isTorn?: boolean;
  /**
   * Whether the mark before the value is missing: where text is not expected,
   * it must be JSON.
   */
  readonly isUnopened?: boolean;
  /**
   * Values by key, where the text is nothing but these; a list is several
   * entries of one key.
   */
  readonly children?: readonly WrittenEntry[] | undefined;
}

export type WrittenEntry = readonly [key: string, value: WrittenValue];

/** A place in a text. */
export interface TextPosition {
  readonly text: string;
  readonly at: number;
}

/** A place in a text, and the tools that may be called there. */
export interface Cursor extends TextPosition {
  /** The offered tools; longer names come first. */
  readonly names: readonly string[];
  /** The name of the call that is read, once it is known. */
  readonly name?: string | undefined;
}

/**
 * What stands at a place, up to where it ends: parts of one call, or several
 * calls.
 */
export interface Match extends Partial<WrittenCall> {
  readonly end: number;
  readonly calls?: readonly WrittenCall[];
}

/**
 * Reads what stands at a place, and nothing beyond it; its cost is linear in
 * what it reads.
 */
export type Reader = (cursor: Cursor) => Match | undefined;

/**
 * A token; one that is written in several ways is a sticky pattern that cannot
 * backtrack over a run.
 */
export type CallToken = string | RegExp;

/** One step of a call; white space before it is passed over. */
export type Piece = CallToken | Reader;

/** How a message writes calls. */
export interface TextFormat {
  readonly format: string;
  /**
   * What shows that a text is a call: a token, which no prose has; text that
   * prose may hold (`Action:`); or nothing but its form, as in bare JSON.
   */
  readonly marker: "token" | "text" | "none";
  /**
   * A call, or a section of calls, piece by piece; if the first is a token, it
   * may be written again.
   */
  readonly call: readonly Piece[];
  /**
   * Whether the last piece is a stop token, which a server may have cut off.
   * Default: `false`.
   */
  readonly isStopToken?: boolean;
  /**
   * Whether prose may stand before text that prose may hold, too: then the call
   * begins a line, ends the text, and has no parameter that its tool does not
   * declare. Default: `false`.
   */
  readonly mayFollowProse?: boolean;
  /** Around the sentence before the calls, in models that mark that. */
  readonly sentence?: SentenceMarks;
}

/** The marks that may open a sentence, longer ones first; and the closing one. */
export interface SentenceMarks {
  readonly open: readonly string[];
  readonly close: string;
}

/**
 * Reads pieces that follow each other; the last may be a stop token that was
 * cut off.
 */
export function readPieces(
  pieces: readonly Piece[],
  cursor: Cursor,
  mayLackLast = false,
): Match | undefined {
  let match: Match = { end: cursor.at };
  for (const [index, piece] of pieces.entries()) {
    const { name = cursor.name } = match;
    const at = skipBlanks(cursor.text, match.end);
    const next = readPiece(piece, { ...cursor, at, name });
    if (next === undefined) {
      const mayLack = mayLackLast && index === pieces.length - 1;
      return mayLack && endsTurn(cursor.text, match.end) ? match : undefined;
    }
    if (!isNamed(next, name)) return undefined;
    match = { ...match, ...next };
  }
  return match;
}

function readPiece(piece: Piece, here: Cursor): Match | undefined {
  return typeof piece === "function" ? piece(here) : readToken(piece, here);
}

/** A name that is given twice is the same name twice. */
function isNamed(match: Match, name: string | undefined): boolean {
  if (name === undefined) return true;
  return callsOf({ name, ...match }).every((call) => call.name === name);
}

function readToken(
  token: CallToken,
  { text, at }: TextPosition,
): Match | undefined {
  if (typeof token === "string")
    return text.startsWith(token, at) ? { end: at + token.length } : undefined;
  return matchesAt(token, text, at) ? { end: token.lastIndex } : undefined;
}

/** The first of several ways to go on that fits. */
export function firstOf(...ways: readonly (readonly Piece[])[]): Reader {
  return (cursor) => {
    for (const pieces of ways) {
      const match = readPieces(pieces, cursor);
      if (match !== undefined) return match;
    }
    return undefined;
  };
}

/** Pieces that may be missing. */
export function optional(...pieces: readonly Piece[]): Reader {
  return firstOf(pieces, []);
}

/** One call or several, with `between` between them. */
export function repeat(
  pieces: readonly Piece[],
  between: CallToken = "",
): Reader {
  return (cursor) => {
    const { text } = cursor;
    const calls: WrittenCall[] = [];
    let { at } = cursor;
    let end = at;
    for (;;) {
      const match = readPieces(pieces, { ...cursor, at });
      if (match === undefined) break;
      calls.push(...callsOf(match));
      end = match.end;
      const mark = readToken(between, { text, at: skipBlanks(text, end) });
      if (mark === undefined) break;
      at = mark.end;
    }
    return calls.length === 0 ? undefined : { calls, end };
  };
}

export function callsOf({
  calls,
  name = "",
  id,
  args = { text: "" },
}: Match): readonly WrittenCall[] {
  return calls ?? [{ name, id, args }];
}

/** The name of an offered tool. */
export const NAME: Reader = ({ text, at, names }) => {
  const name = names.find((offered) => text.startsWith(offered, at));
  return name === undefined ? undefined : { name, end: at + name.length };
};

/** `</name>`, of the call's own name. */
export const CLOSING_TAG: Reader = (cursor) =>
  readToken(`</${cursor.name}>`, cursor);

/** The call's id. */
export const CALL_ID: Reader = (cursor) => {
  const match = readToken(/[\w-]+/y, cursor);
  return match && { ...match, id: cursor.text.slice(cursor.at, match.end) };
};
