import { isDigits } from "../text.ts";
import type { JsonValue } from "../types.ts";
import { foldName, wordsOf } from "../words/names.ts";
import type { BareText } from "./types.ts";

/**
 * The origin of a bare text. In place of a tool call's arguments, it may be
 * anything.
 */
export function bareTextOf(
  raw: unknown,
  value: JsonValue,
  isToolCall: boolean,
  isParsed: boolean,
): BareText {
  if (isJsonString(raw, value)) return "string";
  if (!isToolCall) return "text";
  return isParsed ? "string" : "none";
}

/** Whether a value was read from a text in quotes. */
function isJsonString(raw: unknown, value: JsonValue): boolean {
  if (typeof raw !== "string" || raw === value) return false;
  return raw.trim().startsWith('"');
}

/** Whether a text holds one of some signs or pieces. */
export function holdsAny(text: string, pieces: Iterable<string>): boolean {
  for (const piece of pieces) {
    if (text.includes(piece)) return true;
  }
  return false;
}

/**
 * Whether a text begins as an object, an array or a code fence does, in quotes
 * or not.
 */
export function opensContainer(text: string): boolean {
  return /^[\s"'`\\]*[[{]|^\s*```/.test(text);
}

/**
 * A short text without white space and the quotes around it; `undefined` for
 * another value.
 */
export function wordIn(value: JsonValue): string | undefined {
  if (typeof value !== "string" || value.length > MAX_WORD) return undefined;
  return withoutQuotes(value);
}

/** Longer texts are no number, word, choice or range. */
export const MAX_WORD = 200;

/**
 * What an agent wrote as its input, without white space, a code fence or quotes
 * around it, and without the empty label of the next step behind it.
 */
export function inputIn(text: string): string {
  const [, fenced = text] = FENCED.exec(text.trim()) ?? [];
  return withoutQuotes(fenced.replace(EMPTY_LABEL, ""));
}

/** A text in a code fence of its own. */
const FENCED = /^```[\w+-]*\n((?:(?!```)[\s\S])*)\n?```$/;
/** Where an agent's output was stopped before an observation. */
const EMPTY_LABEL = /\n\s*Observation:?\s*$/;

/** Text without white space and the one pair of quotes around it. */
export function withoutQuotes(text: string): string {
  const trimmed = text.trim();
  return isQuotation(trimmed) ? trimmed.slice(1, -1).trim() : trimmed;
}

/** Whether a text is one quotation: not `"cats" or "dogs"`. */
export function isQuotation(text: string, quotes = "\"'`"): boolean {
  const [quote = ""] = text;
  if (text.length < 2 || !text.endsWith(quote)) return false;
  return quotes.includes(quote) && !text.slice(1, -1).includes(quote);
}

/** A letter, a digit or a picture; or a path of signs: `.`, `~`, `*`, `..`. */
const SAYS_SOMETHING =
  /[\p{L}\p{N}\p{Extended_Pictographic}]|^(?:[.~/*]|\.\.)$/u;

/** Whether a text has something to say. */
export function saysSomething(text: string): boolean {
  return SAYS_SOMETHING.test(text);
}

/**
 * Control and half characters, half a quotation: `\u0000`, `\ufffd`, `buy”`.
 */
const GARBLED = /(?![\n\r\t])\p{Cc}|\ufffd|\p{Cs}|^[^“„«]*[”»]/su;
/**
 * Marks of a chat or a fence, or a piece of JSON: `<|im_end|>`, `</tool>`,
 * `[/INST]`; `{"`, `['`, `[{`, `a["`.
 */
const TOKENS = /<\|?\/?[a-z]|\[\/\w+\]|```|\{["']|\[\{|\w\[["']/;
/** How JSON, calls and quotations begin. */
const OPENING = /^[\p{Ps}\p{Pi},;)\]}=:"'`<$]/u;
/**
 * A selector begins so, too: `.item`, `#buy`, `:root`, `[name=q]`,
 * `[disabled]`.
 */
const SELECTOR_START = /^(?:[.#:][\w-]|\[[\w-]+[~|^$*]?=|\[[a-z-]+\])/;
/** The end of a text that goes on: `SELECT a,`, `a &&`, an open quote. */
const UNFINISHED = /[,:([{=\\|<>`]$|&&$|(?:^|\s)'[^']*$/;
const TURN_LABELS = "Thought|Observation|Action|Action Input|Final Answer";
/**
 * A line of an agent's own turn: `Thought: next`, `Final Answer: two`; not
 * `Action figures`.
 */
const TURN_LINE = new RegExp(`^[^\\S\\n]*(?:${TURN_LABELS}):`, "m");

/** What only a piece of JSON, of a call or of a turn has. */
const MARKS_OF_PIECES: readonly RegExp[] = [
  GARBLED,
  TOKENS,
  TURN_LINE,
  UNFINISHED,
];

/** Whether a text is a piece of JSON, of a call or of a turn. */
export function isPiece(text: string): boolean {
  if (MARKS_OF_PIECES.some((mark) => mark.test(text))) return true;
  if (OPENING.test(text) && !SELECTOR_START.test(text)) return true;
  return hasOddQuote(text) || hasOpenBracket(text) || hasOpenComment(text);
}

/**
 * Whether a text has one quote, the end of a cut JSON string: `Wien"`; behind a
 * digit it is an inch.
 */
function hasOddQuote(text: string): boolean {
  const [before = "", ...behind] = text.split('"');
  return behind.length === 1 && !isDigits(before.slice(-1));
}

const BRACKETS = [
  { open: "(", close: ")" },
  { open: "[", close: "]" },
  { open: "{", close: "}" },
];

function hasOpenBracket(text: string): boolean {
  const count = (sign: string) => text.split(sign).length;
  return BRACKETS.some(({ open, close }) => count(open) !== count(close));
}

function hasOpenComment(text: string): boolean {
  return text.lastIndexOf("/*") > text.lastIndexOf("*/");
}

/**
 * Whether a text is one of some names, or begins with one as a label:
 * `query: cats`, `click(`.
 */
export function beginsWithName(
  text: string,
  names: readonly string[],
): boolean {
  const [start = ""] = text.slice(0, MAX_WORD).split(/[:=(]/, 1);
  const folded = [foldName(text), foldName(start)];
  return names.some((name) => folded.includes(foldName(name)));
}

/**
 * Whether a text names a field with a value: `cats limit=5`,
 * `ls -la\ntimeout_s: 5`.
 */
export function setsField(text: string, names: readonly string[]): boolean {
  const labels = text
    .slice(0, MAX_WORD)
    .matchAll(/([\p{L}\p{N}_-]{1,99})["']?[:=]/gu);
  const fields = new Set(names.map(foldName));
  return [...labels].some(([, label = ""]) => fields.has(foldName(label)));
}

/**
 * Whether a text uses a field's own name, and so may speak of it: "Ort nicht
 * angegeben" for `ort`.
 */
export function usesName(text: string, name: string): boolean {
  if (foldName(text).includes(foldName(name))) return true;
  const words = wordsOf(text);
  return wordsOf(name).some((word) => words.includes(word));
}
