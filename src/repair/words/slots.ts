import { setOf } from "./vocabulary.ts";

/** The forms of what stands for a value that is still missing. */
const SLOTS: readonly RegExp[] = [
  // <accession number>, not <a href="x">
  /^<\p{L}[^<>/"'=]{0,99}>$/u,
  // {{accession_no}}, {name}, ${name}; not {"a": 1}
  /^\$?\{{1,2}\s?\p{L}[\p{L}\p{N} _.-]{0,99}\}{1,2}$/u,
  // $PARAMETER_NAME, not $10
  /^\$[A-Z][A-Z_]{2,99}$/,
  // %s, %(name)s; not 50%
  /^%(?:\(\w{1,99}\))?[sdifr]$/,
  // xxx, xxx-xxx; not xx-large
  /^[xX]{3,}(?:[-_ .][xX]{2,})*$/,
  // ___, ???, ...; not ?
  /^(?:_{3,}|\?{3,}|\.{3,}|…)$/,
  // your_api_key, not your order
  /^your(?:[_-][a-z\d]{1,40}){1,6}$/i,
  // API_KEY_HERE, not click_here
  /^[A-Z\d]{1,40}(?:[_-][A-Z\d]{1,40}){0,6}[_-]HERE$/,
];

/** Words that stand for a value, in capitals only. */
const SLOT_WORDS = setOf(
  "TODO TBD FIXME PLACEHOLDER CHANGEME CHANGE_ME REPLACEME REPLACE_ME",
);

const MAX_SLOT = 200;

/**
 * Whether a text only holds the place of a value: `<query>`, `%s`, `xxx-xxx`,
 * `TODO`, `your_api_key`.
 */
export function isSlot(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > MAX_SLOT) return false;
  return SLOT_WORDS.has(trimmed) || SLOTS.some((form) => form.test(trimmed));
}

/**
 * The types of JSON and of programs: `{"name": string}` says what a value
 * should be.
 */
const TYPES = setOf(
  "string number integer boolean object array str int float bool dict",
);

/** Whether a word without quotes holds the place of a value. */
export function isSlotWord(word: string): boolean {
  return TYPES.has(word.toLowerCase()) || isSlot(word);
}
