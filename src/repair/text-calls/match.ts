import { endsTurn } from "../read/prose.ts";
import { skipBlanks } from "../read/tokens.ts";
import { mayStandBeforeCall } from "./lead.ts";
import type {
  Cursor,
  Found,
  Piece,
  TextFormat,
  Token,
  WrittenArguments,
  WrittenCall,
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
 * token opens the call.
 *
 * @param text The text, without thoughts and without white space around it.
 * @param format The format.
 * @param names The names of the offered tools, longer ones first.
 * @returns The calls in their order; `undefined` where the text is not in this format.
 */
export function matchFormat(
  text: string,
  format: TextFormat,
  names: readonly string[],
): MatchedCalls | undefined {
  const lead = readLead(text, format);
  if (lead === undefined) return undefined;
  const calls: WrittenCall[] = [];
  let at = lead.end;
  do {
    const end = readSection({ text, at }, format, names, calls);
    if (end === undefined || calls.length > MAX_CALLS) return undefined;
    at = skipBlanks(text, end);
  } while (format.open !== undefined && endOf(format.open, { text, at }) !== undefined);
  return endsTurn(text, at) ? { format, lead: lead.value, calls } : undefined;
}

/** What is said before the first call, and where that begins. */
function readLead(text: string, { open, call, marker, said }: TextFormat): Found<string> {
  const from = said && endOf(said.open, { text, at: 0 });
  const to = from === undefined ? -1 : text.indexOf(said?.close ?? "", from);
  if (said !== undefined && to >= 0) {
    const value = text.slice(from, to).trim();
    const end = skipBlanks(text, to + said.close.length);
    return mayStandBeforeCall(`${value}\n`) ? { value, end } : undefined;
  }
  if (marker !== "token") return { value: "", end: 0 };
  const first = open ?? call[0];
  const end = typeof first === "string" || first instanceof RegExp ? find(first, text) : 0;
  if (end < 0 || !mayStandBeforeCall(text.slice(0, end))) return undefined;
  return { value: text.slice(0, end).trim(), end };
}

/** Reads the calls from an opening token to a closing one, and gives the index after it. */
function readSection(
  cursor: Cursor,
  format: TextFormat,
  names: readonly string[],
  calls: WrittenCall[],
): number | undefined {
  const { text } = cursor;
  const { open = "", close, isStopToken } = format;
  const first = calls.length;
  let next = endOf(open, cursor);
  let end = next ?? 0;
  while (next !== undefined && calls.length <= MAX_CALLS) {
    const found = readCall({ text, at: next }, format, names);
    if (found === undefined) break;
    for (const call of found.value) calls.push(call);
    end = found.end;
    next = nextCall(text, end, format);
  }
  if (calls.length === first) return undefined;
  if (close === undefined) return end;
  const at = skipBlanks(text, end);
  const isCutOff = isStopToken === true && endsTurn(text, at);
  return endOf(close, { text, at }) ?? (isCutOff ? end : undefined);
}

/** What is known of a call while it is read. */
interface CallSoFar {
  readonly end: number;
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  readonly args?: WrittenArguments | undefined;
  readonly calls?: readonly WrittenCall[] | undefined;
}

function readCall(
  { text, at }: Cursor,
  format: TextFormat,
  names: readonly string[],
): Found<readonly WrittenCall[]> {
  let call: CallSoFar | undefined = { end: at };
  const endsMessage = format.isStopToken === true && format.close === undefined;
  for (const [index, piece] of format.call.entries()) {
    const cursor: Cursor = { text, at: skipBlanks(text, call.end) };
    const read: CallSoFar | undefined = readPiece(piece, call, cursor, names);
    const isLast = index === format.call.length - 1;
    const isCutOff = endsMessage && isLast && endsTurn(text, cursor.at);
    call = read ?? (isCutOff ? call : undefined);
    if (call === undefined) return undefined;
  }
  const { end, name = "", id, args = NO_ARGUMENTS, calls } = call;
  const level = args.kind === "json" ? args.level : undefined;
  return { value: calls ?? [{ name, args, level, ...(id === undefined ? {} : { id }) }], end };
}

const NO_ARGUMENTS: WrittenArguments = { kind: "json", text: "{}" };

function readPiece(
  piece: Piece,
  call: CallSoFar,
  cursor: Cursor,
  names: readonly string[],
): CallSoFar | undefined {
  const { text, at } = cursor;
  if (typeof piece === "string" || piece instanceof RegExp) {
    const end = endOf(piece, cursor);
    return end === undefined ? undefined : { ...call, end };
  }
  if (typeof piece === "function") {
    const found = piece(cursor);
    return found && withRead(call, found.value, found.end);
  }
  if ("closingTag" in piece) {
    const end = endOf(`</${call.name}>`, cursor);
    return end === undefined ? undefined : { ...call, end };
  }
  if ("id" in piece) {
    const end = endOf(piece.id, cursor);
    return end === undefined ? undefined : { ...call, id: text.slice(at, end), end };
  }
  const name = names.find((one) => text.startsWith(one, at));
  const isOther = call.name !== undefined && call.name !== name;
  return name === undefined || isOther ? undefined : { ...call, name, end: at + name.length };
}

/** A call with its arguments, or whole calls, if they are of the tool that was named before. */
function withRead(
  call: CallSoFar,
  read: WrittenArguments | readonly WrittenCall[],
  end: number,
): CallSoFar | undefined {
  if ("kind" in read) return { ...call, args: read, end };
  const isOther = call.name !== undefined && read.some(({ name }) => name !== call.name);
  return isOther ? undefined : { ...call, calls: read, end };
}

/** Where another call may begin. */
function nextCall(text: string, end: number, format: TextFormat): number | undefined {
  const { between, call, marker } = format;
  const at = skipBlanks(text, end);
  if (between !== undefined && text.startsWith(between, at)) return at + between.length;
  const [first] = call;
  // Several blocks of code are a list of examples.
  if (first instanceof RegExp && marker === "none") return undefined;
  return typeof first === "string" || first instanceof RegExp ? at : undefined;
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
