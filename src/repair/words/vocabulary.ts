/**
 * All words that reading and the schema-driven repair rely on. Every list
 * allows: without a word, only more inputs are rejected.
 */

import { isContainer } from "../json.ts";
import { spacedParts } from "../text.ts";
import type { JsonValue } from "../types.ts";

/** The words of a text, parted by white space. */
export function wordsIn(words: string): readonly string[] {
  return spacedParts(words.trim());
}

/** The words of a text, as a set. */
export function setOf(words: string): ReadonlySet<string> {
  return new Set(wordsIn(words));
}

const JSON_TYPES = setOf("string number integer boolean object array");

/** Whether a text is the name of a type in a schema, in any case. */
export function namesJsonType(text: string): boolean {
  return JSON_TYPES.has(text.toLowerCase());
}

/** The long form of a word that abbreviates nothing else. */
export const FULL_WORDS: ReadonlyMap<string, string> = new Map(
  wordsIn(`cmd=command msg=message txt=text qty=quantity src=source dest=destination img=image addr=address
  lang=language repo=repository btn=button elem=element lat=latitude lng=longitude lon=longitude
  mail=email dir=directory desc=description loc=location doc=document q=query`).map(
    (pair) => pair.split("=") as [string, string],
  ),
);

const REMARK =
  "thoughts?|thinking|reasoning|rationale|explanation|justification|comments?|remarks?|analysis";
/**
 * Keys for remarks of a model: they are no arguments, regardless of their
 * value.
 */
export const REMARKS: RegExp = new RegExp(
  `^_*(?:the_?|my_?|tool_?)?(?:${REMARK}|chain_?of_?thought|scratchpad)(?:_?\\d+|_?text)?_*$`,
  "i",
);

const NO_INPUT = "no_?(?:op|params?|args?|arguments?|input)";
/** Keys that models write where a tool takes no arguments. */
export const PLACEHOLDERS: RegExp = new RegExp(
  `^(?:random_?string|dummy|placeholder|${NO_INPUT}|unused|empty|none|nothing)$`,
  "i",
);

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
export const CALL_KEYS: ReadonlySet<string> = setOf(
  "id callid toolcallid type",
);

/** Words of call syntax before a tool's name. */
export const CALL_WORDS: ReadonlySet<string> = setOf(
  "tool tools function functions api call calls use namespace default mcp server type name the",
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
  Object.entries({
    yes: true,
    on: true,
    1: true,
    no: false,
    off: false,
    0: false,
  }),
);

/** Matches where a description of a text names a boolean. */
export const NAMES_TRUTH: RegExp = /\b(?:true|false|bool|boolean)\b/i;

/** Words for no value, in small letters, and the empty text. */
const NOTHING = new Set(["", "null", "undefined", "none", "nil", "n/a"]);

/** Whether a value can only stand for none. */
export function isNothing(value: JsonValue): boolean {
  if (typeof value !== "string") return value === null;
  return NOTHING.has(value.trim().toLowerCase());
}

/**
 * Whether a value stands for no arguments at all: nothing, or an empty list or
 * object, also as text.
 */
export function isNoArguments(value: JsonValue): boolean {
  if (isContainer(value)) return Object.keys(value).length === 0;
  return isNothing(value) || EMPTY_BRACKETS.has(String(value).trim());
}

const EMPTY_BRACKETS = new Set(["()", "{}", "[]"]);
