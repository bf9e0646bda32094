/**
 * All words that reading and the schema-driven repair rely on. Every list allows: without a word,
 * only more inputs are refused. The last two lists say where no value may be left out.
 */

import { isContainer, isJsonObject } from "../json.ts";
import type { JsonValue } from "../types.ts";

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** The long form of a word that abbreviates nothing else. */
export const FULL_WORDS: ReadonlyMap<string, string> = new Map(
  `cmd=command msg=message txt=text qty=quantity src=source dest=destination img=image addr=address
  lang=language repo=repository btn=button elem=element lat=latitude lng=longitude lon=longitude
  mail=email dir=directory desc=description loc=location doc=document q=query`
    .split(/\s+/)
    .map((pair) => pair.split("=") as [string, string]),
);

/** A form of a field, and the texts that have it. */
export interface Form {
  readonly words: ReadonlySet<string>;
  readonly shows: (text: string) => boolean;
  /** Whether the words name a format, so that one of them stands for another. */
  readonly isFormat?: boolean;
  /** Whether any words may have it. */
  readonly isProse?: boolean;
  /** Whether it is a thing's content, which may be any text, and so no other word for the thing. */
  readonly isContent?: boolean;
  /** Whether a name that adds the word names another thing: `product_id` is no `product`. */
  readonly isTyped?: boolean;
}

/** Whether a text is a sentence that a person says, in any language, rather than a value. */
function isSentence(text: string): boolean {
  const isEnded = /^\p{L}+: |[。！？、，।]|\p{L}\p{M}*[.!?…]["')]?$|\p{L}[.!?] +\p{Lu}/u.test(text);
  return isEnded || /^\p{Lu}[\p{Ll}'’]*,? [\p{Ll}'’]+ \S/u.test(text);
}

/** A text that stands for something else, or marks something missing: `{{city}}`, `<name>`, `...`. */
const hasSlot = (text: string) => /\{\{|\$\{|<\p{L}[\p{L}\p{N} _-]*>|\.{3}|…/u.test(text);
/** Signs of more than a phrase: lines, a label, the end of a statement, a call. */
const isMore = (text: string) => /\n|\s--\s|^[\p{L}\p{N} ]{1,30}: |;$|\(\)/u.test(text);

/** Whether a text of few words may fill a field whose only known form is that it is no sentence. */
const isPhrase = (text: string) =>
  !isMore(text) && !isSentence(text) && text.split(/\s+/).length <= 8;

/** A path's characters: names in other scripts look like the words around a path. */
const PATHS: readonly RegExp[] = [
  /^(?:[a-z]:[/\\]|[.~]{0,2}\/|\\\\)[\w./\\@~+*-]*[\w/\\*~]$/i,
  /^(?=[^/\\]*[/\\].*[/\\]|.*\.[a-z]\w{0,4}$)[\w@-][\w./\\@~+*-]*[/\\.][\w./\\@~+*-]*[\w/\\*]$/,
  /^\.[\w-]+(?:\.[\w-]+)*$|^[./~*]$|^[a-z][a-z\d]{1,9}:\/\/[\w./@~+*-]*[\w/*]$/,
];

/** A CSS selector: a plain name may be a word, so that names with spaces need a class or the like. */
const SIMPLE = String.raw`[#.][a-z_-][\w-]*|::?[a-z-]+(?:\([^()\n]*\))?|\[[\w-]+[~|^$*]?=(?:"[^"]*"|'[^']*'|[\w-]+)\]`;
const COMPOUND = String.raw`(?:[a-z][\w-]*|\*)?(?:${SIMPLE})+`;
const TAG =
  "h[1-6]|a|p|b|i|div|span|li|ul|ol|button|input|form|label|img|table|tr|td|th|main|nav|section";
const PART = String.raw`(?:[a-z][\w-]*|\*|(?:(?:${TAG}) +)*${COMPOUND}(?: +(?:${COMPOUND}|${TAG}))*)`;
const SELECTOR = new RegExp(`^(?=.*[#.:[>+~*])${PART}(?: *[>+~] *${PART})*$`, "i");
const XPATH =
  /^\.?\/{1,2}[\w*@:.-]+(?:\[[^[\]\n]*\])*(?:\/{1,2}[\w*@:.-]+(?:\(\))?(?:\[[^[\]\n]*\])*)*$/;

/** The name of a program, its subcommand, and its operands. */
const COMMAND = /^[a-z./~][\w./~+-]*(?: [a-z][\w-]*)?( [^()]*)$/;
/** A flag, an operator, a quotation, a number, a variable or a path: no word of a sentence. */
const OPERAND =
  /^(?:-{1,2}[\w-]+(?:=\S+)?|[|<>&;\d]+|"[^"]*"|'[^']*'|\$\w+|(?=[\w@*~:/.-]*[/.=*])[^\s"']+)$/;

function isCommand(text: string): boolean {
  const operands = COMMAND.exec(text)?.[1]?.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  // What no sentence has makes the words beside it a command: a flag, a pipe, a variable.
  if (operands.some((each) => /^(?:--?[a-z][\w=-]*|&&|\||\$\w+)$/i.test(each))) return true;
  // A number alone may be a remark's: `see 5`.
  const isRemark = operands.every((each) => /^[\d<>-]+$/.test(each));
  return !isRemark && operands.every((each) => OPERAND.test(each));
}

/** A statement to its end: in small letters with its semicolon, in capitals with another last word. */
const STATEMENTS: readonly RegExp[] = [
  /^(?:select|insert|update|delete|with|create|alter|drop)\s[\s\S]*;$/,
  /^(?:SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER|DROP)\s[\s\S]*(?:[\d)'"*]|[\s.]\w*[a-z]\w*);?$/,
];

const URL =
  /^(?!.*(?:[?&=.,;:!)]$|%[\da-f]?$|[{}<>"|$]|,.*:\/\/))(?:[a-z][a-z\d+.-]{0,20}:\/\/[^\s/]|(?:mailto|tel|data):\S|www\.|\/|#)[!-~]*$/i;
const isEmail = (text: string) =>
  /^[\w.+'-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.[a-z]{2,}$/iu.test(text);
const ID = /^(?=\D*\d)[\w@#][\w.:#@+-]*\w$|^\d$|^\+\d[\d ()/-]*\d$/;
const DATE =
  /^(?:\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:[T ][\d:.+Z-]*[\dZ])?|(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)$/;

const FORMS: readonly Form[] = [
  form("url uri link href", [URL], { isFormat: true, isTyped: true }),
  form("email", isEmail, { isFormat: true, isTyped: true }),
  form("path file filename directory folder", PATHS),
  form("id identifier number num code isbn iban zip phone", [ID], { isTyped: true }),
  form("date time day year month", [DATE], { isTyped: true }),
  form("selector xpath locator", [SELECTOR, XPATH]),
  form("question", [/[?？]\s*$/u], { isContent: true }),
  form(
    `text body prompt content message task note description answer reply story summary instruction
    expression`,
    isPhrase,
    { isContent: true, isProse: true },
  ),
  form("command", isCommand, { isContent: true }),
  form("sql", STATEMENTS, { isTyped: true }),
  form("query keyword phrase term name address str string symbol value input", isPhrase, {
    isProse: true,
  }),
];

function form(
  words: string,
  shown: readonly RegExp[] | Form["shows"],
  traits: Partial<Form> = {},
): Form {
  const some = (text: string) => {
    // Letters with marks count as their letters.
    const plain = text.normalize("NFD").replace(/\p{M}/gu, "");
    return (shown as readonly RegExp[]).some((one) => one.test(plain));
  };
  return { words: setOf(words), shows: typeof shown === "function" ? shown : some, ...traits };
}

/** Whether a text shows a form; a long one shows none. */
export const shows = (form: Form, text: string): boolean =>
  text.length <= 2_000 && !hasSlot(text) && form.shows(text);

/** The form that a word names. */
export const formOf = (word: string): Form | undefined =>
  FORMS.find(({ words }) => words.has(word));

/** The form whose words name the format of a text. */
export const formatOf = (text: string): Form | undefined =>
  FORMS.find((form) => form.isFormat && shows(form, text));

/** Words before a form that do not say which one it is: `search_query`, `full_path`. */
export const QUALIFIERS: ReadonlySet<string> = setOf("search full exact");

/** Forms of several values at once. */
const LISTS = setOf("list array");
const MAPS = setOf("dict dictionary map object mapping");

/** Whether a description says that a text holds several values. */
export const namesList = (description: string): boolean =>
  /\b(?:lists?|arrays?|sets?|json)\b/i.test(description);

/** Whether a word names a form, of one value or of several. */
export const namesForm = (word: string): boolean =>
  formOf(word) !== undefined || LISTS.has(word) || MAPS.has(word);

/** Whether a word only names a value's form: `path` of `a/b.txt`, `list` of a list. */
export function hasForm(value: JsonValue, word: string): boolean {
  if (isJsonObject(value)) return MAPS.has(word);
  if (Array.isArray(value) && LISTS.has(word)) return true;
  const texts: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  const form = formOf(word);
  if (form === undefined || !texts.every((text) => /string|number/.test(typeof text))) return false;
  return texts.every((text) => form.isProse || form.isContent || shows(form, String(text)));
}

const REMARK =
  "thoughts?|thinking|reasoning|rationale|explanation|justification|comments?|remarks?|analysis";
/** Keys for remarks of a model: they are no arguments, regardless of their value. */
export const REMARKS: RegExp = new RegExp(
  `^_?(?:the_?|my_?|tool_?)?(?:${REMARK}|chain_?of_?thought|scratchpad)(?:_?\\d+|_?text)?$`,
  "i",
);

/** Keys that models write where a tool takes no arguments. */
export const PLACEHOLDERS: RegExp =
  /^(?:random_?string|dummy|placeholder|no_?(?:op|params?|args?|arguments?|input)|unused|empty|none|nothing)$/i;

/** Keys around the arguments, folded. */
export const ENVELOPES: ReadonlySet<string> = setOf(
  `input inputs args arg arguments argument parameters params parameter kwargs toolinput
  actioninput toolargs functionargs payload body data request json object properties function
  functioncall toolcall call`,
);
/** Keys around a list. */
export const LIST_KEYS: ReadonlySet<string> = setOf(
  "item items element elements entry entries value values list array",
);
/** Keys that hold the tool's name in a call. */
export const NAME_KEYS: ReadonlySet<string> = setOf(
  "name tool toolname function functionname action recipientname",
);
/** Other keys that a call has. */
export const CALL_KEYS: ReadonlySet<string> = setOf("id callid toolcallid type");

/** Words of call syntax before a tool's name. */
export const CALL_WORDS: ReadonlySet<string> = setOf(
  "tool tools function functions api call calls use namespace default mcp server type name the",
);
/** The words of a lead-in to JSON: "Here is the input:", "Action Input:", "Sure, my arguments:". */
export const LEAD_IN_WORDS: ReadonlySet<string> = setOf(
  `here here's it is are the these my your json input inputs arguments argument args parameters
  params payload object action action_input tool call function for of with and sure ok okay
  certainly following`,
);
/** The words of control tokens around a call: `<|tool_call_begin|>`. */
export const TOKEN_WORDS: ReadonlySet<string> = setOf(
  `tool tools call calls function functions python tag im start end eot eom eos id begin sep
  assistant message plugin action args constrain sentence of`,
);
/** The names of tags around a call, folded: `<tool_call>`. */
export const TAG_NAMES: ReadonlySet<string> = setOf(
  `toolcall toolcalls functioncall functioncalls function invoke tooluse toolinput actioninput
  arguments args json parameter parameters`,
);

/** The words that answer a question. */
export const ANSWERS: ReadonlyMap<string, boolean> = new Map(
  Object.entries({ yes: true, on: true, no: false, off: false }),
);

/** Matches where a description of a text names a boolean. */
export const NAMES_TRUTH: RegExp = /\b(?:true|false|bool|boolean)\b/i;
/** A default's value: behind a colon it ends a clause, unless it is quoted. */
const VALUE = String.raw`(?: (?!of\b|value)(?:[^\s.]|$)|\)| ?[:=] ?(?:["'\x60]|\S+[.,;)]*(?:\s*$|[.,;)]\s)))`;
const DEFAULT = String.raw`\b(?:(?:as|by|to) default|defaults?(?: values?)?${VALUE})[^;؛；]*$`;
/** The word with a value behind it, or behind "by" or the like: not "No default: …", "in default.". */
export const NAMES_DEFAULT: RegExp = new RegExp(DEFAULT, "i");

const WORDS = String.raw`([\p{L}\p{N} ]+?)`;
const PURPOSE = String.raw`(?: (?:for|in|as) [^.,;(]*)?(?: to (\p{L}+)[^.,;(]*)?`;
const HEAD = `^(?:the |an? )?(?:css )?${WORDS}(?: of (?:the |an? )?${WORDS})?${PURPOSE}(?=[.,;(]|$)`;
/** What a description begins with, what that is of, and for what: "CSS selector of the element to click". */
export const headOf = (description: string): RegExpExecArray | null =>
  new RegExp(HEAD, "u").exec(description);

/** Whether a value can only stand for none. */
export const isNothing = (value: JsonValue): boolean =>
  value === null ||
  (typeof value === "string" && /^(?:null|undefined|none|nil|n\/a)?$/i.test(value.trim()));

/** Values for no arguments at all. */
export const isNoArguments = (value: JsonValue): boolean =>
  isNothing(value) ||
  (isContainer(value)
    ? Object.keys(value).length === 0
    : /^\s*(?:\(\)|\{\}|\[\])\s*$/.test(`${value}`));

/** Words that only English has: `namesNothing` tells what such a text says. */
export const IS_ENGLISH: RegExp = /\b(?:the|with|and|your|this|which)\b/i;

/** Whether a description has a further clause, in any language; `(YYYY-MM-DD)` is none. */
export const hasClauses = (text: string): boolean =>
  /[\p{Po}=(–—][^\p{Po}=()]*[\p{Ll}\p{Lo}]/u.test(text.slice(0, 900).replace(/["'%&/#*@]/g, " "));

const NOTHING =
  "(?:(?:null|none|nil|undefined|clear\\w*|empty|blank|omit\\w*|left out|leave out|leaving out)\\b|\"\"|''|``|“”|「」)";
const NAMES_NOTHING = new RegExp(`(?<!\\w)${NOTHING}`, "i");
/** A default that is empty: then a place that is left out holds it, too. */
const BY_DEFAULT = new RegExp(
  `\\bdefault\\w*(?: values?)?(?: is| of| to|:| =)?(?: an?)? ?['"\`]?${NOTHING}`,
  "gi",
);

/** Whether a description speaks of null, empty text or leaving out, other than as the default. */
export const namesNothing = (text: string): boolean =>
  NAMES_NOTHING.test(text.replace(BY_DEFAULT, ""));
