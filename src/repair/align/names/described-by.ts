import { wordsOf } from "./fold-name.ts";
import { isRole } from "./opposites.ts";
import { isGenericWord, isReference, stemOf, stemsOf } from "./vocabulary.ts";

/** As much of a description is read. */
const MAX_READ = 500;

/** Words by which a sentence says what something is not, or is only like. */
const CONTRAST =
  /\b(?:not|no|never|without|instead|rather|except|unlike|excluding|excludes?|don't|doesn't|cannot|can't|other|than|opposite|contrary|neither|nor|versus|vs|unless|only if|if|when)\b/i;

/** Where what a sentence is about ends, and something else begins. */
const ASIDE = /\b(?:e\.g\.|i\.e\.|for example|for instance|such as|like|including)/i;

/** Words that end a noun and what is said of it. */
const AFTER_NOUN: ReadonlySet<string> = new Set(
  "to of for from in on at by with as and or that which who whose where is are was will be being used should must can into per".split(
    " ",
  ),
);

/** Words with which something else is said of what was named: what is named there is another thing. */
const CLAUSE: ReadonlySet<string> = new Set(
  "that which who whom whose where when while why how before after until since because so is are was were be will would can could may might must should shall has have had does do gets goes".split(
    " ",
  ),
);

/** Words after which another thing is spoken of. */
const OF_ANOTHER: ReadonlySet<string> = new Set(
  "and of for from in on at by with as to under over behind into onto shown added given that which who whose where per into".split(
    " ",
  ),
);

/**
 * Finds the word of a name that a field's description uses for what belongs in the field: "CSS
 * selector of the element to click" for `element`. For a field that points to a thing, that may be
 * the thing; otherwise only what the description begins with, since the title of a page is no page.
 *
 * @param description What the schema says of the field.
 * @param from The name that was written.
 * @param to The field's own name.
 */
export function wordDescribing(description: string, from: string, to: string): string | undefined {
  const words = wordsOf(from).map(stemOf);
  const [head, ...others] = words.toReversed();
  if (head === undefined || words.every(isGenericWord) || isGenericWord(head)) return undefined;
  if (words.some(isRole) && wordsOf(to).some(isRole)) return undefined;
  const known = new Set([...stemsOf(to), ...wordsOf(description.slice(0, MAX_READ)).map(stemOf)]);
  if (others.some((word) => !known.has(word))) return undefined;
  const [first = "", ...more] = description
    .slice(0, MAX_READ)
    .split(/[.!?;](?:\s|$)|\n/)
    .filter((sentence) => sentence.trim() !== "");
  // What is said further on is said of the field; it says what the field is only without a verb.
  const nouns = more.filter((sentence) => !wordsOf(sentence).some((word) => CLAUSE.has(word)));
  return [first, ...nouns].some((sentence) => isSentenceOn(sentence, head, to)) ? head : undefined;
}

const ARTICLES: ReadonlySet<string> = new Set(
  "the a an your this full optional required".split(" "),
);

function isSentenceOn(sentence: string, head: string, to: string): boolean {
  if (CONTRAST.test(sentence)) return false;
  const [main = ""] = sentence.split(ASIDE);
  const tokens = [...main.toLowerCase().matchAll(/[\p{L}\p{N}\p{M}]+|[,:()/"`]/gu)].map(String);
  let isOther = false;
  // `Name of the room`: what is named there is the thing.
  const isOfThing = isReference(tokens.find((token) => !ARTICLES.has(token)) ?? "");
  for (const [index, token] of tokens.entries()) {
    if (CLAUSE.has(token)) return false;
    if (OF_ANOTHER.has(token) && index > 0) isOther = true;
    if (stemOf(token) !== head) continue;
    const next = tokens[index + 1];
    const endsNoun = next === undefined || AFTER_NOUN.has(next) || !/[\p{L}\p{N}]/u.test(next);
    const isLabel = next === ":" && index > 0;
    if (endsNoun && !isLabel && (!isOther || isReference(to) || isOfThing)) return true;
  }
  return false;
}
