/**
 * The vocabulary of `Repair.reason`: what an edit goes by, in a few words. What the model or the
 * tool's author wrote is quoted by key names only, cut to length.
 */

/** The longest key that a reason quotes, in characters. */
const MAX_QUOTED = 40;

/** A key, a word or a choice as a reason quotes it. */
function quoted(name: string): string {
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
  alike: "two letters that sound alike",
  spelling: "another spelling of the same word",
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

/** A key around the arguments is one that models put there, and that the tool does not declare. */
export function isWrapper(key: string): string {
  return `${quoted(key)} is an envelope that is not declared`;
}

/** A key around a value is the name of the place, of the tool, or says nothing. */
export function namesPlace(key: string): string {
  return `${quoted(key)} says what is wanted here`;
}

/** A field is what its thing is called, or consists of. */
export function fieldIsTheThing(field: string): string {
  return `${quoted(field)} is the thing itself`;
}

/** What the edit of a value goes by. */
export const VALUES = {
  /** What stands beside the arguments is the name of this tool, and the call's own. */
  callOfThisTool: "the call names this tool",
  /** The elements are the keyword of their schema, filled in. */
  typedValues: "every element holds a text of its own and nothing else",
  /** A choice differs from what was written in nothing that says anything. */
  sameChoice: "the same but for case, spacing or punctuation",
  /** The schema takes the text without what stands around it. */
  whatIsLeft: "the schema takes only what stands inside",
  /** The keys count from 0, as positions do. */
  numberedFromZero: "the keys are positions from 0 on",
  /** The lists are equally long, and their names are the fields of a row. */
  columnsOfRows: "the lists are equally long, and named as the fields of a row",
  /** The parts of a pair are named in the order in which it is written. */
  partsInOrder: "the parts are named in the order of the pair",
  /** A value stands alone where a list of such is wanted. */
  loneValue: "one value for a list of such",
  /** A list holds one element, where that is wanted by itself. */
  onlyElement: "the only element of a list, wanted by itself",
  /** A text is JSON, and no text is wanted. */
  jsonAsText: "the text is JSON, where no text is wanted",
  /** A list is as long as every row must be. */
  wholeRow: "it is as long as every row must be",
  /** A word that answers with yes or no. */
  answerInAWord: "the word answers yes or no",
  /** The place says that its currency is the one of the sign. */
  currencyIsSaid: "the place is said to be in that currency",
  /** Every part of a text is one of the choices. */
  everyPartIsChoice: "every part is one of the choices",
  /** A text is a plain list, with nothing in it that could mean anything else. */
  plainList: "a plain list, parted by one sign",
} as const;

/** A path that a key spells out leads through declared keys only. */
export const DECLARED_AT_EACH_STEP = "each part of the key is declared";

/** Arguments by position fit the fields in the order of their declaration, and in no other. */
export const TYPES_FIT_ONE_ORDER = "the values fit the fields in one order only";

/** Nothing else is missing, and the field says what kind of thing the object is. */
export const ONLY_POSSIBLE_TAG = "the only value that says what this is";

/** Null stands where the schema declares what it takes instead. */
export const DEFAULT_FOR_NULL = "null stands for the default that the schema declares";

/** An optional place holds a way to write that nothing is given. */
export const LEFT_OUT = "nothing is given, and nothing need be";

/** All that was written has its place, and the schema says what it takes for the rest. */
export const DECLARED_DEFAULT = "the schema declares it, and nothing else was written";

/** A thing and its field are in one name: `user` and `name` in `user_name`. */
export function namesJoin(outer: string, field: string): string {
  return `${quoted(field)} has ${quoted(outer)} in its name`;
}

/** What stands around fields is no thing that has them. */
export function namesNoThing(outer: string): string {
  return `${quoted(outer)} names no thing, and all in it is declared`;
}

/** All keys that are not declared are fields of one object, the only one missing. */
export function allBelongIn(outer: string): string {
  return `all that is undeclared belongs in ${quoted(outer)}`;
}
