import type { SchemaNode } from "../schema/node.ts";
import type { JsonValue } from "../types.ts";
import { elementsOf } from "./containers.ts";
import { foldName, hasSameParts, isSameName, stemOf, wordsOf } from "./names.ts";
import type { BareText, Want } from "./types.ts";
import { formatOf, formOf, isNothing, isSentence, shows } from "./vocabulary.ts";

/** A longer text is no list of tokens. */
const MAX_LIST = 20_000;
/** A longer text is no range and no pair. */
const MAX_WORD = 200;

export const JSON_NUMBER: RegExp = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** Commas that can only group: the first group is short, or a point follows; `_` before 3 digits. */
const GROUPED = /^-?[1-9](?:\d?(?:,\d{3}){2,}|\d{0,2}(?:,\d{3})+\.\d+|\d{0,2}(?:_\d{3})+)$/;
/** `1.250` is a little over one, or 1250 if a point groups. */
const THOUSANDS = /^-?[1-9]\d{0,2}\.\d{3}$/;

/**
 * The JSON number that a text writes, also with a plus, without the zero before its point, and with
 * separators that can only group: `"1,000"` and `"10.000"` have two readings.
 */
export function jsonNumberOf(text: string): string | undefined {
  const plain = text.replace(/^\+(?=[\d.])/, "").replace(/^(-?)\.(?=\d)/, "$10.");
  const number = GROUPED.test(plain) ? plain.replace(/[,_]/g, "") : plain;
  return JSON_NUMBER.test(number) && !THOUSANDS.test(number) ? number : undefined;
}

/** The parts of a text between line breaks, semicolons or commas, if it has only one of these. */
function splitText(text: string): readonly string[] {
  const trimmed = text.length > MAX_LIST ? "" : text.trim();
  const [sign, ...others] = [/\n/, /;/, /[,，、]/].filter((each) => each.test(trimmed));
  return sign === undefined || others.length > 0 ? [] : trimmed.split(sign).map(trim);
}

const trim = (text: string) => text.trim();

/** A part that is one thing, not a word of a sentence or of a name. */
const TOKEN = /^[\p{L}\p{N}_@.+#%/&:-]*[\p{L}\p{N}]$/u;
/** A part with letters and other signs, which is no word of a language. */
const CODE = /\p{L}.*[\p{N}_@.#/:]|[\p{N}_@.#/:].*\p{L}/u;

/**
 * The parts of a plain list: codes of one shape, or numbers, or tokens on marked lines. Words may be
 * a name, an address or a remark: `Paris, France`, `none of these`.
 */
export function listParts(text: string, want: Want): readonly JsonValue[] | undefined {
  const lines = splitText(text);
  const isMarked = lines.every((line) => /^(?:[-*•]|\d+[.)]) /.test(line));
  const parts = isMarked ? lines.map((line) => line.replace(/^\S+ +/, "")) : lines;
  if (parts.length < 2 || !parts.every((part) => TOKEN.test(part))) return undefined;
  const kinds = elementsOf(want);
  if (kinds.length > 0 && kinds.every(({ type }) => type === "number" || type === "integer")) {
    // `1,2` may be one and two tenths, and `- 5` five below zero.
    const isClear = !/,\S|^\s*- /.test(text);
    return isClear && parts.every((part) => JSON_NUMBER.test(part)) ? parts : undefined;
  }
  const takesText = kinds.every(({ type }) => type === "string" || type === undefined);
  const isOneShape = new Set(parts.map(shapeOf)).size === 1;
  const areSure = parts.every((part) => (isMarked ? /\p{L}/u : CODE).test(part));
  return takesText && isOneShape && areSure ? parts : undefined;
}

/** The shape of a token: how it begins, and its signs, or whether it has digits. */
const shapeOf = (part: string) => {
  const start = /^\p{Lu}/u.test(part) ? "A" : /^\p{N}/u.test(part) ? "1" : "a";
  const signs = new Set(part.match(/[^\p{L}\p{M}\p{N}]/gu) ?? [`${/\p{N}/u.test(part)}`]);
  return [start, ...[...signs].sort()].join(" ");
};

/** From one number, letter or short name to another: `A1-A9`, `3..5`, `Mon-Fri`. */
const RANGE =
  /(?<![\p{L}\p{N}-])(?:(\p{L}*)\d+(?:[-–—~〜～]|\.{2,}|…)\1\d+(?![\w-])|(?:\p{L}|\p{Lu}\p{Ll}{1,2})[-–—~〜～](?:\p{L}|\p{Lu}\p{Ll}{1,2})$)/u;
/** Letters, digits and the signs of an address: no separator of any script, and none at an edge. */
const SINGLE = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_@.-]*[\p{L}\p{M}\p{N}])?$/u;
const FILE = /^[.~]{0,2}\/?(?:[\p{L}\p{N}_.-]+\/)*[\p{L}\p{N}_-]+\.\p{L}{2,5}$/u;
const LINK = /^https?:\/\/[^\s,;|+&]+[\p{L}\p{M}\p{N}]$/u;

/** Whether a text is a single token: no list, no pair and no range. */
export function isSingleToken(text: string): boolean {
  if (text.length > MAX_WORD || UNSPACED.test(text) || RANGE.test(text)) return false;
  return [SINGLE, FILE, LINK].some((one) => one.test(text));
}

/** Whether a token is clearly no word of a language: it has a digit, or the signs of a path or an address. */
export function isCode(token: string): boolean {
  return /\p{N}|^https?:|@/u.test(token) || FILE.test(token);
}

/** The parts of a text if every one is a choice, in any spelling. */
export function choicesIn(text: string, choices: Choices): readonly string[] | undefined {
  const isChoice = (part: string) => sameChoice(part, choices) !== undefined;
  const sign = ["\n", ";", ",", "，", "、"].find((each) => text.includes(each));
  if (sign === undefined || text.length > MAX_LIST || isChoice(text)) return undefined;
  const parts = text.split(sign).map(trim);
  return parts.every(isChoice) ? parts : undefined;
}

/** The texts that a place accepts. */
interface Choices {
  readonly texts: readonly string[];
  /** By their names without case and separators. */
  readonly folded: ReadonlyMap<string, readonly string[]>;
  /** Whether one is another behind a letter, as `mbar` is of `bar`: then each letter counts. */
  readonly isScaled: boolean;
  /** The case that all share. */
  readonly style: "capitals" | "words" | undefined;
}

const known = new WeakMap<SchemaNode, Choices>();

/** The choices of a place. A single text in capitals must be typed exactly, and is none. */
export function choicesOf(node: SchemaNode): Choices {
  const choices = known.get(node) ?? toChoices(node);
  known.set(node, choices);
  return choices;
}

function toChoices(node: SchemaNode): Choices {
  const variants = node.variants();
  const values = variants.flatMap((variant) => variant.values ?? []);
  const all = new Set(values.filter((value) => typeof value === "string"));
  const [only = ""] = all;
  const isTyped =
    all.size === 1 && variants.length === 1 && /^\P{Ll}*\p{Lu}{3}\P{Ll}*$/u.test(only);
  const texts = isTyped ? [] : [...all];
  const folded = new Map<string, string[]>();
  for (const text of texts) {
    folded.set(foldChoice(text), [...(folded.get(foldChoice(text)) ?? []), text]);
  }
  const areAll = (style: RegExp) => texts.every((each) => style.test(each));
  const areWords = areAll(/^\P{Lu}*$/u) || areAll(/^(?:\p{Lu}\p{Ll}*\P{L}*)+$/u);
  const style = areAll(/^\P{Ll}{2,}$/u) ? "capitals" : areWords ? "words" : undefined;
  return { texts, folded, isScaled: texts.some((text) => all.has(text.slice(1))), style };
}

const foldChoice = (text: string) => foldName(text.toUpperCase());

/** The choice that a text equals except for case, spaces, punctuation or quotes. */
export function sameChoice(text: string, choices: Choices): string | undefined {
  const [choice, ...others] = choices.folded.get(foldChoice(text)) ?? [];
  if (choice === undefined || text === choice) return choice;
  if (others.length > 0) return choices.texts.find((each) => each === text);
  if (foldName(text) === "" || text.includes("?")) return undefined;
  return isSameChoice(text, choice, choices) ? choice : undefined;
}

/** With few letters, case may carry meaning: then the choices must show that it does not. */
function isSameChoice(text: string, choice: string, { isScaled, style }: Choices): boolean {
  const lettersOf = (each: string) => each.replace(/[^\p{L}\p{N}]/gu, "");
  if (lettersOf(text) === lettersOf(choice)) return isSameName(text, choice);
  // Other signs are a format (`HH:mm`), and capitals inside a word carry meaning (`MBps` and
  // `Mbps`).
  if (/[^\p{L}\p{M}\p{N}\s_.'-]/u.test(choice) || !hasSameParts(text, choice)) return false;
  if (!isPlainCase(text) || !isPlainCase(choice)) return false;
  if (lettersOf(choice).length > 5 || /^\p{Lu}{4,}$/u.test(text)) return true;
  if (isScaled) return false;
  if (style === "capitals") return text === text.toLowerCase();
  return style === "words" && /^\p{L}{3,}(?:[\s_-]\p{L}{3,})*$/u.test(choice);
}

/** Whether every word is in small letters, in capitals, or begins with its only one. */
function isPlainCase(text: string): boolean {
  return text
    .split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .every((word) => /^(?:\P{Ll}*|\p{L}\P{Lu}*)$/u.test(word));
}

/**
 * Returns the origin of a bare text: a JSON string; the text that an agent writes its inputs in; or
 * text in place of a tool call's arguments, which may be anything.
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

/** Signs of no value: control characters, half characters, tokens, a fence, half a quotation. */
const GARBLED = /(?![\n\r\t])\p{Cc}|\ufffd|\p{Cs}|^[^“„«]*[”»]|<\|?\/?[a-z]|\[\/\w+\]|```/su;
/** The beginnings of JSON, calls and quotations, except selectors (`.item`, `#buy`, `[name=q]`). */
const OPENING_SIGN =
  /^(?!\.[\w-]|#[\w-]|:[\w-]|\[[\w-]+[~|^$*]?=|\[[a-z-]+\])[\p{Ps}\p{Pi},;)\]}=:"'`<$]/u;
/** The ends of a text that goes on, and signs of a piece of JSON within. */
const UNFINISHED = /[,:([{=\\|<>`]$|&&$|(?:^|\s)'[^']*$|\{["']|\[\{|\w\[["']/;

/**
 * Whether a bare text is one value: no piece of JSON, of a call or of a turn, and no name of a field
 * or of the tool.
 */
export function isWholeText(text: string, names: readonly string[]): boolean {
  const saysSomething =
    /[\p{L}\p{N}\p{Extended_Pictographic}]|^(?:[.~/*]|\.\.)$/u.test(text) && !isNothing(text);
  const isOpen = text.lastIndexOf("/*") > text.lastIndexOf("*/");
  const isPiece = isOpen || [GARBLED, OPENING_SIGN, UNFINISHED].some((sign) => sign.test(text));
  return saysSomething && !isPiece && isBalanced(text) && !speaksOfNames(text, names);
}

/** Whether a text is, begins with or assigns one of the names: then it is a piece of a call. */
function speaksOfNames(text: string, names: readonly string[]): boolean {
  const lines = text.split("\n").map((line) => line.replace(/^[\s*-]+/, ""));
  const set = lines.map((line) => foldName(line.slice(0, MAX_WORD).split(/[:=(]| - /, 1)[0] ?? ""));
  return names.some(
    (name) =>
      [foldName(text), ...set].includes(foldName(name)) ||
      (name.includes("_") && text.includes(name)) ||
      (text.length > 3 && name.toLowerCase().startsWith(text.toLowerCase())),
  );
}

/** Whether brackets and double quotes close in order; a smiley is no bracket. */
function isBalanced(text: string): boolean {
  const signs = text.replace(/\\.|[:;]-?[()]|[^"()[\]{}]/gs, "");
  if (signs.split('"').length % 2 === 0) return false;
  let open = "";
  for (const sign of signs.replaceAll('"', "")) {
    const opening = "([{"[")]}".indexOf(sign)];
    if (opening === undefined) open += sign;
    else if (open.endsWith(opening)) open = open.slice(0, -1);
    else return false;
  }
  return open === "";
}

/**
 * Whether a text shows the form of its field: `src/a.ts` for a path, not "Which file?". If any words
 * have that form, only quotes show that they are its value, or that each is a code.
 */
export function showsForm(
  text: string,
  { name, description }: { readonly name: string; readonly description: string },
  isQuoted: boolean,
): boolean {
  const [head = ""] = description.split(/ (?:of|for|to|in|on)\b|[^\p{L}\p{N} -]/u);
  const forms = [name, head].map((each) => formOf(stemOf(wordsOf(each).at(-1) ?? "")));
  const form = forms.find((each) => each !== undefined);
  if (form !== undefined && (isQuoted || form.isProse !== true)) {
    // A `path/to/file` stands for a path.
    const isSlot = form.isTyped !== true && wordsOf(text).some((word) => form.words.has(word));
    return shows(form, text) && !isSlot;
  }
  const words = text.split(" ");
  if (!isQuoted) return words.every((each) => SHOWN.test(each) || formatOf(each) !== undefined);
  // A field without a form is only known to hold one thing: a word, or a name (`New York`).
  const isName = words.length === 1 || words.every((word) => /^[\p{Lu}\p{Lt}\p{N}]/u.test(word));
  const isEnded = /\n|^\w+: |[=([{]|(?!["'%*#&@/])\p{Po}$/u.test(text);
  // A text without spaces may be many words in a script that writes none.
  return isName && words.length < 7 && !isEnded && !UNSPACED.test(text) && !isSentence(text);
}

/** A token that is no word of a language: it has a digit, or a colon or at sign inside. */
const SHOWN = /^(?=[^\s]*(?:\d|\w[:@]\w))[\w@+][\w@.:/+-]*\w$|^\d$/;

/** Scripts that write no space between words. */
const UNSPACED =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}/u;
