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
  // TODO, not todo
  /^(?:TODO|TBD|FIXME|PLACEHOLDER|CHANGE_?ME|REPLACE_?ME)$/,
  // your_api_key, not your order
  /^your(?:[_-][a-z\d]{1,40}){1,6}$/i,
  // API_KEY_HERE, not click_here
  /^[A-Z\d]{1,40}(?:[_-][A-Z\d]{1,40}){0,6}[_-]HERE$/,
];

const MAX_SLOT = 200;

/**
 * Whether a text only holds the place of a value: `<query>`, `%s`, `xxx-xxx`,
 * `TODO`, `your_api_key`.
 */
export function isSlot(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length <= MAX_SLOT && SLOTS.some((form) => form.test(trimmed));
}

/**
 * The types of JSON and of programs: `{"name": string}` says what a value
 * should be.
 */
const TYPES: ReadonlySet<string> = new Set(
  "string number integer boolean object array str int float bool dict".split(
    " ",
  ),
);

/** Whether a word without quotes holds the place of a value. */
export function isSlotWord(word: string): boolean {
  return TYPES.has(word.toLowerCase()) || isSlot(word);
}
