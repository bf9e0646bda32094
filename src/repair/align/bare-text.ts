import type { JsonValue } from "../types.ts";
import { foldName, stemOf, wordsOf } from "./names.ts";
import type { BareText } from "./types.ts";
import { formOf, isNothing, isSentence, TURN } from "./vocabulary.ts";

/**
 * Tells how a bare text came: as a JSON string; as the text that an agent writes its inputs in; or as
 * text where arguments of a tool call were wanted, which may be anything.
 *
 * @param raw What the model wrote.
 * @param value What was read from it.
 * @param about Whether it stands in a tool call, and whether that was parsed before.
 */
export function bareTextOf(
  raw: unknown,
  value: JsonValue,
  about: { readonly isToolCall: boolean; readonly isParsed: boolean },
): BareText {
  const isQuoted = typeof raw === "string" && raw !== value && raw.trim().startsWith('"');
  if (isQuoted || (about.isToolCall && about.isParsed)) return "string";
  return about.isToolCall ? "none" : "text";
}

/** The only field that a bare text can be for. */
export interface BareField {
  readonly name: string;
  readonly description: string;
  /** The keys of the object that it is a field of. */
  readonly keys: readonly string[];
  readonly toolName: string;
}

/** What no value has: control characters, halves of characters, control tokens, a fence. */
const GARBLED = /(?![\n\r\t])\p{Cc}|\ufffd|\p{Cs}|^[^“„«]*[”»]|<\|?\/?[a-z]|\[\/\w+\]|```/su;
/** How JSON, calls and quotations begin, but for selectors (`.item`, `#buy`, `[name=q]`). */
const OPENING_SIGN =
  /^(?!\.[\w-]|#[\w-]|:[\w-]|\[[\w-]+[~|^$*]?=|\[[a-z-]+\])[\p{Ps}\p{Pi},;)\]}=:"'`<$]/u;
/** How a text ends that goes on, and what shows a piece of JSON within. */
const UNFINISHED = /[,:([{=\\|<>`]$|&&$|(?:^|\s)'[^']*$|\{["']|\[\{|\w\[["']/;

/** Whether a text is one value: no piece of JSON, of a call or of a turn, and no name of a field. */
export function isWholeText(text: string, { keys, toolName }: BareField): boolean {
  const trimmed = text.trim();
  const saysSomething =
    /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(trimmed) || /^(?:[.~/*]|\.\.)$/.test(trimmed);
  if (!saysSomething || isNothing(trimmed) || TURN.test(trimmed) || GARBLED.test(trimmed)) {
    return false;
  }
  if (trimmed.lastIndexOf("/*") > trimmed.lastIndexOf("*/")) return false;
  if (OPENING_SIGN.test(trimmed) || UNFINISHED.test(trimmed)) return false;
  return !speaksOfNames(trimmed, [...keys, toolName]) && !isCode(trimmed) && isBalanced(trimmed);
}

/** Whether a text shows the form of its field: `src/a.ts` for a path, not "Which file?". */
export function showsForm(text: string, { name, description }: BareField): boolean {
  const head =
    /^[\p{L}\p{N} -]+?(?= (?:of|for|to|in|on)\b|[,.;:(]|$)/u.exec(description)?.[0] ?? "";
  const forms = [name, head].map((each) => formOf(stemOf(wordsOf(each).at(-1) ?? "")));
  const form = forms.find((each) => each !== undefined);
  if (form !== undefined) return form.shows(text.trim());
  // Of a field without a form it is known only that it holds one thing: a word, or a name.
  return !isSentence(text) && isNameLike(text.trim());
}

/** Whether a text is one word, or a few that each begin with a capital or a digit: `New York`. */
function isNameLike(text: string): boolean {
  const words = text.split(" ");
  const isName = words.length === 1 || words.every((word) => /^[\p{Lu}\p{Lt}\p{N}]/u.test(word));
  return isName && words.length < 7 && !/\n|^\w+: |(?!["'%*#&@/])\p{Po}$/u.test(text);
}

/** Whether a text is, begins or sets one of the names: then it is a piece of a call. */
function speaksOfNames(text: string, names: readonly string[]): boolean {
  const start = text.toLowerCase();
  const isNamed = names.some(
    (name) =>
      foldName(name) === foldName(text) ||
      (name.includes("_") && text.includes(name)) ||
      (text.length > 3 && name.toLowerCase().startsWith(start)),
  );
  const folded = new Set(names.map(foldName));
  return isNamed || text.split("\n").some((line) => folded.has(foldName(keyOfLine(line))));
}

/** What a line sets: `path` of `- path: a.txt` and `Path - a.txt`. */
function keyOfLine(line: string): string {
  return /^[\s\-*]*([\w\s-]{1,60}?)["'`*]*\s*(?:[:=(]|=>| - )/.exec(line)?.[1] ?? " ";
}

/** Whether a text assigns something, or calls something with named arguments. */
function isCode(text: string): boolean {
  return /^(?:[$@]|let |const |var )?[A-Za-z_]\w*(?::?=|\s*:?=\s*["'[{])|^\w+\(\s*\w+\s*=/.test(
    text,
  );
}

const OPENING = "([{";
const CLOSING = ")]}";

/** Whether brackets and double quotes close in order; a smiley is no bracket. */
function isBalanced(text: string): boolean {
  const open: number[] = [];
  let quotes = 0;
  for (const char of text.replace(/\\./g, "").replace(/[:;]-?[()]/g, "")) {
    if (char === '"') quotes += 1;
    if (OPENING.includes(char)) open.push(OPENING.indexOf(char));
    else if (CLOSING.includes(char) && open.pop() !== CLOSING.indexOf(char)) return false;
  }
  return open.length === 0 && quotes % 2 === 0;
}
