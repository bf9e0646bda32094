import type { LiteralUnion } from "type-fest";
import type { JsonValue } from "../types.ts";

/** A language of texts. One tokenizer reads all of them. */
export interface Dialect {
  /** The quotes that open a string. */
  readonly quotes: string;
  /** The words that stand for a value. */
  readonly literals: Readonly<Record<string, JsonValue>>;
  /** Whether `(1, 2)` is a list, and a comma may follow the last element. */
  readonly hasTuples: boolean;
  /** Whether faults are repaired if one reading is left, and a word without quotes may be a string. */
  readonly isLoose: boolean;
}

/** JSON as `JSON.parse` accepts it. */
export const JSON_DIALECT: Dialect = {
  quotes: '"',
  literals: { true: true, false: false, null: null },
  hasTuples: false,
  isLoose: false,
};

/** Python's literals. */
export const PYTHON_DIALECT: Dialect = {
  quotes: "\"'",
  literals: { True: true, False: false, None: null, true: true, false: false, null: null },
  hasTuples: true,
  isLoose: false,
};

/** The variants that models write instead of JSON. */
export const LOOSE_DIALECT: Dialect = {
  quotes: "\"'`“”„‟‘’‚＂",
  literals: {
    ...PYTHON_DIALECT.literals,
    TRUE: true,
    FALSE: false,
    NULL: null,
    Null: null,
    undefined: null,
  },
  hasTuples: true,
  isLoose: true,
};

/** A place in a text in a dialect; `at` advances. */
export interface Source {
  readonly text: string;
  readonly dialect: Dialect;
  at: number;
}

/**
 * The token at a place: a bracket, comma, colon, `=` or `+` (a fullwidth sign or `;` as the sign
 * that was meant), a quote, a word, or the end of the text or of the code fence around it.
 */
export type Token = LiteralUnion<"end" | "quote" | "word", string>;

/** Thrown if a text cannot be read; caught by `parse`. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
  readonly why: "refused" | "cut";

  constructor(why: "refused" | "cut") {
    super(why);
    this.why = why;
  }
}

export function fail(): never {
  throw new Unreadable("refused");
}

/**
 * Skips white space and comments, and returns the next token. Refuses a comment with content: it
 * may qualify its neighbour. Before a value, `#buy` is a word and `# buy` a comment.
 */
export function nextToken(source: Source, beforeValue = false): Token {
  const { text, dialect } = source;
  if (!dialect.isLoose) while (" \n\r\t".includes(text.charAt(source.at) || "-")) source.at += 1;
  else source.at = skipSpace(text, source.at, beforeValue) ?? fail();
  const { at } = source;
  const char = text.charAt(at);
  if (char >= "a" && char <= "z") return "word";
  if (char === "" || (char === "`" && isEnd(text, at))) return "end";
  if (dialect.quotes.includes(char)) return "quote";
  const sign = dialect.isLoose ? asPunctuation(char) : char;
  if (!"{}[](),:=+".includes(sign)) return "word";
  return sign === "+" && /[\d.]/.test(text.charAt(at + 1)) ? "word" : sign;
}

/** Skips white space and comments without content. */
export function skipSpace(text: string, from: number, beforeValue: boolean): number | undefined {
  let at = skipBlanks(text, from, true);
  while (isCommentStart(text, at, beforeValue)) {
    const end = endOfComment(text, at);
    if (!SAYS_NOTHING.test(text.slice(at, Math.min(end, at + MAX_COMMENT)))) return undefined;
    at = skipBlanks(text, end, true);
  }
  return at;
}

/** A comment that consists of signs only. */
const SAYS_NOTHING = /^(?:\/[/*]|#|<!--)[\s/*#=_~-]*(?:-->)?$/;
const MAX_COMMENT = 1_000;

/** The end of the text or of the code fence around it. */
export function isEnd(text: string, at: number): boolean {
  return at >= text.length || text.startsWith("```", at);
}

/** The index after white space; if ` ` between tokens is written in two signs, after those too. */
export function skipBlanks(text: string, at: number, isLoose = false): number {
  let index = at;
  for (;;) {
    if (isBlank(text.charAt(index))) index += 1;
    else if (isLoose && text.charAt(index) === "\\" && /[nrt]/.test(text.charAt(index + 1)))
      index += 2;
    else return index;
  }
}

/** Whether a comment between two tokens begins at an index. */
export function isCommentStart(text: string, at: number, beforeValue: boolean): boolean {
  const char = text.charAt(at);
  const next = text.charAt(at + 1);
  if (char === "/") return next === "/" || next === "*";
  if (char === "<") return text.startsWith("<!--", at);
  return char === "#" && (!beforeValue || next === "" || isBlank(next));
}

function endOfComment(text: string, at: number): number {
  const close = text.startsWith("/*", at) ? "*/" : text.charAt(at) === "<" ? "-->" : "\n";
  const found = text.indexOf(close, close === "\n" ? at + 1 : at + 2);
  if (found < 0) return text.length;
  return close === "\n" ? found : found + close.length;
}

/** The ASCII form of fullwidth punctuation; `;` and `、` become a comma. */
export function asPunctuation(char: string): string {
  const isPlain = char < ";" || (char > ";" && char <= "~");
  const index = isPlain ? -1 : MEANT_BY.indexOf(char);
  return index < 0 ? char : "{}[](),,,:=,".charAt(index);
}

const MEANT_BY = "｛｝［］（），、；：＝;";

/** The quotes that may close a string opened by `quote`. */
export function closingQuotes(quote: string): string {
  if ("“”„‟".includes(quote)) return quote === "”" ? '”“"' : '”“„"';
  return "‘’‚".includes(quote) ? "’‘'" : quote;
}

/** The bracket that closes another; `""` if it opens none. */
export function closingBracket(open: string): string {
  return open === "{" ? "}" : open === "[" ? "]" : open === "(" ? ")" : "";
}

export function isClosingBracket(char: string): boolean {
  return char === "}" || char === "]" || char === ")";
}

/** White space of any script, including the byte order mark and other invisible marks. */
export function isBlank(char: string): boolean {
  return (
    char !== "" && (char <= " " ? " \n\r\t\v\f".includes(char) : char > "~" && BLANK.test(char))
  );
}

const BLANK = /[\s\u0085\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069]/;
