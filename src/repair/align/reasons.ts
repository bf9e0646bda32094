/**
 * The vocabulary of `Repair.reason`: what an edit goes by, in a few words. What the model or the
 * tool's author wrote is quoted by key names only, cut to length.
 */

/** The longest key that a reason quotes, in characters. */
const MAX_QUOTED = 40;

/** A key, a word or a choice as a reason quotes it. */
export function quoted(name: string): string {
  const flat = name.replace(/[\s`]/g, " ");
  return `\`${flat.length > MAX_QUOTED ? `${flat.slice(0, MAX_QUOTED - 1)}…` : flat}\``;
}

/** Two names have a word in common that says what they are about. */
export function namesShare(word: string): string {
  return `the names share ${quoted(word)}`;
}

/** A field's description uses the word that was written for its name. */
export function descriptionSpeaksOf(field: string, word: string): string {
  return `the description of ${quoted(field)} speaks of ${quoted(word)}`;
}

/**
 * No other field that is free takes a value of this shape.
 *
 * @param shape With its article: "an address", "an object", "one of its choices".
 */
export function onlyTaker(field: string, shape: string): string {
  return `only ${quoted(field)} takes ${shape}`;
}

/** What one slip of the keyboard did to a name or a choice. */
export const SLIPS = {
  swapped: "two swapped letters",
  lost: "one lost letter",
  doubled: "one doubled letter",
  added: "one letter too many",
  plural: "a plural for a singular, or the other way round",
  stuck: "other text is stuck to it",
} as const;

/** Why a key that the schema forbids asks for nothing. */
export const DROPPED = {
  empty: "nothing stands there",
  repeats: "a declared key says the same",
  name: "it names the tool that is called",
  thought: "it holds what the model thinks",
  motive: "it says why the call is made",
  placeholder: "the tool takes no arguments",
} as const;
