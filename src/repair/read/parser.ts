import { isContainer, jsonEquals } from "../json.ts";
import { hasLetterOrDigit, isDigits, isUnspaced } from "../text.ts";
import type { JsonObject, JsonValue } from "../types.ts";
import { toHalfWidth, wordsOf } from "../words/names.ts";
import { isSlot, isSlotWord } from "../words/slots.ts";
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
  BARE_NAME,
  CLOSING_BRACKET,
  CLOSING_BRACKETS,
  type Dialect,
  isEnd,
  JSON_DIALECT,
  matchAt,
  matchesAt,
  OPENING_BRACKETS,
  skipBlanks,
  skipSpace,
} from "./tokens.ts";
import {
  AFTER_BARE,
  BEGINS_VALUE,
  endOfWord,
  type Meaning,
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
  readonly parts?: readonly KeyedNode[];
}

type KeyedNode = readonly [key: string, node: Node];

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
 * The token at a place: a bracket, comma, colon, `=` or `+`; or `"quote"`,
 * `"word"`, or `"end"` for the end of the text or of the code fence around it.
 * In the loose dialect, a fullwidth sign or `;` is the sign that was meant.
 */
type Token = string;

/** An object, list, tuple or call that is being read. */
interface Container extends OpenBracket {
  readonly from: number;
  readonly value: JsonObject | JsonValue[];
  readonly parts: KeyedNode[];
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
    switch (token) {
      case "quote":
        return this.string();
      case "word":
        return this.word();
      case "{":
        return this.isDoubled() ? this.doubledObject() : this.object(token);
      case "[":
        return this.container(token, []);
      case "end":
        return this.fail("open_value");
    }
    const isTuple = token === "(" && this.dialect !== JSON_DIALECT;
    return isTuple ? this.container(token, []) : this.fail("missing_value");
  }

  /** An object, or in parentheses the named arguments of a call. */
  object(bracket: "{" | "("): Node {
    return this.container(bracket, {});
  }

  /**
   * object = "{" [member {"," member}] [","] "}"
   *
   * list = "[" [value {"," value}] [","] "]"
   *
   * The same in parentheses for a call, and for a tuple.
   */
  private container(bracket: string, value: Container["value"]): Node {
    const container = this.begin(bracket, value);
    const isList = Array.isArray(value);
    while (this.cut === undefined) {
      const token = this.next(isList && container.last === undefined);
      if (token === "end") this.end(!isList && this.isWhole(container.last));
      else if (token === ",") this.comma(container);
      else if (!CLOSING_BRACKETS.has(token)) this.part(container, token);
      else if (this.isClosedTwice(container, token)) this.skipClosing();
      else return this.close(container, token);
    }
    return this.finish(container);
  }

  private part(container: Container, token: Token): void {
    this.expectComma(container, token);
    const { value, parts } = container;
    const part = Array.isArray(value)
      ? this.element(value)
      : this.member(container, value, token);
    parts.push(part);
    container.last = part[1];
  }

  /** member = key ":" value */
  private member(
    container: Container,
    object: JsonObject,
    token: Token,
  ): KeyedNode {
    const from = this.at;
    const key = this.key(container, token);
    this.colon(container);
    const node = this.value();
    if (node.kind === "bare" && namesKey(String(node.value), key))
      throw new Fault("slot", node.from);
    this.set(object, key, node.value, from);
    return [key, node];
  }

  private element(list: JsonValue[]): KeyedNode {
    const node = this.value();
    list.push(node.value);
    // an open list is never closed
    if (this.cut !== undefined) this.mayComplete = false;
    return ["", node];
  }

  /** key = string | name; of a call's argument, a name */
  private key(object: Container, token: Token): string {
    const isCall = object.bracket === "(";
    if (token === "quote" && !isCall) {
      object.keys ??= "quoted";
      return this.quoted(false);
    }
    const { text, at } = this;
    const char = text.charAt(at);
    if (splitsNumber(object, char)) this.fail("digit_groups");
    const mayBeName = isCall || this.dialect.isLoose;
    const [, name] = mayBeName ? matchAt(NAME, text, at) : [];
    if (name !== undefined) {
      object.keys ??= "bare";
      this.at = NAME.lastIndex;
      return name;
    }
    // `{{price}}`: a placeholder of a template.
    if (char === "{") throw new Fault("slot", object.from);
    return this.fail("missing_key");
  }

  /** The colon behind a key, also `=` or `=>`; of a call's argument, `=`. */
  private colon({ bracket }: Container): void {
    const token = this.next(true);
    if (token === "end") this.fail("open_value");
    const colons = bracket === "(" ? "=" : this.dialect.colons;
    if (!colons.includes(token)) this.fail("missing_colon");
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
    if (matchesAt(PLAIN_NUMBER, text, from)) {
      const to = PLAIN_NUMBER.lastIndex;
      this.at = to;
      const value = Number(text.slice(from, to));
      return { kind: "number", value, from, to };
    }
    const to = endOfWord(text, from, dialect);
    const word = text.slice(from, to);
    const meaning = meaningOf(word, dialect, this.open[0]?.bracket !== "(");
    if (mayGoOn(word, meaning) && isEnd(text, skipBlanks(text, to)))
      this.fail("open_value");
    if (meaning === undefined || this.isThousands(word))
      return this.fail(faultOfWord(text, from));
    if (meaning.kind === "bare") this.rejectSlotOrPart(word, to);
    this.at = to;
    return { ...meaning, from, to };
  }

  /**
   * Rejects a placeholder, and a word that is only a part of a text: a
   * sentence, or the first of several.
   */
  private rejectSlotOrPart(word: string, to: number): void {
    if (isSlotWord(word)) this.fail("slot");
    if (word.endsWith(".")) this.fail("bare_text");
    const isOver = matchesAt(AFTER_BARE, this.text, to);
    if (!isOver) this.fail(faultOfWord(this.text, this.at));
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
    const isList = Array.isArray(container.value);
    const mayRepeat =
      this.dialect.isLoose && !isList && container.parts.length > 0;
    if (container.last === undefined && !mayRepeat) this.fail("extra_comma");
    if (isList && !maySeparate(container, sign)) this.fail("separators");
    this.at += 1;
    container.separator = sign;
    container.last = undefined;
  }

  /**
   * Rejects a part that follows another without a comma, unless none is needed.
   */
  private expectComma({ last, value }: Container, token: Token): void {
    if (last === undefined) return;
    if (this.mayLackComma(last, Array.isArray(value), token)) return;
    if (last.kind === "string") throw new Fault("unescaped_quote", last.to - 1);
    this.fail("missing_comma");
  }

  /**
   * Whether a comma may be missing: between values that quotes or brackets hold
   * apart.
   */
  private mayLackComma(last: Node, isList: boolean, token: Token): boolean {
    if (!this.dialect.isLoose) return false;
    if (isContainer(last.value)) {
      // the comma may be the one inside the bracket
      if (this.lastTrailed) return false;
    } else {
      if (this.at === last.to) return false;
      // the comma may be the one at the end of the string
      if (SEPARATORS.has(String(last.value).slice(-1))) return false;
    }
    if (token === "quote") return beginsText(this.text.charAt(this.at + 1));
    return isList && OPENING_BRACKETS.has(token);
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
    if (CLOSING_BRACKET[bracket] !== sign) this.fail("wrong_bracket");
    if (this.lastTrailed && this.dialect === JSON_DIALECT)
      this.fail("extra_comma");
    if (Array.isArray(container.value)) this.rejectOnlyLikeList(container);
    this.at += 1;
    return this.finish(container);
  }

  /**
   * Rejects what only looks like a list: a text in parentheses, a selector, the
   * first of many.
   */
  private rejectOnlyLikeList({ bracket, from, last, parts }: Container): void {
    if (parts.length > 2) this.rejectOmission(parts);
    // behind its only value, a comma shows that it is a list
    if (parts.length !== 1 || last === undefined) return;
    if (bracket === "(") this.fail("no_value");
    if (last.kind !== "bare") return;
    // `[Nummer]`: a list of one text, or a placeholder
    if (this.open.length === 1) this.fail("slot");
    this.doubt ??= new Fault("slot", from);
  }

  /** `["a", "b", etc]`: the last word may only say that there are more. */
  private rejectOmission(parts: readonly KeyedNode[]): void {
    const item = parts.at(-1)?.[1];
    if (item?.kind !== "bare") return;
    if (isDigits(String(item.value).charAt(0))) return;
    if (parts.some(([, { kind }]) => kind === "string")) this.fail("omission");
  }

  /**
   * Whether a closing bracket was written twice: `["a"]]` inside an object,
   * where no list is open. Not if the first of the two may have closed an
   * earlier part.
   */
  private isClosedTwice({ bracket, last }: Container, sign: Token): boolean {
    if (!this.options.skipsTwiceClosed) return false;
    if (CLOSING_BRACKET[bracket] === sign) return false;
    if (last === undefined || !isContainer(last.value)) return false;
    // no parenthesis is open
    if (sign === ")" && this.open.every((outer) => outer.bracket !== "("))
      return true;
    const before = asPunctuation(this.text.charAt(last.to - 1));
    return before === sign && !mayCloseInside(last.value);
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
    switch (last?.kind) {
      case undefined:
      case "number":
      case "bare":
        return false;
      case "string": {
        const isApostrophe = "'’".includes(this.text.charAt(last.to - 1));
        return !isApostrophe && isWholeText(String(last.value));
      }
      default:
        return true;
    }
  }

  private fail(kind: FaultKind): never {
    throw new Fault(kind, this.at);
  }

  /**
   * Skips white space and comments without content, and returns the next token.
   */
  private next(beforeValue: boolean): Token {
    this.skip(beforeValue);
    const { text, at, dialect } = this;
    const char = text.charAt(at);
    // as most words begin
    if (char >= "a" && char <= "z") return "word";
    if (isEnd(text, at)) return "end";
    if (dialect.quotes.includes(char)) return "quote";
    if (!dialect.isLoose) return asSign(char, text.charAt(at + 1));
    if (isEscapedQuote(text, at)) return "quote";
    return asSign(asPunctuation(char), text.charAt(at + 1));
  }

  private skip(beforeValue: boolean): void {
    const { text } = this;
    if (!this.dialect.isLoose) {
      while (JSON_BLANKS.has(text.charAt(this.at))) this.at += 1;
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

/** Whether a text does not look cut off. */
function isWholeText(text: string): boolean {
  return MAY_END.test(text) && !isUnspaced(text.slice(-1));
}

const DOUBLED = /\{\{\s{0,20}["'“]/y;

/** A key that is a number: 0, 12; not 012, 1.5, 1a. */
const NUMBER_NAME = String.raw`(?:0|[1-9]\d{0,14})(?![\w.])`;
/** A key that has lost its quotes, or its opening quote. */
const NAME = new RegExp(`(${BARE_NAME}|${NUMBER_NAME})["']?`, "uy");

const OWN = { enumerable: true, configurable: true, writable: true };

const JSON_BLANKS = new Set(" \n\r\t");
const PUNCTUATION = new Set("{}[](),:=+");
const BEHIND_PLUS = new Set(".0123456789");

/** A sign as a token; any other begins a word, as the plus of a number does. */
function asSign(sign: string, next: string): Token {
  if (sign === "+" && BEHIND_PLUS.has(next)) return "word";
  return PUNCTUATION.has(sign) ? sign : "word";
}

/** What may separate a key from its value, or two parts. */
const SEPARATORS = new Set(",;:");
const FOREIGN_COMMAS = new Set("、，");

/** Whether a sign may be the first of a text, and is no punctuation. */
function beginsText(sign: string): boolean {
  return TEXT_SIGNS.has(sign) || hasLetterOrDigit(sign);
}

const TEXT_SIGNS = new Set("_$@#");

/** Whether a list may go on with a separator. */
function maySeparate({ last, separator }: Container, sign: string): boolean {
  const isAlike = separator === "" || separator === sign;
  return isAlike && (!FOREIGN_COMMAS.has(sign) || last?.kind === "string");
}

/**
 * Whether a digit stands in place of a key, behind a number and a comma:
 * `{"amount": 1,000}`.
 */
function splitsNumber({ parts, separator }: Container, char: string): boolean {
  if (separator !== "," || !isDigits(char)) return false;
  return parts.at(-1)?.[1].kind === "number";
}

/** Whether a word at the end of a text may be a part of a longer one. */
function mayGoOn(word: string, meaning: Meaning | undefined): boolean {
  if (meaning === undefined) return BEGINS_VALUE.test(word);
  return meaning.kind !== "literal";
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

/**
 * Whether a superfluous bracket at the end may have closed a part of its own
 * kind that is not its last.
 */
export function mayCloseInside(
  value: JsonValue,
  isList: boolean = Array.isArray(value),
): boolean {
  if (!isContainer(value)) return false;
  const parts = Object.values(value) as JsonValue[];
  const isAlike = (part: JsonValue) =>
    isContainer(part) && Array.isArray(part) === isList;
  if (isAlike(value) && parts.slice(0, -1).some(isAlike)) return true;
  return parts.some((part) => mayCloseInside(part, isList));
}

/** What is wrong where no word has a meaning. */
function faultOfWord(text: string, at: number): FaultKind {
  const piece = text.slice(at, at + MAX_PIECE);
  if (OMISSIONS.some((dots) => piece.startsWith(dots))) return "omission";
  const [phrase = ""] = piece.split(/[,}\]\n]/, 1);
  if (isSlot(phrase) || isSlot(piece.slice(0, phrase.length + 1)))
    return "slot";
  return PHRASE.test(phrase) ? "bare_text" : "no_value";
}

const IN_PHRASE = "\\p{L}\\p{M}\\p{N}.'’!?_-";
/** Several words: New York; not NaN, f(x). */
const PHRASE = new RegExp(`^\\p{L}[${IN_PHRASE}]*\\s[\\s${IN_PHRASE}]*$`, "u");

const OMISSIONS = ["..", "…"];

/** How much of a text is looked at to say what is wrong with it. */
const MAX_PIECE = 100;
