import { isContainer, jsonEquals } from "../json.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { toHalfWidth, wordsOf } from "../words/names.ts";
import { isSlot, isSlotWord } from "../words/slots.ts";
import { isUnspaced } from "../words/unspaced.ts";
import { Fault, type FaultKind } from "./faults.ts";
import { endOfQuotedText, type OpenBracket } from "./inner-quotes.ts";
import {
  decodeString,
  endOfString,
  isEscapedQuote,
  readEscapedString,
  readTripleQuoted,
} from "./strings.ts";
import {
  asPunctuation,
  type Dialect,
  endOf,
  isEnd,
  JSON_DIALECT,
  matchesAt,
  skipBlanks,
  skipSpace,
} from "./tokens.ts";
import {
  AFTER_BARE,
  BEGINS_VALUE,
  endOfWord,
  meaningOf,
  PLAIN_NUMBER,
} from "./words.ts";

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

export interface ParseOptions {
  /**
   * Whether it is the named arguments of a call in parentheses: `(a=1, b="x")`.
   */
  readonly isCall?: boolean;
  /** Whether strings may hold quotes without a backslash. */
  readonly hasInnerQuotes?: boolean;
  /** Whether a closing bracket that was written twice is left out. */
  readonly skipsTwiceClosed?: boolean;
  readonly step?: Step | undefined;
}

/** Deeper brackets are not read: no sensible limit of depth is higher. */
const MAX_DEPTH = 200;

/**
 * The token at a place: a bracket, comma, colon, `=` or `+` (a fullwidth sign
 * or `;` as the sign that was meant), a quote, a word, or the end of the text
 * or of the code fence around it.
 */
type Token = string;

/** An object, list, tuple or call that is being read. */
interface Container extends OpenBracket {
  readonly from: number;
  readonly value: JsonObject | JsonValue[];
  readonly parts: [key: string, node: Node][];
  /** The last part, until a comma follows it. */
  last: Node | undefined;
  separator: string;
  keys: OpenBracket["keys"];
}

/** Reads by descent: a method for each rule of the grammar. */
export class Parser {
  /** The containers that are open, outermost first. */
  readonly open: Container[] = [];
  hasTwins = false;
  doubt: Fault | undefined;
  /** Whether a comma stood before the last closing bracket. */
  lastTrailed = false;
  /**
   * Where the text ended after a complete value, and whether only braces were
   * missing then.
   */
  cut: Fault | undefined;
  mayComplete = true;

  readonly text: string;
  at: number;
  readonly dialect: Dialect;
  readonly options: ParseOptions;

  constructor(
    text: string,
    at: number,
    dialect: Dialect,
    options: ParseOptions,
  ) {
    this.text = text;
    this.at = at;
    this.dialect = dialect;
    this.options = options;
  }

  /** value = object | list | string | word */
  value(): Node {
    this.options.step?.();
    const token = this.next(true);
    if (token === "quote") return this.string();
    if (token === "word") return this.word();
    if (token === "{")
      return this.isDoubled() ? this.doubledObject() : this.object(token);
    if (token === "[") return this.list(token);
    if (token === "(" && this.dialect !== JSON_DIALECT) return this.list(token);
    return this.fail(token === "end" ? "open_value" : "missing_value");
  }

  /**
   * object = "{" [member {"," member}] [","] "}", and the same in parentheses
   * for a call
   */
  object(bracket: "{" | "("): Node {
    const object = this.begin(bracket, {});
    while (this.cut === undefined) {
      const token = this.next(false);
      if (token === "end") this.end(this.isWhole(object.last));
      else if (token === ",") this.comma(object);
      else if (!isClosing(token)) this.member(object, token);
      else if (this.isClosedTwice(object, token)) this.skipClosing();
      else return this.close(object, token);
    }
    return this.finish(object);
  }

  /**
   * list = "[" [value {"," value}] [","] "]", and the same in parentheses for a
   * tuple
   */
  list(bracket: "[" | "("): Node {
    const list = this.begin(bracket, []);
    while (this.cut === undefined) {
      const token = this.next(list.last === undefined);
      if (token === "end") this.end(false);
      else if (token === ",") this.comma(list);
      else if (!isClosing(token)) this.element(list, token);
      else if (this.isClosedTwice(list, token)) this.skipClosing();
      else return this.close(list, token);
    }
    return this.finish(list);
  }

  /** member = key ":" value */
  private member(object: Container, token: Token): void {
    this.expectComma(object, token);
    const from = this.at;
    const key = this.key(object, token);
    this.colon(object);
    const node = this.value();
    if (node.kind === "bare" && namesKey(String(node.value), key))
      throw new Fault("slot", node.from);
    this.set(object.value as JsonObject, key, node.value, from);
    object.parts.push([key, node]);
    object.last = node;
  }

  private element(list: Container, token: Token): void {
    this.expectComma(list, token);
    const node = this.value();
    (list.value as JsonValue[]).push(node.value);
    list.parts.push(["", node]);
    list.last = node;
    // an open list is never closed
    if (this.cut !== undefined) this.mayComplete = false;
  }

  /** key = string | name; of a call's argument, a name */
  private key(object: Container, token: Token): string {
    const { text, at, dialect } = this;
    const isCall = object.bracket === "(";
    if (token === "quote" && !isCall) {
      object.keys ??= "quoted";
      return this.quoted(false);
    }
    if (splitsNumber(object, text.charAt(at))) this.fail("digit_groups");
    NAME.lastIndex = at;
    const name = dialect.isLoose || isCall ? NAME.exec(text)?.[1] : undefined;
    // `{{price}}`: a placeholder of a template.
    if (name === undefined && text.charAt(at) === "{")
      throw new Fault("slot", object.from);
    if (name === undefined) return this.fail("missing_key");
    object.keys ??= "bare";
    this.at = NAME.lastIndex;
    return name;
  }

  /** The colon behind a key, also `=` or `=>`; of a call's argument, `=`. */
  private colon({ bracket }: Container): void {
    const token = this.next(true);
    if (token === "end") this.fail("open_value");
    const isColon = token === ":" && bracket !== "(";
    const isEqual = token === "=" && (bracket === "(" || this.dialect.isLoose);
    if (!isColon && !isEqual) this.fail("missing_colon");
    this.at += this.text.startsWith("=>", this.at) ? 2 : 1;
  }

  /** string = a quote, characters and escapes, and the quote that closes it */
  private string(): Node {
    const from = this.at;
    const value = this.quoted(this.options.hasInnerQuotes === true);
    return { kind: "string", value, from, to: this.at };
  }

  /** Takes a string and returns its content. */
  private quoted(mayHoldQuotes: boolean): string {
    const { text, at, dialect } = this;
    const whole =
      readEscapedString(text, at) ?? readTripleQuoted(text, at, dialect);
    if (whole !== undefined) {
      this.at = whole.end;
      return whole.value;
    }
    const close = mayHoldQuotes
      ? endOfQuotedText(text, at, this.open)
      : endOfString(text, at);
    this.at = close + 1;
    return decodeString(text, at, close, dialect);
  }

  /** word = number | literal | a text without quotes */
  private word(): Node {
    const { at: from, dialect, text } = this;
    const end = endOf(PLAIN_NUMBER, text, from);
    if (end > from) {
      this.at = end;
      return {
        kind: "number",
        value: Number(text.slice(from, end)),
        from,
        to: end,
      };
    }
    const to = endOfWord(text, from, dialect);
    const word = text.slice(from, to);
    const meaning = meaningOf(word, dialect, this.open[0]?.bracket !== "(");
    const mayGoOn = meaning
      ? meaning.kind !== "literal"
      : BEGINS_VALUE.test(word);
    if (mayGoOn && isEnd(text, skipBlanks(text, to))) this.fail("open_value");
    if (meaning === undefined || this.isThousands(word))
      return this.fail(faultOfWord(text, from));
    if (meaning.kind === "bare") this.expectBareText(word, to);
    this.at = to;
    return { ...meaning, from, to };
  }

  /**
   * Rejects a placeholder, and a word that is only a part of a text: a
   * sentence, or the first of several.
   */
  private expectBareText(word: string, to: number): void {
    if (isSlotWord(word)) this.fail("slot");
    if (word.endsWith(".")) this.fail("bare_text");
    const goesOn = endOf(AFTER_BARE, this.text, to) === to;
    if (goesOn) this.fail(faultOfWord(this.text, this.at));
  }

  /**
   * Whether a word is the end of a number with groups, in a list: `000` of
   * `[1,000]`.
   */
  private isThousands(word: string): boolean {
    return this.open.at(-1)?.bracket !== "{" && /^0\d/.test(toHalfWidth(word));
  }

  /** Whether the braces of a template stand at the place: `{{"a": 1}}`. */
  private isDoubled(): boolean {
    return this.dialect.isLoose && matchesAt(DOUBLED, this.text, this.at);
  }

  private doubledObject(): Node {
    this.at += 1;
    const object = this.object("{");
    const token = this.cut === undefined ? this.next(false) : "end";
    if (token === "end") this.end(false);
    else if (token !== "}") this.fail("wrong_bracket");
    this.at += 1;
    return object;
  }

  /**
   * Takes a comma. In a list all separators are alike; those of other scripts
   * are between strings.
   */
  private comma(container: Container): void {
    const sign = this.text.charAt(this.at);
    const { last, parts, separator, value } = container;
    const mayRepeat =
      this.dialect.isLoose && !Array.isArray(value) && parts.length > 0;
    if (last === undefined && !mayRepeat) this.fail("extra_comma");
    if (Array.isArray(value)) {
      const isMixed = separator !== "" && separator !== sign;
      const isOdd = "、，".includes(sign) && last?.kind !== "string";
      if (isMixed || isOdd) this.fail("separators");
    }
    this.at += 1;
    container.separator = sign;
    container.last = undefined;
  }

  /**
   * Rejects a part that follows another without a comma, unless none is needed.
   */
  private expectComma({ last, value }: Container, token: Token): void {
    if (
      last === undefined ||
      this.mayLackComma(last, Array.isArray(value), token)
    )
      return;
    if (last.kind === "string") throw new Fault("unescaped_quote", last.to - 1);
    this.fail("missing_comma");
  }

  /**
   * Whether a comma may be missing: between values that quotes or brackets hold
   * apart.
   */
  private mayLackComma(last: Node, isList: boolean, token: Token): boolean {
    const { text, at, dialect } = this;
    if (!dialect.isLoose) return false;
    const isClosed = isContainer(last.value);
    // the comma may be the one at the end of the string, or inside the bracket
    if (isClosed ? this.lastTrailed : /[,;:]$/.test(String(last.value)))
      return false;
    if (at === last.to && !isClosed) return false;
    if (token === "quote") return /[\p{L}\p{N}_$@#]/u.test(text.charAt(at + 1));
    return isList && (token === "{" || token === "[");
  }

  private begin(bracket: string, value: Container["value"]): Container {
    if (this.open.length >= MAX_DEPTH) this.fail("too_deep");
    const from = this.at;
    const container: Container = {
      bracket,
      from,
      value,
      parts: [],
      last: undefined,
      separator: "",
      keys: undefined,
    };
    this.open.push(container);
    this.at += 1;
    return container;
  }

  /**
   * Takes the closing bracket. A comma before it leaves nothing out if a value
   * stands before that.
   */
  private close(container: Container, sign: Token): Node {
    const { bracket, last, parts } = container;
    this.lastTrailed = last === undefined && parts.length > 0;
    if (closingOf(bracket) !== sign) this.fail("wrong_bracket");
    if (this.lastTrailed && this.dialect === JSON_DIALECT)
      this.fail("extra_comma");
    if (Array.isArray(container.value)) this.expectList(container);
    this.at += 1;
    return this.finish(container);
  }

  /**
   * Rejects what only looks like a list: a text in parentheses, a selector, the
   * first of many.
   */
  private expectList({ bracket, from, last, parts }: Container): void {
    const end = parts.at(-1)?.[1];
    const isBare = end?.kind === "bare";
    if (parts.length === 1 && last !== undefined) {
      if (bracket === "(") this.fail("no_value");
      if (isBare && this.open.length === 1) this.fail("slot");
      // `[Nummer]`: a list of one text, or a placeholder
      if (isBare) this.doubt ??= new Fault("slot", from);
      return;
    }
    const isDigits = isBare && /^\d/.test(String(end.value));
    if (!isBare || isDigits || parts.length === 2) return;
    // `["a", "b", etc]`: the last word may only say that there are more
    if (parts.some(([, { kind }]) => kind === "string")) this.fail("omission");
  }

  /**
   * Whether a closing bracket was written twice: `["a"]]` inside an object,
   * where no list is open. Not if the first of the two may have closed an
   * earlier part.
   */
  private isClosedTwice({ bracket, last }: Container, sign: Token): boolean {
    if (!this.options.skipsTwiceClosed || closingOf(bracket) === sign)
      return false;
    if (last === undefined || !isContainer(last.value)) return false;
    const isStray =
      sign === ")" && !this.open.some((outer) => outer.bracket === "(");
    const isSame = asPunctuation(this.text.charAt(last.to - 1)) === sign;
    return isStray || (isSame && !mayCloseInside(last.value));
  }

  private skipClosing(): void {
    this.doubt ??= new Fault("wrong_bracket", this.at);
    this.at += 1;
  }

  private finish({ from, value, parts }: Container): Node {
    this.open.pop();
    const kind = Array.isArray(value) ? "list" : "object";
    return { kind, value, from, to: this.at, parts };
  }

  private set(
    object: JsonObject,
    key: string,
    value: JsonValue,
    from: number,
  ): void {
    if (Object.hasOwn(object, key) && !jsonEquals(object[key], value)) {
      // `JSON.parse` takes the last; once anything is repaired, which was meant
      // is unknown
      if (this.dialect.isLoose) throw new Fault("twin_keys", from);
      this.hasTwins = true;
    }
    if (key !== "__proto__") object[key] = value;
    else Object.defineProperty(object, key, { ...OWN, value });
  }

  /**
   * Handles the end of the text. Only a value that is certainly whole can be
   * completed.
   */
  private end(isComplete: boolean): void {
    this.cut ??= new Fault("open_bracket", this.text.length);
    // where quotes are not escaped, the last quote may be inside its string
    this.mayComplete &&= isComplete && !this.options.hasInnerQuotes;
  }

  /**
   * Whether no cut-off can have shortened a value. The last quote of a string
   * may be one inside it: an apostrophe, a quotation, or the quote behind a
   * flag or an opening bracket.
   */
  private isWhole(last: Node | undefined): boolean {
    if (last === undefined || last.kind === "number" || last.kind === "bare")
      return false;
    if (last.kind !== "string") return true;
    const text = String(last.value);
    const isApostrophe = "'’".includes(this.text.charAt(last.to - 1));
    return !isApostrophe && MAY_END.test(text) && !isUnspaced(text.slice(-1));
  }

  private fail(kind: FaultKind): never {
    throw new Fault(kind, this.at);
  }

  /**
   * Skips white space and comments without content, and returns the next token.
   */
  private next(beforeValue: boolean): Token {
    const { text, dialect } = this;
    this.skip(beforeValue);
    const char = text.charAt(this.at);
    if (char >= "a" && char <= "z") return "word";
    if (char === "" || (char === "`" && isEnd(text, this.at))) return "end";
    if (dialect.quotes.includes(char)) return "quote";
    if (char === "\\" && dialect.isLoose && isEscapedQuote(text, this.at))
      return "quote";
    const sign = dialect.isLoose ? asPunctuation(char) : char;
    if (!"{}[](),:=+".includes(sign)) return "word";
    return sign === "+" && /[\d.]/.test(text.charAt(this.at + 1))
      ? "word"
      : sign;
  }

  private skip(beforeValue: boolean): void {
    const { text } = this;
    if (!this.dialect.isLoose) {
      while (" \n\r\t".includes(text.charAt(this.at) || "-")) this.at += 1;
      return;
    }
    const end = skipSpace(text, this.at, beforeValue);
    if (end === undefined) {
      this.at = skipBlanks(text, this.at, true);
      this.fail("comment");
    }
    this.at = end;
  }
}

/**
 * The end of a text that may be whole: `cats`, `v2.`, `f(x)`; not `<a href=`,
 * `print(`, `a |`.
 */
const MAY_END = /[\p{L}\p{M}\p{N}.!?…%)\]}/*_~]$/u;
const DOUBLED = /\{\{\s{0,20}["'“]/y;
const NAME =
  /([\p{L}_$][\p{L}\p{N}_$-]{0,99}|(?:0|[1-9]\d{0,14})(?![\w.]))["']?/uy;
const OWN = { enumerable: true, configurable: true, writable: true };

/**
 * Whether a digit stands in place of a key, behind a number and a comma:
 * `{"amount": 1,000}`.
 */
function splitsNumber({ parts, separator }: Container, char: string): boolean {
  const [, before] = parts.at(-1) ?? [];
  return (
    separator === "," && before?.kind === "number" && char >= "0" && char <= "9"
  );
}

/**
 * Whether a word without quotes has the name of its key in it, as a variable
 * has: `new_content`.
 */
function namesKey(word: string, key: string): boolean {
  const parts = wordsOf(key);
  if (parts.length === 0 || /\d/.test(word)) return false;
  const words = wordsOf(word);
  return parts.every((part) => words.includes(part));
}

function isClosing(token: Token): boolean {
  return token === "}" || token === "]" || token === ")";
}

function closingOf(bracket: string): string {
  if (bracket === "{") return "}";
  return bracket === "[" ? "]" : ")";
}

/**
 * Whether a superfluous bracket at the end may have closed a part of its own
 * kind that is not its last.
 */
export function mayCloseInside(value: JsonValue): boolean {
  if (!isContainer(value)) return false;
  const parts = Object.values(value) as JsonValue[];
  return parts.some((part, index) => {
    const isAlike =
      isContainer(part) && Array.isArray(part) === Array.isArray(value);
    return (isAlike && index < parts.length - 1) || mayCloseInside(part);
  });
}

/** What is wrong where no word has a meaning. */
function faultOfWord(text: string, at: number): FaultKind {
  const piece = text.slice(at, at + MAX_PIECE);
  if (/^(?:\.{2}|…)/.test(piece)) return "omission";
  const [phrase = ""] = piece.split(/[,}\]\n]/, 1);
  if (isSlot(phrase) || isSlot(piece.slice(0, phrase.length + 1)))
    return "slot";
  return PHRASE.test(phrase) ? "bare_text" : "no_value";
}

/** Several words: New York; not NaN, f(x). */
const PHRASE = /^\p{L}[\p{L}\p{M}\p{N}.'’!?_-]*\s[\p{L}\p{M}\p{N}\s.'’!?_-]*$/u;

/** How much of a text is looked at to say what is wrong with it. */
const MAX_PIECE = 100;
