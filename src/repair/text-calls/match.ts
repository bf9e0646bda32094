import { endsTurn } from "../read/prose.ts";
import { skipBlanks } from "../read/tokens.ts";
import { mayStandBeforeCall } from "./lead.ts";
import type {
  Cursor,
  Found,
  Piece,
  TextFormat,
  Token,
  WrittenCall,
  WrittenValue,
} from "./text-format.ts";

/** What a text holds in one format: the plain text before the calls, and the calls. */
export interface MatchedCalls {
  readonly format: TextFormat;
  readonly lead: string;
  readonly calls: readonly WrittenCall[];
}

/** The most calls that one message may hold. */
const MAX_CALLS = 128;

/**
 * Reads a text in one format. It must hold calls and nothing else: prose within a marker, between
 * two calls or behind the last makes it no call. Before the first, a sentence may stand where a
 * token opens the call. `undefined` where the text is not in this format.
 */
export function matchFormat(
  text: string,
  format: TextFormat,
  names: readonly string[],
): MatchedCalls | undefined {
  const lead = readLead(text, format, names);
  if (lead === undefined) return undefined;
  const calls: WrittenCall[] = [];
  let at = lead.end;
  do {
    const section = readSection({ text, at }, format, names, MAX_CALLS - calls.length);
    if (section === undefined) return undefined;
    calls.push(...section.value);
    at = skipBlanks(text, section.end);
  } while (format.open !== undefined && endOf(format.open, { text, at }) !== undefined);
  return endsTurn(text, at) ? { format, lead: lead.value, calls } : undefined;
}

/** What is said before the first call, and where that begins. */
function readLead(
  text: string,
  { open, call, marker, said }: TextFormat,
  names: readonly string[],
): Found<string> {
  const from = said && endOf(said.open, { text, at: 0 });
  const to = from === undefined ? -1 : text.indexOf(said?.close ?? "", from);
  if (said !== undefined && to >= 0) {
    const value = text.slice(from, to).trim();
    const end = skipBlanks(text, to + said.close.length);
    return mayStandBeforeCall(`${value}\n`, names) ? { value, end } : undefined;
  }
  if (marker !== "token") return { value: "", end: 0 };
  const first = open ?? call[0];
  const end = isToken(first) ? find(first, text) : 0;
  if (end < 0 || !mayStandBeforeCall(text.slice(0, end), names)) return undefined;
  return { value: text.slice(0, end).trim(), end };
}

/** Reads the calls from an opening token to a closing one; `undefined` where there are too many. */
function readSection(
  cursor: Cursor,
  format: TextFormat,
  names: readonly string[],
  most: number,
): Found<readonly WrittenCall[]> {
  const { text } = cursor;
  const { open = "", close, isStopToken = false } = format;
  const calls: WrittenCall[] = [];
  let end = 0;
  for (let next = endOf(open, cursor); next !== undefined; next = nextCall(text, end, format)) {
    const found = readCall({ text, at: next }, format, names);
    if (found === undefined) break;
    calls.push(...found.value);
    if (calls.length > most) return undefined;
    end = found.end;
  }
  if (calls.length === 0) return undefined;
  const at = skipBlanks(text, end);
  const isCutOff = isStopToken && endsTurn(text, at);
  const closed = close === undefined ? end : endOf(close, { text, at });
  return closed === undefined && !isCutOff ? undefined : { value: calls, end: closed ?? end };
}

/** Where another call may begin. */
function nextCall(text: string, end: number, format: TextFormat): number | undefined {
  const { between, call, marker } = format;
  const at = skipBlanks(text, end);
  if (between !== undefined && text.startsWith(between, at)) return at + between.length;
  // Several blocks of code are a list of examples.
  const isBlock = call[0] instanceof RegExp && marker === "none";
  return isToken(call[0]) && !isBlock ? at : undefined;
}

/** What is known of a call while it is read. */
interface CallSoFar {
  name?: string;
  id?: string;
  args?: WrittenValue;
  /** Names and arguments together, of one call or several. */
  calls?: readonly WrittenCall[];
}

function readCall(
  cursor: Cursor,
  { call: pieces, isStopToken, close }: TextFormat,
  names: readonly string[],
): Found<readonly WrittenCall[]> {
  const call: CallSoFar = {};
  const mayLackLast = isStopToken === true && close === undefined;
  const end = readPieces(pieces, call, cursor, names, mayLackLast);
  if (end === undefined) return undefined;
  const { name = "", id, args = { text: "" }, calls } = call;
  return { value: calls ?? [{ name, args, ...(id === undefined ? {} : { id }) }], end };
}

/** The index after some pieces, of which the call takes note; `undefined` where they do not stand there. */
function readPieces(
  pieces: readonly Piece[],
  call: CallSoFar,
  { text, at }: Cursor,
  names: readonly string[],
  mayLackLast = false,
): number | undefined {
  let end = at;
  for (const [index, piece] of pieces.entries()) {
    const cursor: Cursor = { text, at: skipBlanks(text, end) };
    const next = readPiece(piece, call, cursor, names);
    const mayLack = mayLackLast && index === pieces.length - 1;
    if (next === undefined && !(mayLack && endsTurn(text, cursor.at))) return undefined;
    end = next ?? end;
  }
  return end;
}

function readPiece(
  piece: Piece,
  call: CallSoFar,
  cursor: Cursor,
  names: readonly string[],
): number | undefined {
  const { text, at } = cursor;
  if (isToken(piece)) return endOf(piece, cursor);
  if (typeof piece === "function") {
    const found = piece(cursor);
    if (found === undefined) return undefined;
    if ("text" in found.value) call.args = found.value;
    else call.calls = found.value;
    // A header and the call behind it name the same tool.
    const isOther = call.name !== undefined && call.calls?.some(({ name }) => name !== call.name);
    return isOther ? undefined : found.end;
  }
  if ("oneOf" in piece) {
    for (const pieces of piece.oneOf) {
      const end = readPieces(pieces, call, cursor, names);
      if (end !== undefined) return end;
    }
    return undefined;
  }
  if ("closingTag" in piece) return endOf(`</${call.name}>`, cursor);
  if ("id" in piece) {
    const end = endOf(piece.id, cursor);
    call.id = text.slice(at, end);
    return end;
  }
  const name = names.find((one) => text.startsWith(one, at));
  if (name === undefined || (call.name !== undefined && call.name !== name)) return undefined;
  call.name = name;
  return at + name.length;
}

function isToken(piece: Piece | undefined): piece is Token {
  return typeof piece === "string" || piece instanceof RegExp;
}

/** The index after a token; `undefined` where it does not stand there. */
function endOf(token: Token, { text, at }: Cursor): number | undefined {
  if (typeof token === "string") return text.startsWith(token, at) ? at + token.length : undefined;
  token.lastIndex = at;
  return token.test(text) ? token.lastIndex : undefined;
}

/** The index of a token; -1 where there is none. */
function find(token: Token, text: string): number {
  return typeof token === "string"
    ? text.indexOf(token)
    : text.search(new RegExp(token.source, token.flags.replace("y", "")));
}
