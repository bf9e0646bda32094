/**
 * All words that reading and the schema-driven repair go by. Every list allows: a word taken out of
 * it only makes more inputs refused. The last two say where nothing may be left out.
 */

import { isJsonObject } from "../json/json-value.ts";
import type { JsonValue } from "../types.ts";

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const pairsOf = (text: string): [string, string][] =>
  text.split(" ").map((pair) => [pair.split("=")[0] ?? "", pair.split("=")[1] ?? ""]);

/** What a word is short for, where it is short for nothing else. */
export const FULL_WORDS: ReadonlyMap<string, string> = new Map(
  pairsOf(
    "cmd=command msg=message txt=text qty=quantity src=source dest=destination img=image dir=directory addr=address desc=description lang=language loc=location repo=repository q=query btn=button elem=element lat=latitude lng=longitude lon=longitude",
  ),
);

/** A form of a field, and the texts that have it. */
export interface Form {
  readonly words: ReadonlySet<string>;
  /** Whether a text shows the form. */
  readonly shows: (text: string) => boolean;
  /** Whether the words name a format, so that one of them stands for another. */
  readonly isFormat?: boolean;
  /** Whether it is what something holds, so that it is no other word for that thing. */
  readonly isContent?: boolean;
  /** Whether a name that adds the word names another thing: `product_id` is no `product`. */
  readonly isTyped?: boolean;
}

/** Whether a text is a sentence that somebody says, in any language, rather than a value. */
export function isSentence(text: string): boolean {
  if (/[。！、，]/u.test(text)) return true;
  const isLong = text.split(/\s+/).length > 3;
  return (isLong && /\p{Ll}[.!…]["')]?$/u.test(text)) || /\p{L}[.!] +\p{Lu}\p{Ll}/u.test(text);
}

const FORMS: readonly Form[] = [
  {
    words: setOf("url uri link href"),
    shows: (text) =>
      /^(?:[a-z][a-z\d+.-]{0,20}:(?:\/\/)?[^\s/]|www\.|\/|#)\S*$/i.test(text) &&
      !/[?&=]$|%[\da-f]?$/i.test(text),
    isFormat: true,
    isTyped: true,
  },
  {
    words: setOf("email"),
    shows: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
    isFormat: true,
    isTyped: true,
  },
  {
    words: setOf("path file filename directory folder"),
    shows: (text) =>
      (/^(?:[.~]{0,2}\/|[a-z]:[/\\]|\\\\)/i.test(text) ||
        (!/\s/.test(text) && /[/\\]|\.\w|^[.~*]$/.test(text))) &&
      !/[\n?？]|[.!。！]$/u.test(text),
  },
  {
    words: setOf("id identifier number num code isbn iban zip phone"),
    shows: (text) =>
      text.split(" ").every((part) => /\d/.test(part)) &&
      !/\n|\p{Ll}[.!?]|[?!。！？，、]/u.test(text),
    isTyped: true,
  },
  {
    words: setOf("date time day year month"),
    shows: (text) => /\d[:./-]\d/.test(text) && text.length < 60,
    isTyped: true,
  },
  {
    words: setOf("selector xpath locator"),
    shows: (text) =>
      /[#.[\]>:*/@=-]|^[a-z][\w-]*$/.test(text) && !/\p{L}[.!?。！？]$|[?？]/u.test(text),
  },
  {
    words: setOf(
      "text body prompt content message question task note description answer reply story summary",
    ),
    shows: () => true,
    isContent: true,
  },
  {
    words: setOf("command"),
    shows: (text) =>
      !isSentence(text) && !/\p{L}[.!?。！？]$|^\p{Lu}\p{Ll}+(?: |$)|^\w+: |^\d/u.test(text),
    isContent: true,
  },
  {
    words: setOf("instruction expression"),
    shows: (text) => !isSentence(text) && !/\p{L}[.!?。！？]$/u.test(text),
    isContent: true,
  },
  {
    words: setOf("sql"),
    shows: (text) => !isSentence(text) && !/\p{L}[.!。！]$/u.test(text),
    isTyped: true,
  },
  {
    words: setOf("query keyword phrase term name address str string symbol value input"),
    shows: (text) => !isSentence(text) && !/\p{L}[.!。！]$/u.test(text),
  },
];

/** The form that a word names. */
export function formOf(word: string): Form | undefined {
  return FORMS.find(({ words }) => words.has(word));
}

/** The form whose words name the format of a text. */
export function formatOf(text: string): Form | undefined {
  return FORMS.find(({ isFormat, shows }) => isFormat && shows(text));
}

/** Words before a form that say nothing of which one it is: `search_query`, `full_path`. */
export const QUALIFIERS: ReadonlySet<string> = setOf("search full exact");

/** Forms of several values at once. */
const HOLDERS: readonly (readonly [ReadonlySet<string>, (value: JsonValue) => boolean])[] = [
  [setOf("list array"), Array.isArray],
  [setOf("dict dictionary map object mapping"), isJsonObject],
];

/** Whether a word says no more than what a value is: `path` of `a/b.txt`, `list` of a list. */
export function hasForm(value: JsonValue, word: string): boolean {
  if (HOLDERS.some(([words, holds]) => words.has(word) && holds(value))) return true;
  const form = formOf(word);
  const texts = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
  return (
    form !== undefined &&
    texts.every((text) => ["string", "number"].includes(typeof text) && form.shows(String(text)))
  );
}

/** Words of a description that wants a list, or the JSON of one, as text. */
export const LIST_TEXTS: ReadonlySet<string> = setOf("list array set json");

/** Keys for remarks of a model: they are no arguments, whatever they say. */
export const REMARKS: RegExp =
  /^(?:_|(?:the_?|my_?|tool_?)?(?:thoughts?|thinking|reasoning|rationale|explanation|explain|justification|comments?|remarks?|chain_?of_?thought|analysis|scratchpad)(?:_?\d+|_?text)?$)/i;

/** Keys that models write where a tool takes no arguments. */
export const PLACEHOLDERS: RegExp =
  /^(?:random_?string|dummy|placeholder|no_?op|no_?params?|no_?args?|no_?arguments?|no_?input|unused|empty|none|nothing)$/i;

/** Keys around the arguments, folded. */
export const ENVELOPES: ReadonlySet<string> = setOf(
  "input inputs args arg arguments argument parameters params parameter kwargs toolinput actioninput toolargs functionargs payload body data request json object properties function functioncall toolcall call",
);
/** Keys around a list. */
export const LIST_KEYS: ReadonlySet<string> = setOf(
  "item items element elements entry entries value values list array",
);
/** Keys of a single value in an object of its own. */
export const VALUE_KEYS: ReadonlySet<string> = setOf("value text content");
/** Types beside a value in an object of its own. */
export const JSON_TYPES: ReadonlySet<string> = setOf(
  "string number integer boolean object array null any",
);
/** Keys that hold the tool's name in a call. */
export const NAME_KEYS: ReadonlySet<string> = setOf(
  "name tool toolname function functionname action recipientname",
);
/** What else a call says of itself. */
export const CALL_KEYS: ReadonlySet<string> = setOf("id callid toolcallid type");

/** Words of call syntax before a tool's name. */
export const CALL_WORDS: ReadonlySet<string> = setOf(
  "tool tools function functions api call calls use namespace default mcp server type name the",
);

/** The words of a lead-in to JSON: "Here is the input:", "Action Input:", "Sure, my arguments:". */
export const LEAD_IN_WORDS: ReadonlySet<string> = setOf(
  "here here's it is are the these my your json input inputs arguments argument args parameters params payload object action action_input tool call function for of with and sure ok okay certainly following",
);

/** The words of control tokens around a call: `<|tool_call_begin|>`. */
export const TOKEN_WORDS: ReadonlySet<string> = setOf(
  "tool tools call calls function functions python tag im start end eot eom eos id begin sep assistant message plugin action args constrain sentence of",
);
/** The names of tags around a call, folded: `<tool_call>`. */
export const TAG_NAMES: ReadonlySet<string> = setOf(
  "toolcall toolcalls functioncall functioncalls function invoke tooluse toolinput actioninput arguments args json parameter parameters",
);

/** Words for true and false. */
export const ANSWERS: ReadonlyMap<string, boolean> = new Map(
  pairsOf("yes=1 on=1 1=1 no=0 off=0 0=0").map(([word, is]) => [word, is === "1"]),
);

/** Where a choice or a description names truth values. */
export const NAMES_TRUTH: RegExp = /\b(?:true|false|bool|boolean)\b/i;

/** Lines by which agents write down the steps of a turn. */
export const TURN: RegExp = /^\s*(?:thought|action|action input|observation|final answer)\s*:/im;

/** Parts of a description that end the name of a thing. */
export const NAME_END: RegExp =
  /^(?:\s*$|\s*[,.;:)(]|\s+(?:of|to|for|from|in|on|at|by|with|as|or|and|that|which|where)\b)/i;

/** A noun with what it is the form of: "CSS selector of the element". */
export const FORM_OF: RegExp = /^([\p{L}\p{N} -]+?) (?:of|for) (.*)$/u;

/** An article before a noun. */
export const ARTICLE: RegExp = /^(?:the|an?|your|this) /i;

/** Words for null, where null is taken. */
export const isNullWord = (text: string): boolean =>
  /^(?:null|none|nil|undefined)?$/i.test(text.trim());

/** Texts that can only mean that nothing is given. */
export const isNothing = (text: string): boolean =>
  /^(?:null|undefined|none|nil|n\/a)?$/i.test(text.trim());

/** Texts for no arguments at all. */
export const isNoArguments = (text: string): boolean =>
  /^(?:\(\)|\{\}|\[\]|null|none|undefined|n\/a)?$/i.test(text.trim());

const NOTHING =
  "(?:(?:null|none|nil|undefined|clear\\w*|empty|blank|omit\\w*|left out|leave out|leaving out)\\b|\"\"|''|``|“”|「」)";
/** That nothing is what holds by default: then a place that is left out holds it, too. */
const BY_DEFAULT = new RegExp(
  `\\bdefault\\w*(?: values?)?(?: is| of| to|:| =)?(?: an?)? ?['"\`]?${NOTHING}`,
  "gi",
);
const NAMES_NOTHING = new RegExp(`(?<!\\w)${NOTHING}`, "i");

/**
 * Whether a description speaks of null, empty text or leaving out, other than as the default: then
 * nothing is an instruction.
 */
export const namesNothing = (text: string): boolean =>
  NAMES_NOTHING.test(text.replace(BY_DEFAULT, ""));
