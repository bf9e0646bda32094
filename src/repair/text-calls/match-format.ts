import { skipSpace } from "./scan-json.ts";
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
  readonly lead: string;
  readonly calls: readonly WrittenCall[];
}

/** Tokens with which models end their turn: they say nothing. */
const END_TOKENS: readonly string[] = [
  "<|im_end|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|eot|>",
  "<|end|>",
  "<|endoftext|>",
  "<|end_of_text|>",
  "<|return|>",
  "<|call|>",
  "<|observation|>",
  "<|user|>",
  "<|END_OF_TURN_TOKEN|>",
  "<|assistant_end|>",
  "<|message_sep|>",
  "<｜end▁of▁sentence｜>",
  "<end_of_turn>",
  "<start_function_response>",
  "<turn|>",
  "<eos>",
  "</s>",
  "[e~[",
];

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
  const start = startOf(text, format);
  if (start < 0) return undefined;
  const calls: WrittenCall[] = [];
  let next: number | undefined = start + (format.open?.length ?? 0);
  let end = next;
  while (next !== undefined) {
    const found = readCall({ text, at: next }, format);
    if (found === undefined) return undefined;
    calls.push(...found.value);
    if (calls.length > MAX_CALLS) return undefined;
    end = found.end;
    next = nextCall(text, end, format);
  }
  return isClosed(text, end, format) ? { lead: text.slice(0, start).trimEnd(), calls } : undefined;
}

/** Where the first call begins. Only a format with a marker of its own may have text before it. */
function startOf(text: string, { open, call: [first], takesLead }: TextFormat): number {
  const marker = open ?? (typeof first === "string" ? first : undefined);
  if (marker === undefined) return 0;
  if (takesLead) return text.indexOf(marker);
  return text.startsWith(marker) ? 0 : -1;
}

function readCall(cursor: Cursor, format: TextFormat): Found<readonly WrittenCall[]> {
  const { text } = cursor;
  let end = cursor.at;
  let calls: readonly WrittenCall[] | undefined;
  let called: readonly (string | undefined)[] = [];
  let args: WrittenArguments = { kind: "json", text: "{}" };
  for (const [index, piece] of format.call.entries()) {
    const at = skipSpace(text, end);
    if (typeof piece === "string" || "optional" in piece || "closingTag" in piece) {
      const token = tokenOf(piece, called[1]);
      const isLast = index === format.call.length - 1;
      const mayBeMissing = typeof piece !== "string" && "optional" in piece;
      if (text.startsWith(token, at)) end = at + token.length;
      else if (!mayBeMissing && !(isLast && format.isStopToken && isOver(text, at))) {
        return undefined;
      }
      continue;
    }
    if ("token" in piece) {
      piece.token.lastIndex = at;
      if (!piece.token.test(text)) return undefined;
      end = piece.token.lastIndex;
      continue;
    }
    if ("name" in piece) {
      piece.name.lastIndex = at;
      called = piece.name.exec(text) ?? [];
      if (called[1] === undefined) return undefined;
      end = piece.name.lastIndex;
      continue;
    }
    const found = "calls" in piece ? piece.calls({ text, at }) : piece.args({ text, at });
    if (found === undefined) return undefined;
    if ("kind" in found.value) args = found.value;
    else calls = found.value;
    end = found.end;
  }
  const [, name = "", id] = called;
  return { value: calls ?? [{ name, args, ...(id === undefined ? {} : { id }) }], end };
}

function tokenOf(
  piece: Extract<Piece, string | { optional: string } | { closingTag: true }>,
  name = "",
): string {
  if (typeof piece === "string") return piece;
  return "optional" in piece ? piece.optional : `</${name}>`;
}

/** Where another call begins; `undefined` where the last was read. */
function nextCall(text: string, end: number, format: TextFormat): number | undefined {
  const { between, call } = format;
  const at = skipSpace(text, end);
  if (between !== undefined) return text.startsWith(between, at) ? at + between.length : undefined;
  const [first] = call;
  if (typeof first === "string") return text.startsWith(first, at) ? at : undefined;
  if (first === undefined || !("name" in first)) return undefined;
  first.name.lastIndex = at;
  return first.name.test(text) ? at : undefined;
}

/** Whether the last call is followed by what closes it, and by nothing else. */
function isClosed(text: string, end: number, { close, isStopToken }: TextFormat): boolean {
  const at = skipSpace(text, end);
  if (close === undefined) return isOver(text, at);
  return text.startsWith(close, at)
    ? isOver(text, at + close.length)
    : isStopToken === true && isOver(text, at);
}

/** Whether nothing but tokens that end a turn is left. */
function isOver(text: string, from: number): boolean {
  let at = skipSpace(text, from);
  for (;;) {
    const token = END_TOKENS.find((one) => text.startsWith(one, at));
    if (token === undefined) return at === text.length;
    at = skipSpace(text, at + token.length);
  }
}
