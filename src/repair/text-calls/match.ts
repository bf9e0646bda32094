import { endsTurn } from "../read/prose.ts";
import { skipBlanks } from "../read/tokens.ts";
import { mayStandBeforeCall, textBehindThoughts } from "./lead.ts";
import {
  type Cursor,
  callsOf,
  readPieces,
  readToken,
  type TextFormat,
  type WrittenCall,
} from "./text-format.ts";

/** What a text holds in one format: the plain text before the calls, and the calls. */
export interface MatchedCalls {
  readonly format: TextFormat;
  readonly lead: string;
  readonly calls: readonly WrittenCall[];
}

/** The longest text that is read, in characters. */
const MAX_LENGTH = 1_000_000;
/** The most calls that one message may hold. */
const MAX_CALLS = 128;

/**
 * Reads a text in each of the formats. It must hold calls and nothing else: prose within a marker,
 * between two calls or behind the last makes it no call. Before the first, thoughts are passed over,
 * and a sentence may stand where a token opens the call.
 *
 * @param names The offered tools; longer names come first.
 */
export function matchText(
  text: string,
  formats: readonly TextFormat[],
  names: readonly string[] = [],
): readonly MatchedCalls[] {
  const body = text.length > MAX_LENGTH ? undefined : textBehindThoughts(text);
  if (body === undefined || body === "") return [];
  return formats.flatMap((format) => matchFormat({ text: body, at: 0, names }, format) ?? []);
}

function matchFormat(cursor: Cursor, format: TextFormat): MatchedCalls | undefined {
  const { text } = cursor;
  const { call, isStopToken, marker } = format;
  const found = readLead(cursor, format);
  if (found === undefined) return undefined;
  // Several blocks of code are a list of examples.
  const isBlock = call[0] instanceof RegExp && marker === "none";
  const mayRepeat = typeof call[0] !== "function" && !isBlock;
  const calls: WrittenCall[] = [];
  let at = found.end;
  do {
    const read = readPieces(call, { ...cursor, at }, isStopToken);
    if (read !== undefined) calls.push(...callsOf(read));
    if (read === undefined || calls.length > MAX_CALLS) return undefined;
    at = skipBlanks(text, read.end);
    if (endsTurn(text, at)) return { format, lead: found.lead, calls };
  } while (mayRepeat);
  return undefined;
}

/** What is said before the first call, and where that begins. */
function readLead(
  cursor: Cursor,
  { call: [first = ""], marker, said }: TextFormat,
): { readonly lead: string; readonly end: number } | undefined {
  const { text, names } = cursor;
  const from = said && readToken(said.open, cursor)?.end;
  const to = from === undefined ? -1 : text.indexOf(said?.close ?? "", from);
  if (said !== undefined && to >= 0) {
    const lead = text.slice(from, to).trim();
    const end = skipBlanks(text, to + said.close.length);
    return mayStandBeforeCall(`${lead}\n`, names) ? { lead, end } : undefined;
  }
  if (marker !== "token" || typeof first === "function") return { lead: "", end: 0 };
  const end =
    first instanceof RegExp
      ? text.search(new RegExp(first.source, first.flags.replace("y", "")))
      : text.indexOf(first);
  if (end < 0 || !mayStandBeforeCall(text.slice(0, end), names)) return undefined;
  return { lead: text.slice(0, end).trim(), end };
}
