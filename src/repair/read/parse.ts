import { isContainer, jsonEquals } from "../json.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { JSON_NUMBER, losesDigits } from "./numbers.ts";
import {
  asPunctuation,
  BLANK,
  CUT,
  type Dialect,
  endOf,
  fail,
  isEnd,
  JSON_DIALECT,
  matchesAt,
  REFUSED,
  readString,
  skipBlanks,
  skipSpace,
} from "./tokens.ts";

/** A value, and its place in the text. */
export interface Node {
  readonly kind: "object" | "list" | "string" | "number" | "literal" | "bare";
  readonly value: JsonValue;
  readonly from: number;
  readonly to: number;
  /** The parts of an object or list; a list's have the key `""`. */
  readonly parts?: readonly (readonly [key: string, node: Node])[];
}

/** Called for each value, so that a limit can stop the reading by throwing. */
export type Step = () => void;

export type Parsed =
  | {
      readonly kind: "value";
      readonly node: Node;
      /** Whether an object has one key twice, with different values. */
      readonly hasTwins: boolean;
    }
  /** The text ends within it. `completed` is the value if only closing braces are missing. */
  | { readonly kind: "truncated"; readonly completed?: Node }
  | { readonly kind: "refused" };

export interface ParseOptions {
  /** Whether it is the named arguments of a call in parentheses: `(a=1, b="x")`. */
  readonly isCall?: boolean;
  readonly step?: Step | undefined;
}

/**
 * Parses the value that begins at a place of a text. It loses nothing: everything up to its end is
 * in the value, with its place, or is punctuation, white space or a comment without content.
 */
export function parse(
  text: string,
  start: number,
  dialect: Dialect,
  options: ParseOptions = {},
): Parsed {
  const parser = new Parser(text, start, dialect, options);
  try {
    const node = options.isCall ? parser.container("(", true) : parser.value();
    if (parser.isCut) return { kind: "truncated", ...(parser.mayComplete && { completed: node }) };
    return { kind: "value", node, hasTwins: parser.hasTwins };
  } catch (error) {
    if (error !== CUT && error !== REFUSED) throw error;
    return { kind: error === CUT ? "truncated" : "refused" };
  }
}

/**
 * Whether an object in JSON text has one key twice, with different values. Parses only if `value`,
 * the result of `JSON.parse`, has fewer keys than the text may have.
 */
export function hasTwinKeys(text: string, value?: JsonValue): boolean {
  const count = (json: string) => json.match(KEY_ENDS)?.length ?? 0;
  if (value !== undefined && count(text) <= count(JSON.stringify(value))) return false;
  const parsed = parse(text.trim(), 0, JSON_DIALECT);
  return parsed.kind === "value" && parsed.hasTwins;
}

/** Writes a value as JSON text, with numbers written as in the text. */
export function writeJson({ kind, value, from, to, parts = [] }: Node, text: string): string {
  const inner = parts.map(([key, node]) => {
    return (kind === "object" ? `${JSON.stringify(key)}:` : "") + writeJson(node, text);
  });
  if (kind === "object") return `{${inner.join(",")}}`;
  if (kind === "list") return `[${inner.join(",")}]`;
  const written = text.slice(from, to);
  return kind === "number" && JSON_NUMBER.test(written) ? written : JSON.stringify(value);
}

/** Deeper brackets are not read: no sensible limit of depth is higher. */
const MAX_DEPTH = 200;

/**
 * The token at a place: a bracket, comma, colon, `=` or `+` (a fullwidth sign or `;` as the sign
 * that was meant), a quote, a word, or the end of the text or of the code fence around it.
 */
type Token = string;

/** An object, list, tuple or call that is being read. */
interface Container {
  readonly bracket: string;
  readonly from: number;
  readonly value: JsonObject | JsonValue[];
  readonly parts: [key: string, node: Node][];
  /** The last part, until a comma follows it. */
  last: Node | undefined;
  separator: string;
}

class Parser {
  /** The open brackets, outermost first. */
  readonly open: string[] = [];
  hasTwins = false;
  /** Whether a comma stood before the last closing bracket. */
  lastTrailed = false;
  /** Whether the text ended after a complete value, and whether only braces were missing then. */
  isCut = false;
  mayComplete = true;

  readonly text: string;
  at: number;
  readonly dialect: Dialect;
  readonly options: ParseOptions;

  constructor(text: string, at: number, dialect: Dialect, options: ParseOptions) {
    this.text = text;
    this.at = at;
    this.dialect = dialect;
    this.options = options;
  }

  value(): Node {
    const { dialect, options, text } = this;
    options.step?.();
    const token = this.next(true);
    if (token === "end") throw CUT;
    if (token === "quote") return this.string();
    if (token === "word") return this.word();
    if (token === "{" && dialect.isLoose && matchesAt(DOUBLED, text, this.at)) {
      this.at += 1;
      const node = this.container(token, true);
      const second = this.isCut ? "end" : this.next(false);
      if (second === "end") this.cut(false);
      else if (second !== "}") fail();
      this.at += 1;
      return node;
    }
    const isOpening = "{[".includes(token) || (token === "(" && dialect !== JSON_DIALECT);
    return isOpening ? this.container(token, token === "{") : fail();
  }

  /** Skips white space and comments without content, and returns the next token. */
  private next(beforeValue: boolean): Token {
    const { text, dialect } = this;
    if (dialect.isLoose) this.at = skipSpace(text, this.at, beforeValue) ?? fail();
    else while (" \n\r\t".includes(text.charAt(this.at) || "-")) this.at += 1;
    const char = text.charAt(this.at);
    if (char >= "a" && char <= "z") return "word";
    if (char === "" || (char === "`" && isEnd(text, this.at))) return "end";
    if (dialect.quotes.includes(char)) return "quote";
    const sign = dialect.isLoose ? asPunctuation(char) : char;
    if (!"{}[](),:=+".includes(sign)) return "word";
    return sign === "+" && /[\d.]/.test(text.charAt(this.at + 1)) ? "word" : sign;
  }

  private string(): Node {
    const from = this.at;
    const { value, end: to } = readString(this.text, from, this.dialect);
    this.at = to;
    return { kind: "string", value, from, to };
  }

  /** Reads a word without quotes: a number, a literal, or in the loose dialect a string. */
  private word(): Node {
    const { at: from, dialect, open, text } = this;
    this.at = endOf(PLAIN_NUMBER, text, from);
    if (this.at > from) {
      return { kind: "number", value: Number(text.slice(from, this.at)), from, to: this.at };
    }
    const to = endOf(dialect.isLoose ? WORD : PLAIN_WORD, text, from);
    const word = text.slice(from, to);
    const meaning = meaningOf(word, dialect, open[0] !== "(");
    const mayGoOn = meaning ? meaning.kind !== "literal" : BEGINS_VALUE.test(word);
    if (mayGoOn && isEnd(text, skipBlanks(text, to))) throw CUT;
    const isThousands = open.at(-1) !== "{" && /^0\d/.test(word); // [1,000]
    if (meaning === undefined || isThousands) return fail();
    const isSentence = word.endsWith(".") || endOf(AFTER_BARE, text, to) === to;
    if (meaning.kind === "bare" && isSentence) fail();
    this.at = to;
    return { ...meaning, from, to };
  }

  /** Reads an object, list or tuple. */
  container(bracket: string, isObject: boolean): Node {
    if (this.open.length >= MAX_DEPTH) fail();
    const own: Container = {
      bracket,
      from: this.at,
      value: isObject ? {} : [],
      parts: [],
      last: undefined,
      separator: "",
    };
    this.open.push(bracket);
    this.at += 1;
    while (!this.isCut) {
      const token = this.next(!isObject && own.last === undefined);
      if (token === "end") this.cut(isObject && isWhole(own.last));
      else if (token === ",") this.comma(own);
      else if ("}])".includes(token)) {
        this.close(own, token);
        break;
      } else {
        this.part(own, token);
        if (!isObject && this.isCut) this.cut(false);
      }
    }
    this.open.pop();
    const { from, value, parts } = own;
    return { kind: isObject ? "object" : "list", value, from, to: this.at, parts };
  }

  /** Takes the closing bracket. A comma before it leaves nothing out if a value stands before that. */
  private close(own: Container, sign: Token): void {
    const { bracket, last, parts } = own;
    this.lastTrailed = last === undefined && parts.length > 0;
    if ("}])".charAt("{[(".indexOf(bracket)) !== sign) fail();
    if (this.lastTrailed && this.dialect === JSON_DIALECT) fail();
    if (isDoubtful(own, this.open.length)) fail();
    this.at += 1;
  }

  /** Reads a member of an object, or an element of a list. */
  private part(own: Container, token: Token): void {
    const { value } = own;
    const isList = Array.isArray(value);
    if (own.last !== undefined && !this.mayLackComma(own.last, isList, token)) fail();
    const key = isList ? "" : this.key(token);
    const node = this.value();
    if (isList) value.push(node.value);
    else this.member(value, key, node.value);
    own.parts.push([key, node]);
    own.last = node;
  }

  private member(object: JsonObject, key: string, value: JsonValue): void {
    if (Object.hasOwn(object, key) && !jsonEquals(object[key], value)) {
      // `JSON.parse` takes the last; once anything is repaired, which was meant is unknown
      if (this.dialect.isLoose) fail();
      this.hasTwins = true;
    }
    if (key !== "__proto__") object[key] = value;
    else Object.defineProperty(object, key, { ...OWN, value });
  }

  /** Reads a key and its colon; of a call's argument, the name and `=`. */
  private key(token: Token): string {
    const { text, at, dialect } = this;
    const isCall = this.open.at(-1) === "(";
    let key: string | undefined;
    if (token === "quote" && !isCall) {
      ({ value: key, end: this.at } = readString(text, at, dialect));
    } else {
      NAME.lastIndex = at;
      key = dialect.isLoose || isCall ? NAME.exec(text)?.[1] : undefined;
      this.at = NAME.lastIndex;
    }
    if (key === undefined) return fail();
    const next = this.next(true);
    if (next === "end") throw CUT;
    if (isCall ? next !== "=" : next !== ":" && !(next === "=" && dialect.isLoose)) fail();
    this.at += text.startsWith("=>", this.at) ? 2 : 1;
    return key;
  }

  /** Takes a comma. In a list all separators are alike; those of other scripts are between strings. */
  private comma(own: Container): void {
    const sign = this.text.charAt(this.at);
    const isMixed = own.separator !== "" && own.separator !== sign;
    const isOdd = "、，".includes(sign) && own.last?.kind !== "string";
    if (own.last === undefined || (Array.isArray(own.value) && (isMixed || isOdd))) fail();
    this.at += 1;
    own.separator = sign;
    own.last = undefined;
  }

  /** Whether a comma may be missing: between values that quotes or brackets hold apart. */
  private mayLackComma(last: Node, isList: boolean, token: Token): boolean {
    const { text, at, dialect } = this;
    if (!dialect.isLoose) return false;
    const isClosed = isContainer(last.value);
    // the comma may be the one at the end of the string, or inside the bracket
    if (isClosed ? this.lastTrailed : /[,;:]$/.test(String(last.value))) return false;
    if (at === last.to && !isClosed) return false;
    if (token === "quote") return /[\p{L}\p{N}_$@#]/u.test(text.charAt(at + 1));
    return isList && (token === "{" || token === "[");
  }

  /** Handles the end of the text. Only a value that is certainly whole can be completed. */
  private cut(isComplete: boolean): void {
    this.isCut = true;
    this.mayComplete &&= isComplete;
  }
}

/** The end of a key, and the same inside a string. */
const KEY_ENDS = /"\s*:/g;
const DOUBLED = /\{\{\s{0,20}["'“]/y;
const NAME = /([\p{L}_$][\p{L}\p{N}_$-]{0,99}|(?:0|[1-9]\d{0,14})(?![\w.]))["']?/uy;
const OWN = { enumerable: true, configurable: true, writable: true };

/** Whether a value is one that no cut-off can have shortened. */
function isWhole(last: Node | undefined): boolean {
  if (last?.kind === "string") return /\S$/.test(String(last.value));
  return isContainer(last?.value) || typeof last?.value === "boolean" || last?.value === null;
}

/**
 * Whether a list may be something else: `("x")` is a text, `[disabled]` a selector, and a last word
 * behind strings (`["a", "b", etc]`) may only say that there are more.
 */
function isDoubtful({ bracket, last, value, parts }: Container, depth: number): boolean {
  if (!Array.isArray(value)) return false;
  const end = parts.at(-1)?.[1];
  const isBare = end?.kind === "bare";
  if (parts.length === 1 && last !== undefined) return bracket === "(" || (depth === 1 && isBare);
  const hasStrings = () => parts.some(([, { kind }]) => kind === "string");
  return isBare && parts.length !== 2 && !/^\d/.test(String(end.value)) && hasStrings();
}

/** A number whose digits a double holds, and its delimiter. */
const PLAIN_NUMBER = /-?(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?(?=[,}\]])/y;
const PLAIN_WORD = /[\w+.-]+/y;
/** What may be the beginning of a number or literal. */
const BEGINS_VALUE = /^(?:[-+.]?|-?\d[\d.eE+-]*|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?)$/;

const URL_WORD = "https?://[^\\s\"'`“”‘’,;<>\\\\{}()[\\]]+";
const WORD = new RegExp(
  `${URL_WORD}|(?:(?!/\\*|\\\\[nrt])[^${BLANK},;:={}()[\\]"'\`“”„‟‘’‚＂｛｝［］（），、；：＝])+`,
  "y",
);
/** What follows a string without quotes: the end of its line, a comma, a bracket or a comment. */
const AFTER_BARE = /[^\S\n\r]*(?:[\n\r\\,}\])#]|\/[/*]|<!--)/y;

/**
 * What a word stands for. It is a number only if unmistakable (`+5`, `.5`, `0x1F`,
 * `1_000`). Digits that a number would not keep become a string: `007`, too many digits. Nothing:
 * `NaN`, expressions (`1/6`, `f(x)`, `a["b"]`), ranges, units, and several words.
 */
function meaningOf(
  word: string,
  { literals, isLoose }: Dialect,
  mayBeText: boolean,
): Pick<Node, "kind" | "value"> | undefined {
  if (Object.hasOwn(literals, word)) return { kind: "literal", value: literals[word] ?? null };
  if ((isLoose ? LOOSE_NUMBER : JSON_NUMBER).test(word)) {
    const digits = word.replaceAll("_", "").replace(/^\+|\.$/g, "");
    const value = Number(digits);
    if (isLoose && !Number.isFinite(value)) return undefined;
    const isKept = !isLoose || /^0x/i.test(word) || !losesDigits(digits, value);
    return isKept ? { kind: "number", value } : { kind: "bare", value: digits };
  }
  const isText = AS_TEXT.test(word) || (isBareWord(word) && !NOT_BARE.test(word));
  const isBare = isLoose && mayBeText && isText && word.length <= MAX_WORD;
  return isBare ? { kind: "bare", value: word } : undefined;
}

const MAX_WORD = 2_000;

const LOOSE_NUMBER =
  /^(?:[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?|[1-9]\d{0,2}(?:_\d{3})+|0[xX][\da-fA-F]{1,12})$/;
const AS_TEXT =
  /^(?:https?:\/\/.+|0\d+|\d{4}-\d{2}-\d{2}|[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|\d+(?:\.\d+){2,})$/i;
const isBareWord = (text: string) =>
  /^(?:[#.@~/]{1,3}[\p{L}\p{N}_$]|[\p{L}_$])[\p{L}\p{M}\p{N}_$@#~./-]*[!?]?$/u.test(text);
/** Literals that run into each other, words for no number, an omission, an expression (`user.id`). */
const NOT_BARE = new RegExp(
  [
    "^(?:true|false|null|none)(?:[-\\d]|true|false|null|none|$)",
    "^(?:nan|[+-]?inf(?:inity)?|nil|void)$",
    "\\.\\.|^\\.\\d|^/.*/[dgimsuvy]*$",
    "\\$|^[a-z_]\\w*(?:\\.[a-z_]\\w*)+$",
  ].join("|"),
  "i",
);
