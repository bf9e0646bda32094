import { isJsonObject } from "../json.ts";
import { spacedParts } from "../text.ts";
import type { JsonValue } from "../types.ts";
import { holdsAny, isQuotation } from "./bare-text.ts";

/** A form of a field's texts, and the words of names that ask for it. */
export interface Form {
  readonly words: ReadonlySet<string>;
  /**
   * - `exact`: a text either has the form or is something else: an id, a URL, a
   *   date.
   * - `code`: a path, a selector, a command: it shows itself, but a field may
   *   take other texts.
   * - `question`: what is looked for, in any words.
   * - `prose`: a phrase or sentences, in any words.
   */
  readonly kind: "exact" | "code" | "question" | "prose";
  readonly shows: (text: string) => boolean;
  /**
   * Whether its words name one format, so that one of them stands for another.
   */
  readonly isFormat?: boolean;
  /**
   * Whether its words name what is inside a thing (`body`), not the thing: such
   * a key does not stand for another one.
   */
  readonly isContent?: boolean;
}

/**
 * A text that stands for something else, or marks something missing:
 * `{{city}}`, `<name>`, `...`.
 */
const SLOT = /\{\{|\$\{|<\p{L}[\p{L}\p{N} _-]*>|\.{3}|…/u;

/**
 * Signs of more than a phrase: lines, a dash between parts, a label, a call.
 */
const MORE_THAN_PHRASE = /\n|\s--\s|^[\p{L}\p{N}_ ]{1,30}: |;$|\(\)/u;
/**
 * The end of a sentence or clause: `It is done.`, `完成了、`; not `v1.2`, `a?b`.
 */
const ENDS_SENTENCE =
  /[。！？、，।]|\p{L}\p{M}*[.!?…]+["')]?$|\p{L}[.!?] +\p{Lu}/u;
/** More words than this are no phrase. */
const MAX_WORDS = 8;

/**
 * Whether a text is a phrase: up to eight words of one line that end no
 * sentence.
 */
export function isPhrase(text: string): boolean {
  if (MORE_THAN_PHRASE.test(text) || ENDS_SENTENCE.test(text)) return false;
  return spacedParts(text).length <= MAX_WORDS;
}

/** Whether a text is a question of one line. */
export function isQuestion(text: string): boolean {
  const question = text.trimEnd();
  if (text.length > 200 || question.includes("\n")) return false;
  return question.endsWith("?") || question.endsWith("？");
}

/** Where a path from a root begins: `/`, `~/`, `../`, `C:\`. */
const ROOT = String.raw`(?:[a-z]:[/\\]|[.~]{0,2}/)`;
/**
 * A path's characters: names in other scripts look like the words around a
 * path.
 */
const PATH_SIGNS = String.raw`[\w./\\@~+*-]*`;
/**
 * `/home/user/My report.txt`, with spaces: it begins as a path and ends in a
 * suffix; not `/home or not`.
 */
const SPACED_PATH = new RegExp(
  String.raw`^${ROOT}[^\n"'<>|*?:,;]*\.\w{1,5}$`,
  "i",
);
/** `/srv/data`, `C:\logs`, `~/notes/*`, `\\host\share`; not `srv/data`. */
const ROOTED_PATH = new RegExp(
  String.raw`^(?:${ROOT}|\\\\)${PATH_SIGNS}[\w/\\*~]$`,
  "i",
);
/** A path from where one is, or a word: `src/a/b`, `notes.md`; not `a b`. */
const INNER_PATH = new RegExp(String.raw`^[\w@-]${PATH_SIGNS}[\w/\\*]$`);
/** `a/b.txt`, not `a/b.7z` or `v1.2`. */
const SUFFIX = /\.[a-z]\w{0,4}$/;
/** `.env`, `.github.yml` */
const DOT_FILE = /^(?:\.[\w-]+)+$/;
/** `s3://bucket/key`, not `s3://bucket?key` */
const BUCKET = /^[a-z][a-z\d]{1,9}:\/\/[\w./@~+*-]*[\w/*]$/;
const PATHS = [SPACED_PATH, ROOTED_PATH, DOT_FILE, BUCKET];
/** Paths of one sign. */
const PATHS_OF_A_SIGN: ReadonlySet<string> = new Set("./~*");

function isPath(text: string): boolean {
  if (PATHS_OF_A_SIGN.has(text) || isInnerPath(text)) return true;
  return PATHS.some((pattern) => pattern.test(text));
}

/** `src/a/b`, `a/b.txt`, `notes.md`; but `and/or` may be words. */
function isInnerPath(text: string): boolean {
  if (!INNER_PATH.test(text)) return false;
  const folders = text.replaceAll("\\", "/").split("/");
  return folders.length > 2 || SUFFIX.test(text);
}

/**
 * A CSS selector: a plain name may be a word, so that names with spaces need a
 * class or the like.
 */
const SIMPLE = String.raw`[#.][a-z_-][\w-]*|::?[a-z-]+(?:\([^()\n]*\))?|\[[\w-]+[~|^$*]?=(?:"[^"]*"|'[^']*'|[\w-]+)\]`;
const COMPOUND = String.raw`(?:[a-z][\w-]*|\*)?(?:${SIMPLE})+`;
const TAG =
  "h[1-6]|a|p|b|i|div|span|li|ul|ol|button|input|form|label|img|table|tr|td|th|main|nav|section";
const PART = String.raw`(?:[a-z][\w-]*|\*|(?:(?:${TAG}) +)*${COMPOUND}(?: +(?:${COMPOUND}|${TAG}))*)`;
const SELECTOR = new RegExp(
  `^(?=.*[#.:[>+~*])${PART}(?: *[>+~] *${PART})*$`,
  "i",
);
/** A step of an XPath, and what it is narrowed by: `//div`, `[@id="a"]`. */
const STEP = String.raw`/{1,2}[\w*@:.-]+`;
const NARROWED = String.raw`(?:\[[^[\]\n]*\])*`;
/** `//div[@id="a"]/text()`, not `div/a` */
const XPATH = new RegExp(
  String.raw`^\.?${STEP}${NARROWED}(?:${STEP}(?:\(\))?${NARROWED})*$`,
);

/** The name of a program, its subcommand, and its operands. */
const COMMAND = /^[a-z./~][\w./~+-]*(?: [a-z][\w-]*)?( [^()]*)$/;
/** A flag, operators or a number: `-n`, `--to=a`, `&&`, `5`; not `all`. */
const OPERAND = /^(?:-[\w-]+(?:=\S+)?|[|<>&;\d]+)$/;
/** A path, a link or a pattern: `a/b`, `notes.md`, `x=1`; not `all`. */
const PATH_OPERAND = /^(?=[\w@*~:/.-]*[/.=*])[^\s"']+$/;
/** What no sentence has: a flag, a pipe, a variable. */
const SHELL_SIGN = /^(?:--?[a-z][\w=-]*|&&|\||\$\w+)$/i;

function isCommand(text: string): boolean {
  const [, behind = ""] = COMMAND.exec(text) ?? [];
  const operands = behind.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  if (operands.some((operand) => SHELL_SIGN.test(operand))) return true;
  // A number alone may be a remark's: `see 5`.
  const isRemark = operands.every((operand) => /^[\d<>-]+$/.test(operand));
  return !isRemark && operands.every(isOperand);
}

/** Whether a piece of a command is no word of a sentence. */
function isOperand(text: string): boolean {
  if (OPERAND.test(text) || PATH_OPERAND.test(text)) return true;
  return isQuotation(text, "\"'");
}

const VERBS = "select|insert|update|delete|with|create|alter|drop";
/**
 * A statement to its end: in small letters with its semicolon, in capitals with
 * another last word.
 */
const STATEMENTS: readonly RegExp[] = [
  new RegExp(`^(?:${VERBS})\\s[\\s\\S]*;$`),
  new RegExp(
    `^(?:${VERBS.toUpperCase()})\\s[\\s\\S]*(?:[\\d)'"*]|[\\s.]\\w*[a-z]\\w*);?$`,
  ),
];

/** `https://a` of `https://a.org/b`, not `https:///` */
const SCHEME_AND_HOST = String.raw`[a-z][a-z\d+.-]{0,20}://[^\s/]`;
/** `mailto:a` of `mailto:ann@a.org`, `www.`, `/`, `#`; not `a.org` */
const SHORT_LINK = String.raw`(?:mailto|tel|data):\S|www\.|/|#`;
/** `https://a.org/b`, `www.a.org`, `#a`; not `a.org` */
const LINK = new RegExp(`^(?:${SCHEME_AND_HOST}|${SHORT_LINK})[!-~]*$`, "i");
/** A link that was cut, or ends a sentence: `/a?b=`, `/a%2`, `/a.` */
const UNFINISHED_LINK = /[?&=.,;:!)]$|%[\da-f]?$/i;

function isUrl(text: string): boolean {
  if (UNFINISHED_LINK.test(text) || holdsAny(text, '{}<>"|$')) return false;
  if (!LINK.test(text)) return false;
  // `https://a.org,https://b.org` are two.
  const [, ...behindCommas] = text.split(",");
  return !behindCommas.join().includes("://");
}

/** `ann@a.org`, not `ann@a` */
const EMAIL = /^[\w.+'-]+@(?:[\p{L}\p{N}-]+\.)+[a-z]{2,}$/iu;
/** `A-17`, `#4`, `7`, `+49 30 123`; not `ten`, `two words 3`. */
const ID = /^(?=\D*\d)[\w@#][\w.:#@+-]*\w$|^\d$|^\+\d[\d ()/-]*\d$/;
const DAY = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
/** `2025-05-06`, `2025-05-06T12:30Z` */
const DATE = String.raw`${DAY}(?:[T ][\d:.+Z-]*[\dZ])?`;
/** `12:30`, `12:30:15` */
const TIME = String.raw`(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?`;
const DATE_OR_TIME = new RegExp(`^(?:${DATE}|${TIME})$`);
/** Numbers, names and operators: `2 + 2`, `price * 1.2`; not `"a" + 1`. */
const EXPRESSION = /^[\w\s.,+*/^%()<>=!&|-]*$/;

function isExpression(text: string): boolean {
  return holdsAny(text, "+*/^%()<>=-") && EXPRESSION.test(text);
}

const FORMS: readonly Form[] = [
  form("exact", "url uri link href", inPlainLetters(isUrl), { isFormat: true }),
  form("exact", "email", (text) => EMAIL.test(text), { isFormat: true }),
  form("code", "path file filename directory folder", inPlainLetters(isPath)),
  form(
    "exact",
    "id identifier number num code isbn iban zip phone",
    oneOfPatterns(ID),
  ),
  form("exact", "date time day year month", oneOfPatterns(DATE_OR_TIME)),
  form("code", "selector xpath locator", oneOfPatterns(SELECTOR, XPATH)),
  form("code", "command", isCommand, { isContent: true }),
  form("code", "expression formula", inPlainLetters(isExpression)),
  form("exact", "sql", oneOfPatterns(...STATEMENTS)),
  form("question", "question", isAsked, { isContent: true }),
  form("question", "query search", isAsked),
  form("prose", "body prompt content message task note", isPhrase, {
    isContent: true,
  }),
  form(
    "prose",
    "description answer reply story summary instruction",
    isPhrase,
    {
      isContent: true,
    },
  ),
  form("prose", "name address keyword phrase term", isPhrase),
  form("prose", "str string text symbol value input", isPhrase),
];

function form(
  kind: Form["kind"],
  words: string,
  shows: Form["shows"],
  traits: Pick<Form, "isFormat" | "isContent"> = {},
): Form {
  return { kind, words: new Set(words.split(" ")), shows, ...traits };
}

function isAsked(text: string): boolean {
  return isPhrase(text) || isQuestion(text);
}

/** Letters with marks count as their letters. */
function inPlainLetters(shows: Form["shows"]): Form["shows"] {
  return (text) => shows(text.normalize("NFD").replace(/\p{M}/gu, ""));
}

function oneOfPatterns(...patterns: readonly RegExp[]): Form["shows"] {
  return inPlainLetters((text) =>
    patterns.some((pattern) => pattern.test(text)),
  );
}

/** Whether a text shows a form; a long one, and one with a slot, shows none. */
export function shows({ shows }: Form, text: string): boolean {
  if (text.length > 2_000 || SLOT.test(text)) return false;
  return shows(text);
}

/** The form that a word names. */
export function formOf(word: string): Form | undefined {
  return FORMS.find(({ words }) => words.has(word));
}

/** The form whose words name the format of a text. */
export function formatOf(text: string): Form | undefined {
  return FORMS.find((form) => form.isFormat && shows(form, text));
}

/** Forms of several values at once. */
const LISTS: ReadonlySet<string> = new Set(["list", "array"]);
const MAPS: ReadonlySet<string> = new Set([
  "dict",
  "dictionary",
  "map",
  "object",
  "mapping",
]);

/** Whether a word names a form, of one value or of several. */
export function namesForm(word: string): boolean {
  if (LISTS.has(word) || MAPS.has(word)) return true;
  return formOf(word) !== undefined;
}

/** The kinds of forms that any words may have. */
const WORDY: ReadonlySet<Form["kind"]> = new Set(["prose", "question"]);

/**
 * Whether a word only names a value's form: `path` of `a/b.txt`, `list` of a
 * list.
 */
export function hasForm(value: JsonValue, word: string): boolean {
  if (isJsonObject(value)) return MAPS.has(word);
  const form = formOf(word);
  if (!Array.isArray(value)) return isOfForm(value, form);
  if (LISTS.has(word)) return true;
  return form !== undefined && value.every((item) => isOfForm(item, form));
}

function isOfForm(value: JsonValue, form: Form | undefined): boolean {
  if (form === undefined) return false;
  if (typeof value !== "string" && typeof value !== "number") return false;
  if (form.isContent || WORDY.has(form.kind)) return true;
  return shows(form, String(value));
}
