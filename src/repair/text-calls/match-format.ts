import { endsTurn } from "../read/prose.ts";
import { skipBlanks } from "../read/tokens.ts";
import { announcesCalls } from "./announces-calls.ts";
import type {
  Cursor,
  Found,
  Piece,
  TextFormat,
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
 * two calls or behind the last makes it no call. What stands before the first is the lead.
 *
 * @param text The text, without thoughts and without white space around it.
 * @param format The format.
 * @returns The calls in their order; `undefined` where the text is not in this format.
 */
export function matchFormat(text: string, format: TextFormat): MatchedCalls | undefined {
  const lead = readLead(text, format);
  const start = lead?.end ?? -1;
  if (lead === undefined || start < 0) return undefined;
  const calls: WrittenCall[] = [];
  let at = start;
  do {
    const end = readSection({ text, at }, format, calls);
    if (end === undefined || calls.length > MAX_CALLS) return undefined;
    at = skipBlanks(text, end);
  } while (format.open !== undefined && text.startsWith(format.open, at));
  return endsTurn(text, at) ? { format, lead: lead.value, calls } : undefined;
}

/**
 * What stands before the first call, and where that begins. Only a format with a marker of its own
 * may have text before it.
 */
function readLead(text: string, { open, call, takesLead, lead }: TextFormat): Found<string> {
  const [first] = call;
  const marker = open ?? (typeof first === "string" ? first : undefined);
  if (lead !== undefined) {
    lead.open.lastIndex = 0;
    const from = lead.open.test(text) ? lead.open.lastIndex : -1;
    const to = from < 0 ? -1 : text.indexOf(lead.close, from);
    if (to >= 0) {
      const end = skipBlanks(text, to + lead.close.length);
      return { value: text.slice(from, to).trim(), end };
    }
  }
  if (marker === undefined || !takesLead) return { value: "", end: 0 };
  const end = text.indexOf(marker);
  return end < 0 ? undefined : { value: text.slice(0, end).trim(), end };
}

/** Reads the calls from an opening token to a closing one, and gives the index after it. */
function readSection(
  { text, at }: Cursor,
  format: TextFormat,
  calls: WrittenCall[],
): number | undefined {
  const { open = "", close, isStopToken } = format;
  if (!text.startsWith(open, at)) return undefined;
  let next: number | undefined = at + open.length;
  let end = next;
  while (next !== undefined) {
    const found = readCall({ text, at: next }, format);
    if (found === undefined) return undefined;
    for (const call of found.value) calls.push(call);
    if (calls.length > MAX_CALLS) return undefined;
    end = found.end;
    next = nextCall(text, end, format);
  }
  if (close === undefined) return end;
  const closing = skipBlanks(text, end);
  if (text.startsWith(close, closing)) return closing + close.length;
  return isStopToken === true && endsTurn(text, closing) ? end : undefined;
}

/** What is known of a call while it is read. */
interface CallSoFar {
  readonly end: number;
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  readonly args?: WrittenArguments | undefined;
  readonly calls?: readonly WrittenCall[] | undefined;
}

function readCall({ text, at }: Cursor, format: TextFormat): Found<readonly WrittenCall[]> {
  let call: CallSoFar | undefined = { end: at };
  const endsMessage = format.isStopToken === true && format.close === undefined;
  for (const [index, piece] of format.call.entries()) {
    const mayBeCutOff = endsMessage && index === format.call.length - 1;
    call = readPiece(piece, call, { text, at: skipBlanks(text, call.end) }, mayBeCutOff);
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
  mayBeCutOff: boolean,
): CallSoFar | undefined {
  const { text, at } = cursor;
  if (typeof piece === "string" || "closingTag" in piece) {
    const token = typeof piece === "string" ? piece : `</${call.name}>`;
    if (text.startsWith(token, at)) return { ...call, end: at + token.length };
    return mayBeCutOff && endsTurn(text, at) ? call : undefined;
  }
  if ("optional" in piece) {
    return text.startsWith(piece.optional, at)
      ? { ...call, end: at + piece.optional.length }
      : call;
  }
  if ("token" in piece) {
    const end = execAt(piece.token, cursor)?.end;
    return end === undefined ? undefined : { ...call, end };
  }
  if ("name" in piece) {
    const found = execAt(piece.name, cursor);
    const { name, id, thought = "" } = found?.value ?? {};
    if (found === undefined || name === undefined || !announcesCalls(thought.trim()))
      return undefined;
    return { name, id, end: found.end };
  }
  if ("calls" in piece) {
    const found = piece.calls(cursor);
    return found && { ...call, calls: found.value, end: found.end };
  }
  const found = piece.args(cursor);
  return found && { ...call, args: found.value, end: found.end };
}

function execAt(
  pattern: RegExp,
  { text, at }: Cursor,
): Found<Readonly<Record<string, string | undefined>>> {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? undefined : { value: { ...match.groups }, end: pattern.lastIndex };
}

/** Where another call begins; `undefined` where the last was read. */
function nextCall(text: string, end: number, format: TextFormat): number | undefined {
  const { between, call, isCommon } = format;
  const at = skipBlanks(text, end);
  if (between !== undefined && text.startsWith(between, at)) return at + between.length;
  const [first] = call;
  if (typeof first === "string") return text.startsWith(first, at) ? at : undefined;
  if (first === undefined || !("name" in first || "token" in first)) return undefined;
  // Several blocks of code are a list of examples.
  if ("token" in first && isCommon === true) return undefined;
  const pattern = "name" in first ? first.name : first.token;
  return execAt(pattern, { text, at }) === undefined ? undefined : at;
}
