import { isJsonObject } from "../json.ts";
import type { JsonValue } from "../types.ts";

/** A form of a field's texts, and the words of names that ask for it. */
export interface Form {
  readonly words: ReadonlySet<string>;
  /**
   * - `exact`: a text either has the form or is something else: an id, a URL, a
   *   date.
   * - `code`: a path, a selector, a command: it shows itself, but a field may
   *   take other texts.
   * - `question`: what is looked for, in any words.
   * - `prose`: any text.
   */
  readonly kind: "exact" | "code" | "question" | "prose";
  readonly shows: (text: string) => boolean;
  /**
   * Whether its words name one format, so that one of them stands for another.
   */
  readonly isFormat?: boolean;
  /**
   * Whether it is the content of a thing, which may be any text, and so no
   * other word for it.
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
const IS_MORE = /\n|\s--\s|^[\p{L}\p{N}_ ]{1,30}: |;$|\(\)/u;
/** The end of a sentence: `It is done.`, `完成了。`, but not `v1.2` or `a?b`. */
const ENDS_SENTENCE =
  /[。！？、，।]|\p{L}\p{M}*[.!?…]+["')]?$|\p{L}[.!?] +\p{Lu}/u;
/** More words than this are no phrase. */
const MAX_WORDS = 8;

/**
 * Whether a text is a phrase: up to eight words of one line that end no
 * sentence.
 */
export function isPhrase(text: string): boolean {
  if (IS_MORE.test(text) || ENDS_SENTENCE.test(text)) return false;
  return text.split(/\s+/).length <= MAX_WORDS;
}

/** Whether a text is a question of one line. */
export function isQuestion(text: string): boolean {
  return text.length <= 200 && /^[^\n]*[?？]\s*$/u.test(text);
}

/**
 * A path's characters: names in other scripts look like the words around a
 * path.
 */
const PATHS: readonly RegExp[] = [
  // `/home/user/My report.txt`, with spaces: it begins as a path and ends in a
  // suffix.
  /^(?:[a-z]:[/\\]|[.~]{0,2}\/)[^\n"'<>|*?:,;]*\.\w{1,5}$/i,
  // `/srv/data`, `C:\logs`, `~/notes/*`
  /^(?:[a-z]:[/\\]|[.~]{0,2}\/|\\\\)[\w./\\@~+*-]*[\w/\\*~]$/i,
  // `src/a/b`, `a/b.txt`, `notes.md`
  /^(?=[^/\\]*[/\\].*[/\\]|.*\.[a-z]\w{0,4}$)[\w@-][\w./\\@~+*-]*[/\\.][\w./\\@~+*-]*[\w/\\*]$/,
  // `.env`, `.`, `s3://bucket/key`
  /^\.[\w-]+(?:\.[\w-]+)*$|^[./~*]$|^[a-z][a-z\d]{1,9}:\/\/[\w./@~+*-]*[\w/*]$/,
];

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
const XPATH =
  /^\.?\/{1,2}[\w*@:.-]+(?:\[[^[\]\n]*\])*(?:\/{1,2}[\w*@:.-]+(?:\(\))?(?:\[[^[\]\n]*\])*)*$/;

/** The name of a program, its subcommand, and its operands. */
const COMMAND = /^[a-z./~][\w./~+-]*(?: [a-z][\w-]*)?( [^()]*)$/;
/**
 * A flag, an operator, a quotation, a number, a variable or a path: no word of
 * a sentence.
 */
const OPERAND =
  /^(?:-{1,2}[\w-]+(?:=\S+)?|[|<>&;\d]+|"[^"]*"|'[^']*'|\$\w+|(?=[\w@*~:/.-]*[/.=*])[^\s"']+)$/;
/** What no sentence has: a flag, a pipe, a variable. */
const SHELL_SIGN = /^(?:--?[a-z][\w=-]*|&&|\||\$\w+)$/i;

function isCommand(text: string): boolean {
  const operands = COMMAND.exec(text)?.[1]?.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  if (operands.some((operand) => SHELL_SIGN.test(operand))) return true;
  // A number alone may be a remark's: `see 5`.
  const isRemark = operands.every((operand) => /^[\d<>-]+$/.test(operand));
  return !isRemark && operands.every((operand) => OPERAND.test(operand));
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

const URL =
  /^(?!.*(?:[?&=.,;:!)]$|%[\da-f]?$|[{}<>"|$]|,.*:\/\/))(?:[a-z][a-z\d+.-]{0,20}:\/\/[^\s/]|(?:mailto|tel|data):\S|www\.|\/|#)[!-~]*$/i;
const EMAIL = /^[\w.+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.[a-z]{2,}$/iu;
const ID = /^(?=\D*\d)[\w@#][\w.:#@+-]*\w$|^\d$|^\+\d[\d ()/-]*\d$/;
const DAY = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
/** `2025-05-06`, `2025-05-06T12:30Z` */
const DATE = new RegExp(`^${DAY}(?:[T ][\\d:.+Z-]*[\\dZ])?$`);
/** `12:30`, `12:30:15` */
const TIME = /^(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/;
/** Numbers, names and at least one operator: `2 + 2`, `price * 1.2`. */
const EXPRESSION =
  /^[\w\s.,+*/^%()<>=!&|-]*[+*/^%()<>=-][\w\s.,+*/^%()<>=!&|-]*$/;

const FORMS: readonly Form[] = [
  form("exact", "url uri link href", oneOfPatterns(URL), { isFormat: true }),
  form("exact", "email", (text) => EMAIL.test(text), { isFormat: true }),
  form("code", "path file filename directory folder", oneOfPatterns(...PATHS)),
  form(
    "exact",
    "id identifier number num code isbn iban zip phone",
    oneOfPatterns(ID),
  ),
  form("exact", "date time day year month", oneOfPatterns(DATE, TIME)),
  form("code", "selector xpath locator", oneOfPatterns(SELECTOR, XPATH)),
  form("code", "command", isCommand, { isContent: true }),
  form("code", "expression formula", oneOfPatterns(EXPRESSION)),
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
function oneOfPatterns(...patterns: readonly RegExp[]): Form["shows"] {
  return (text) => {
    const plain = text.normalize("NFD").replace(/\p{M}/gu, "");
    return patterns.some((pattern) => pattern.test(plain));
  };
}

/** Whether a text shows a form; a long one, and one with a slot, shows none. */
export function shows({ shows }: Form, text: string): boolean {
  return text.length <= 2_000 && !SLOT.test(text) && shows(text);
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
  return formOf(word) !== undefined || LISTS.has(word) || MAPS.has(word);
}

/**
 * Whether a word only names a value's form: `path` of `a/b.txt`, `list` of a
 * list.
 */
export function hasForm(value: JsonValue, word: string): boolean {
  if (isJsonObject(value)) return MAPS.has(word);
  if (Array.isArray(value) && LISTS.has(word)) return true;
  const form = formOf(word);
  if (form === undefined) return false;
  const items: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  const takesAnyWords =
    form.kind === "prose" || form.kind === "question" || form.isContent;
  return items.every((item) => {
    if (typeof item !== "string" && typeof item !== "number") return false;
    return takesAnyWords || shows(form, String(item));
  });
}
