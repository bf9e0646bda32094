import { isJsonObject } from "../json.ts";
import { JSON_NUMBER } from "../read/numbers.ts";
import type { SchemaNode, Variant } from "../schema/node.ts";
import type { JsonValue } from "../types.ts";
import { foldName, hasSameWords, hasStyle, isSameName, stemOf, wordsOf } from "./names.ts";
import type { BareText, Want } from "./types.ts";
import { formOf, isNothing, shows } from "./vocabulary.ts";

/** Whether a text begins as an object, an array or a code fence does, in quotes or not. */
export function opensContainer(text: string): boolean {
  return /^[\s"'`\\]*[[{]|^\s*```/.test(text);
}

/** The kinds of elements of the wanted lists. */
export function elementsOf({ node }: Want): readonly Variant[] {
  return node.of("array").flatMap((list) => list.itemAt(0)?.variants() ?? []);
}

/** Whether an object looks as if it belongs at a place: one key is declared, or all, deeper too. */
export function fitsAt(value: JsonValue, node: SchemaNode, how: "known" | "snug"): boolean {
  if (how === "snug") return isSnug(value, node, new Map());
  if (!isJsonObject(value)) return true;
  const keys = Object.keys(value);
  const isKnown = ({ properties }: Variant) =>
    properties.size === 0 || keys.length === 0 || keys.some((key) => properties.has(key));
  return node.of("object").some(isKnown);
}

/** Each value and place is asked about once: branches of branches ask again and again. */
function isSnug(
  value: JsonValue,
  node: SchemaNode,
  asked: Map<object, Map<SchemaNode, boolean>>,
): boolean {
  if (value === null || typeof value !== "object") return true;
  const answers = asked.get(value) ?? new Map<SchemaNode, boolean>();
  const known = answers.get(node);
  if (known !== undefined) return known;
  const isList = Array.isArray(value);
  const answer = node.of(isList ? "array" : "object").some(({ itemAt, keyAt }) =>
    Object.entries(value).every(([key, child]) => {
      const place = isList ? itemAt(Number(key)) : keyAt(key);
      if (place === undefined) return isList && !isJsonObject(child);
      return isSnug(child as JsonValue, place, asked);
    }),
  );
  asked.set(value, answers.set(node, answer));
  return answer;
}

/** A longer text is no list of tokens. */
const MAX_LIST = 20_000;
/** Longer texts are no number, word, choice or range. */
export const MAX_WORD = 200;

/** Commas that can only group: the first group is short, or a point follows; `_` before 3 digits. */
const GROUPED = /^-?[1-9](?:\d?(?:,\d{3}){2,}|\d{0,2}(?:,\d{3})+\.\d+|\d{0,2}(?:_\d{3})+)$/;
/** `1.250` is a little over one, or 1250 if a point groups. */
const THOUSANDS = /^-?[1-9]\d{0,2}\.\d{3}$/;

/** The JSON number that a text writes: `+5`, `.5`, `1_000`, but not `1,000`, which has two readings. */
export function jsonNumberOf(text: string): string | undefined {
  const plain = text.replace(/^\+(?=[\d.])/, "").replace(/^(-?)\.(?=\d)/, "$10.");
  const number = GROUPED.test(plain) ? plain.replace(/[,_]/g, "") : plain;
  return JSON_NUMBER.test(number) && !THOUSANDS.test(number) ? number : undefined;
}

/** The parts of a text between line breaks, semicolons or commas, if it has only one of these signs. */
function partsOf(text: string): readonly string[] {
  const signs = [/\n/, /;/, /[,，、]/].filter((each) => each.test(text));
  const [sign = ""] = signs;
  if (text.length > MAX_LIST || signs.length !== 1) return [];
  return text
    .trim()
    .split(sign)
    .map((part) => part.trim());
}

/** A part with letters and other signs, which is no word of a language. */
const hasCodeShape = (text: string) =>
  /^(?!-).*(?:\p{L}.*[\p{N}_@.#/:]|[\p{N}_@.#/:].*\p{L})/u.test(text);

/** The parts of a plain list: numbers, three tokens or more, or two codes; two words may be a name and its place. */
export function listParts(text: string, want: Want): readonly JsonValue[] | undefined {
  const parts = partsOf(text);
  if (parts.length < 2) return undefined;
  const kinds = elementsOf(want);
  if (kinds.length > 0 && kinds.every(({ type }) => type === "number")) {
    // `1,2` may be one and two tenths.
    return !/,\S/.test(text) && parts.every((part) => JSON_NUMBER.test(part)) ? parts : undefined;
  }
  const takesText = kinds.every(({ type }) => type === "string" || type === undefined);
  const areCodes = parts.every(hasCodeShape);
  // `101,102,103` may be one number.
  const isNumber = /,\S/.test(text) && parts.every((part) => /^\d+$/.test(part));
  const areLinks = parts.every(isLink) || !parts.some(isLink);
  const isList = (parts.length > 2 || areCodes) && areLinks && !isNumber;
  return takesText && isList && parts.every(isSingleToken) ? parts : undefined;
}

/** From one number, letter or short name to another: `A1-A9`, `3..5`; `Mon-Fri`. */
const isRange = (text: string) =>
  /(?<![\p{L}\p{N}-])(\p{L}*)\d+\p{L}?(?:[-–—~〜～]|\.{2,}|…)\1\d+\p{L}?(?![\w-])/u.test(text) ||
  /(?<![\p{L}\p{N}-])(?:\p{L}|\p{Lu}\p{Ll}{1,2})[-–—~〜～](?:\p{L}|\p{Lu}\p{Ll}{1,2})$/u.test(text);
/** Letters, digits and the signs of an address: no separator of any script, and none at an edge. */
const isSingle = (text: string) =>
  /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_@.-]*[\p{L}\p{M}\p{N}])?$/u.test(text);
/** A word by a hyphen (`not-A1`), an amount (`2x`, `5kg`), or two codes (`A1-B7`, `R9_to_R10`): no one code. */
const mayBeMore = (text: string) =>
  /(?:^|-)\p{Ll}+-|-\p{Ll}+$|^\d+\p{L}|\d\p{Ll}{3,}$|\p{L}\d.*[-._].*\p{L}\d/u.test(text);
const isFile = (text: string) =>
  /^[.~]{0,2}\/?(?:[\p{L}\p{N}_.-]+\/)*[\p{L}\p{N}_-]+\.\p{L}{2,5}$/u.test(text);
const isLink = (text: string) => /^https?:\/\/[^\s,;|+&]+[\p{L}\p{M}\p{N}]$/u.test(text);

/** Whether a text is a single token: no list, no pair and no range. */
function isSingleToken(text: string): boolean {
  if (text.length > MAX_WORD || isRange(text)) return false;
  // In a script without spaces, a word may be stuck to a code: `A2以外` leaves `A2` out.
  if (isUnspaced(text) && /\w/.test(text)) return false;
  return (isSingle(text) && !mayBeMore(text)) || isFile(text) || isLink(text);
}

/** Whether a text is one thing: a name of some words, a token, a file or a link. */
export function isOneThing(text: string): boolean {
  if (text.length > MAX_WORD || isRange(text)) return false;
  return isNameOfWords(text) || isFile(text) || isLink(text) || /^\+\d{6,15}$/.test(text);
}

/** One word, or a name: several with capitals. A script without spaces may write several words. */
const isNameOfWords = (text: string) =>
  (isSingle(text) ||
    /^(?:[\p{Lu}\p{Lt}\p{N}][\p{L}\p{M}\p{N}_.'’-]*(?: |(?<![.'’-])$))+$/u.test(text)) &&
  !(isUnspaced(text) && text.length > 2);

/** The parts of a text if every one is a choice, in any spelling. */
export function choicesIn(text: string, choices: Choices): readonly string[] | undefined {
  const isChoice = (part: string) => sameChoice(part, choices) !== undefined;
  const parts = partsOf(text);
  return parts.length > 1 && parts.every(isChoice) && !isChoice(text) ? parts : undefined;
}

/** The texts that a place accepts, by their names without case and separators. */
interface Choices {
  readonly texts: readonly string[];
  readonly folded: ReadonlyMap<string, readonly string[]>;
  /** The case that all share: then case has no meaning, not even in a short one. */
  readonly style: "capitals" | "words" | undefined;
  /** Whether each letter counts: `Mb` beside `MB`, or `mbar` beside `bar` or `kbar`. */
  readonly isScaled: boolean;
}

const known = new WeakMap<SchemaNode, Choices>();

/** The choices of a place. A single text in capitals must be typed exactly, and is none. */
export function choicesOf(node: SchemaNode): Choices {
  const made = known.get(node);
  if (made !== undefined) return made;
  const values = node.variants().flatMap((variant) => variant.values ?? []);
  const all = new Set(values.filter((value) => typeof value === "string"));
  const [only = ""] = all;
  const isTyped = values.length === 1 && /^\P{Ll}*\p{Lu}{3}\P{Ll}*$/u.test(only);
  const texts = isTyped ? [] : [...all];
  const folded = new Map<string, string[]>();
  for (const text of texts) {
    folded.set(foldChoice(text), [...(folded.get(foldChoice(text)) ?? []), text]);
  }
  const areAll = (style: RegExp) => texts.every((each) => style.test(each));
  const areWords = areAll(/^\P{Lu}*$/u) || areAll(/^(?:\p{Lu}\p{Ll}*\P{L}*)+$/u);
  const style = areAll(/^\P{Ll}{2,}$/u) ? "capitals" : areWords ? "words" : undefined;
  const ends = new Set([...texts, ...texts.map((each) => each.slice(1))]);
  const isScaled = folded.size < texts.length || ends.size < 2 * texts.length;
  const choices = { texts, folded, isScaled, style: isScaled ? undefined : style } as const;
  known.set(node, choices);
  return choices;
}

const foldChoice = (text: string) => foldName(text.toUpperCase());

/** The choice that a text equals except for case, spaces, punctuation or quotes. */
export function sameChoice(
  text: string,
  { texts, folded, style, isScaled }: Choices,
): string | undefined {
  const [choice, ...others] = folded.get(foldChoice(text)) ?? [];
  if (choice === undefined || text === choice) return choice;
  if (others.length > 0) return texts.find((each) => each === text);
  // `in active` is not `inactive`.
  if (!hasSameWords(text, choice) || foldName(text) === "" || text.includes("?")) return undefined;
  const letters = lettersOf(choice);
  // In a short choice, a sign or the case may carry meaning, unless all choices have one style.
  if (letters === lettersOf(text)) {
    return isSameName(text, choice) && (letters.length > 3 || style) ? choice : undefined;
  }
  // Other signs are a format (`HH:mm`), and capitals inside a word a meaning (`MBps`, `Mbps`).
  const isCase =
    hasStyle(text) &&
    (/\s/.test(choice) || hasStyle(choice)) &&
    !/[^\p{L}\p{M}\p{N}\s_.'-]/u.test(choice);
  if (!isCase || isScaled || !isPlainCase(text) || !isPlainCase(choice)) return undefined;
  // Beside signs such as `kPa`, a capital may be one in a short word, too.
  const isShouted = /^\p{Lu}{4,}$/u.test(text);
  const isLong = letters.length > (style === undefined && !isShouted ? 5 : 3);
  const isStyled = style === "capitals" ? text === text.toLowerCase() : style && areWords(choice);
  return isLong || isStyled ? choice : undefined;
}

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "");
const areWords = (text: string) => /^\p{L}{3,}(?:[\s_-]\p{L}{3,})*$/u.test(text);

/** Whether every word is in small letters, in capitals, or begins with its only one. */
function isPlainCase(text: string): boolean {
  return text
    .split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u)
    .every((word) => /^(?:\P{Ll}*|\p{L}\P{Lu}*)$/u.test(word));
}

/** The origin of a bare text. In place of a tool call's arguments, it may be anything. */
export function bareTextOf(
  raw: unknown,
  value: JsonValue,
  isToolCall: boolean,
  isParsed: boolean,
): BareText {
  const isQuoted = typeof raw === "string" && raw !== value && raw.trim().startsWith('"');
  const isString = isQuoted || (isToolCall && isParsed);
  return isString ? "string" : isToolCall ? "none" : "text";
}

/** Signs of no value: control characters, half characters, tokens, a fence, half a quotation. */
const isGarbled = (text: string) =>
  /(?![\n\r\t])\p{Cc}|\ufffd|\p{Cs}|^[^“„«]*[”»]|<\|?\/?[a-z]|\[\/\w+\]|```/su.test(text);
/** The beginnings of JSON, calls and quotations, except selectors (`.item`, `#buy`, `[name=q]`). */
const isOpening = (text: string) =>
  /^(?!\.[\w-]|#[\w-]|:[\w-]|\[[\w-]+[~|^$*]?=|\[[a-z-]+\])[\p{Ps}\p{Pi},;)\]}=:"'`<$]/u.test(text);
/** The ends of a text that goes on, and signs of a piece of JSON within. */
const UNFINISHED = /[,:([{=\\|<>`]$|&&$|(?:^|\s)'[^']*$|\{["']|\[\{|\w\[["']/;

/** Whether a bare text is one value: no piece of JSON, of a call or of a turn, and no name. */
export function isWholeText(text: string, names: readonly string[]): boolean {
  const saysSomething =
    /[\p{L}\p{N}\p{Extended_Pictographic}]|^(?:[.~/*]|\.\.)$/u.test(text) && !isNothing(text);
  const isOpen = text.lastIndexOf("/*") > text.lastIndexOf("*/");
  const count = (sign: string) => text.split(sign).length;
  const isPaired =
    count("(") === count(")") && count("[") === count("]") && count("{") === count("}");
  const isPiece =
    isOpen || !isPaired || isGarbled(text) || isOpening(text) || UNFINISHED.test(text);
  const [start = ""] = text.slice(0, MAX_WORD).split(/[:=(]/, 1);
  const folded = [foldName(text), foldName(start)];
  const isName = names.some((name) => folded.includes(foldName(name)));
  return saysSomething && !isPiece && !isName;
}

/** Whether a text shows the form of its field: `src/a.ts` for a path, not "Which file?". */
export function showsForm(text: string, name: string, said: string, isQuoted: boolean): boolean {
  const [head = ""] = said.split(/ (?:of|for|to|in|on)\b|[^\p{L}\p{N} -]/u);
  const [form] = [name, head].flatMap((each) => formOf(stemOf(wordsOf(each).at(-1) ?? "")) ?? []);
  if (form !== undefined) {
    // A `path/to/file` stands for a path.
    const isSlot = form.isTyped !== true && wordsOf(text).some((word) => form.words.has(word));
    return shows(form, text) && !isSlot;
  }
  // A field without a form takes a JSON string; other text only if each of its words is a code.
  const isEnded = /\n|^\w+: |[=([{]|\d[,;、]|(?!["'%*#&@/])\p{Po}$/u.test(text);
  const areCodes = text.split(" ").every((word) => /\d|\w(?:[:@]\w|:\/\/)/.test(word));
  return isQuoted || (areCodes && !isEnded && !isUnspaced(text));
}

/** Scripts that write no space between words. */
const isUnspaced = (text: string) =>
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Lao}|\p{Script=Khmer}|\p{Script=Myanmar}/u.test(
    text,
  );
