import type { JsonValue } from "../types.ts";

/** A language of texts. One parser reads all of them. */
export interface Dialect {
  /** The quotes that open a string. */
  readonly quotes: string;
  /** The words that stand for a value. */
  readonly literals: Readonly<Record<string, JsonValue>>;
  /**
   * What may stand behind a backslash, with `\u` and `\x` for a sign that is
   * written as a code.
   */
  readonly escapes: ReadonlySet<string>;
  /** The signs that may stand between a key and its value. */
  readonly colons: string;
  /**
   * Whether faults are repaired if one reading is left, and a word without
   * quotes may be a string.
   */
  readonly isLoose: boolean;
}

const JSON_LITERALS = { true: true, false: false, null: null };
const PYTHON_LITERALS = {
  ...JSON_LITERALS,
  True: true,
  False: false,
  None: null,
};
const OTHER_LITERALS = {
  TRUE: true,
  FALSE: false,
  NULL: null,
  Null: null,
  undefined: null,
};

/** Those of JSON, and `\'`. */
const JSON_ESCAPES: ReadonlySet<string> = new Set([..."\"'\\/nrtbf", "\\u"]);

/** JSON as `JSON.parse` accepts it. */
export const JSON_DIALECT: Dialect = {
  quotes: '"',
  literals: JSON_LITERALS,
  escapes: JSON_ESCAPES,
  colons: ":",
  isLoose: false,
};

/**
 * Python's literals: `(1, 2)` is a list, and a comma may follow the last
 * element.
 */
export const PYTHON_DIALECT: Dialect = {
  quotes: "\"'",
  literals: PYTHON_LITERALS,
  escapes: new Set([..."\"'\\nrt", "\\u", "\\x"]),
  colons: ":",
  isLoose: false,
};

/** The variants that models write instead of JSON. */
export const LOOSE_DIALECT: Dialect = {
  quotes: "\"'`“”„‟‘’‚＂«",
  literals: { ...PYTHON_LITERALS, ...OTHER_LITERALS },
  escapes: JSON_ESCAPES,
  colons: ":=",
  isLoose: true,
};

/** The quotes that open a string, and those that may close it. */
const CLOSING_QUOTES = [
  { opening: "“”„‟", closing: '”“„"' },
  { opening: "‘’‚", closing: "’‘'" },
  { opening: "«", closing: "»" },
];

/** The quotes that may close a string opened by `quote`. */
export function closingQuotes(quote: string): string {
  const pair = CLOSING_QUOTES.find(({ opening }) => opening.includes(quote));
  return pair?.closing ?? quote;
}

/** The brackets of objects and lists. */
export const OPENING_BRACKETS: ReadonlySet<string> = new Set("{[");
export const CLOSING_BRACKETS: ReadonlySet<string> = new Set("}])");

/** The bracket that closes each other one. */
export const CLOSING_BRACKET: Readonly<Record<string, string>> = {
  "{": "}",
  "[": "]",
  "(": ")",
};

/** A name without quotes, as a pattern. */
export const BARE_NAME = "[\\p{L}_$][\\p{L}\\p{N}_$-]{0,99}";

/** White space of any script and invisible marks, as a class of a pattern. */
export const BLANK =
  "\\s\\u0085\\u200b-\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069";

const BLANKS = new RegExp(`[${BLANK}]*`, "y");
const BLANKS_OR_ESCAPES = new RegExp(`(?:[${BLANK}]|\\\\[nrt])*`, "y");

/**
 * The index after white space; with `skipsEscapes`, also after line breaks and
 * tabs written in two signs (`\\n`).
 */
export function skipBlanks(
  text: string,
  at: number,
  skipsEscapes = false,
): number {
  const char = text.charAt(at);
  if (char > " " && char <= "~" && char !== "\\") return at;
  return endOf(skipsEscapes ? BLANKS_OR_ESCAPES : BLANKS, text, at);
}

/**
 * The index after a sticky pattern's match at an index; the same index without
 * a match.
 */
export function endOf(pattern: RegExp, text: string, at: number): number {
  return matchesAt(pattern, text, at) ? pattern.lastIndex : at;
}

/** Whether a sticky pattern matches at an index. */
export function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/**
 * What a sticky pattern matches at an index, and its groups; nothing without a
 * match. With a global pattern, the first match from there on.
 */
export function matchAt(
  pattern: RegExp,
  text: string,
  at: number,
): readonly (string | undefined)[] {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? [];
}

/** The end of the text or of the code fence around it. */
export function isEnd(text: string, at: number): boolean {
  return at >= text.length || text.startsWith("```", at);
}

/**
 * Skips white space and comments that consist of signs only. `undefined` for a
 * comment with content: it may qualify its neighbor. Before a value, `#buy` is
 * a word and `# buy` a comment.
 */
export function skipSpace(
  text: string,
  from: number,
  beforeValue: boolean,
): number | undefined {
  let at = skipBlanks(text, from, true);
  while (isCommentStart(text, at, beforeValue)) {
    const end = endOf(EMPTY_COMMENT, text, at);
    if (end === at) return undefined;
    at = skipBlanks(text, end, true);
  }
  return at;
}

/** A comment that says nothing: `// ---`, not `// in cents`. */
const EMPTY_COMMENT = new RegExp(
  [
    String.raw`/\*[\s/*#=_~-]*?(?:\*/|$)`,
    String.raw`<!--[\s/*#=_~-]*?(?:-->|$)`,
    String.raw`(?://|#)(?:[^\S\n]|[/*#=_~-])*(?=\n|$)`,
  ].join("|"),
  "y",
);

function isCommentStart(
  text: string,
  at: number,
  beforeValue: boolean,
): boolean {
  if (text.charAt(at) !== "#")
    return COMMENT_MARKS.some((mark) => text.startsWith(mark, at));
  if (!beforeValue) return true;
  const behind = at + 1;
  return behind === text.length || skipBlanks(text, behind) > behind;
}

/** What begins a comment, apart from `#`. */
const COMMENT_MARKS = ["//", "/*", "<!--"];

/** The ASCII form of fullwidth punctuation; `;` and `、` become a comma. */
export function asPunctuation(char: string): string {
  if (char !== ";" && char <= "~") return char;
  const index = "｛｝［］（），、；：＝;".indexOf(char);
  return index < 0 ? char : "{}[](),,,:=,".charAt(index);
}
