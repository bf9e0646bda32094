import { SLIPS } from "../reasons.ts";
import { wordsOf } from "./fold-name.ts";
import { isOtherWord } from "./is-other-word.ts";
import { slipOf } from "./slip-of.ts";

/** A choice is at least this long, or a slip makes another word of it. */
const MIN_LENGTH = 5;
/** In a word as long as this, the last letter but one is no ending. */
const LONG = 8;

/** Rows of a keyboard: a key that is hit along with its neighbour. */
const ROWS = ["qwertyuiop", "asdfghjkl", "zxcvbnm"];

/**
 * Words that one slip makes of one another: which of them was meant, nobody can tell. Beyond these,
 * the rules keep off what changes words into others: their beginnings and ends.
 */
const WORD_PAIRS: ReadonlySet<string> = new Set(
  `calvary cavalry|casual causal|martial marital|united untied|unite untie|silver sliver|prefect perfect|preform perform|
country county|countries counties|friend fiend|health heath|through though|through thorough|breathe bathe|desert dessert|later latter|diner dinner|filing filling|
hoping hopping|planed planned|staring starring|biding bidding|scared scarred|super supper|mater matter|below bellow|
coma comma|immoral immortal|immorality immortality|decent descent|ascent assent|closet closest|quiet quite|trail trial|
parental prenatal|reality realty|personal personnel|moral morale|human humane|access abscess|exact exalt|eminent imminent|
sacred scared|diary dairy|angle angel|broad board|beard bread|clam calm|signal single|weather wether|caret carrot|
hostel hostile|rational rationale|local locale|bazaar bizarre|lightning lightening|emigrate immigrate|formally formerly|
conscious conscience|adverse averse|allusion illusion|continual continuous|genteel gentle|liquor liqueur|
travel travail|venial venal|vocation vacation|wreath wreathe|clothes cloths|breath breadth|carton cartoon|cannon canon|
currency currently|saloon salon|medal meddle|barter batter|martin marten|mining minting|boarder border|courier currier|
bating batting|rating ratting|taping tapping|moping mopping|sloping slopping|striping stripping|wining winning|griping gripping|
caning canning|pining pinning|fated fatted|rated ratted|baring barring|tiled tilled|caster castor|tarter tartar|
protein protean|polish publish|billing bling|posting pouting|reserve reverse|reverse revere|severe sever|
expand expend|expense expanse|collage college|complement compliment|principal principle|stationary stationery`
    .split("|")
    .map((pair) => pair.trim().split(" ").sort().join(" ")),
);

/**
 * Finds the one slip of the keyboard by which a choice was meant. A choice says what is done, so
 * less is a slip than in a name: none near a word's end, where other words begin (`close` and
 * `closed`), and none between two words. The key beside the right one may be hit as well, and `c`
 * written for `s` where both sound alike.
 *
 * @param wrong What was written.
 * @param right The choice that may have been meant.
 * @returns What happened, in words; `undefined` where it is not one slip.
 */
export function slipOfChoice(wrong: string, right: string): string | undefined {
  if (wrong.length > 100 || right.length > 100) return undefined;
  const [wrongs, rights] = [wordsOf(wrong), wordsOf(right)];
  if (wrongs.length !== rights.length || signsOfChoice(wrong) !== signsOfChoice(right))
    return undefined;
  const pairs = wrongs
    .map((word, index) => [word, rights[index] ?? ""] as const)
    .filter(([word, meant]) => word !== meant);
  const [[was, is] = ["", ""], ...others] = pairs;
  if (others.length > 0 || !/^\p{L}+$/u.test(was) || !/^\p{L}+$/u.test(is)) return undefined;
  if (Math.max(was.length, is.length) < MIN_LENGTH) return undefined;
  if (WORD_PAIRS.has([was, is].sort().join(" "))) return undefined;
  const slip = slipOf(was, is);
  if (slip === undefined) return slipNearby(was, is);
  if (slip === "spelling") return SLIPS.spelling;
  return slip !== "plural" && differsInside(was, is) ? SLIPS[slip] : undefined;
}

/** The signs of a choice that carry meaning. */
function signsOfChoice(name: string): string {
  return name.replace(/[\p{L}\p{M}\s_.\-"'`]/gu, "");
}

/** Whether what differs is far enough from the end for it to be no ending. */
function differsInside(was: string, is: string): boolean {
  const end = commonEnd(was, is, commonStart(was, is));
  if (was.length !== is.length && doublesALetter(was, is)) return end >= 1;
  return end >= (was.length < is.length && is.length < LONG ? 2 : 1);
}

/** Whether one word is the other with one of its letters twice. */
function doublesALetter(was: string, is: string): boolean {
  const [shorter = "", longer = ""] = [was, is].sort((one, other) => one.length - other.length);
  const at = commonStart(shorter, longer);
  return at > 0 && longer[at] === longer[at - 1];
}

/** A key beside the right one hit as well, or a letter that sounds alike. */
function slipNearby(wrong: string, right: string): string | undefined {
  const start = commonStart(wrong, right);
  const end = commonEnd(wrong, right, start);
  if (start < 1 || end < 2 || isOtherWord(wrong)) return undefined;
  const was = wrong.slice(start, wrong.length - end);
  const is = right.slice(start, right.length - end);
  const after = wrong[wrong.length - end] ?? "";
  if (is === "" && was.length === 1) {
    const isBeside = areNeighbours(was, wrong[start - 1] ?? "") || areNeighbours(was, after);
    return isBeside ? SLIPS.added : undefined;
  }
  const soundsAlike = [was, is].sort().join("") === "cs" && /[eiy]/.test(after);
  return soundsAlike && start >= 2 && end >= 3 ? SLIPS.alike : undefined;
}

function areNeighbours(one: string, other: string): boolean {
  return ROWS.some((row) => {
    const [here, there] = [row.indexOf(one), row.indexOf(other)];
    return here >= 0 && there >= 0 && Math.abs(here - there) === 1;
  });
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < Math.min(one.length, other.length) && one[length] === other[length]) length += 1;
  return length;
}

function commonEnd(one: string, other: string, start: number): number {
  const most = Math.min(one.length, other.length) - start;
  let length = 0;
  while (length < most && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length;
}
