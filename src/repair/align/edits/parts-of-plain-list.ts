import type { ElementKind } from "./element-kind.ts";
import { isRegion } from "./is-region.ts";

/** What is known of the list that is wanted. */
export interface WantedList {
  /** What its elements are, by its name. */
  readonly kind: ElementKind;
  /** Whether its elements may be text; numbers or booleans otherwise. */
  readonly takesText: boolean;
  /** Whether its description says that it is separated by something. */
  readonly isSaid: boolean;
}

/** More words than this in one part, and it is a sentence with a comma in it. */
const MAX_WORDS = 4;

/** Quotes, brackets, assignments: a sign between two parts may belong to what they are part of. */
const CODE = /["“”„«»‘`()[\]{}<>=$\\^~*]|&&|\|\||--|\s-[a-z]|::|->|\/\*|\s\/\/|\w:\s/;
/** An apostrophe that is none: a quote begins or ends. */
const QUOTE = /(?:^|[^\p{L}\p{N}])['’]|['’](?![\p{L}\p{N}])/u;
const QUERY =
  /^\s*(?:select|insert|update|delete|with|create|alter|drop)\s|\s(?:from|where|join|order by)\s/i;
/** What says that the list is not all, or not to be taken as it stands. */
const TURNED =
  /…|\.\.\.|\b(?:etc|and so (?:on|forth)|and more|others?|except|excluding|excludes?|without|not|but|than|no|none|never|neither|nor|minus|everything|everyone|anything|all|any|instead|only|unless|if|then|either|whichever|maybe|perhaps|possibly|optionally|e\.?g|i\.?e|such as|including|as above|nur|nicht|kein|keine|ohne|alles|alle|tous|tout|toutes|sauf|sans|pas|excepto|salvo|menos|sin|todos?|todas?|tranne|senza|tutti|tutte|exceto|sem|behalve|zonder|niet|alleen|utom|undtagen)\b|au(?:ß|ss)er\s|кроме|除/i;
/** Words of sentences, among others. */
const SENTENCE =
  /\b(?:I|[Yy]ou|[Hh]e|[Ss]he|[Ww]e|[Tt]hey|[Ii]t|is|are|was|were|be|will|would|can|could|should|shall|may|might|must|do|does|did|have|has|had|this|that|these|those|[Tt]here|who|which|when|while|because|so|[Mm]y|your|his|her|our|their|[Ll]et|in|at|by|for|with|to|from|into|about)\b/;
/** Words of sentences, even alone. */
const GREETING = /\b(?:please|dear|hi|hello|hey|thanks?|sorry|ok|okay|yes|well)\b/i;
/** Words before the last of several, and between two that belong together. */
const CONJUNCTION = /\s(?:and|or|&|\+|und|oder|et|ou|y|e|o|och|og|en|и|или)\s/iu;
/** The last two of several single words. */
const LAST_TWO = /^(\S+) (?:and|und|et|y|e|och|og|en|и) (\S+)$/iu;
/** What has no sign in it that parts, but those of names, paths, addresses and selectors. */
const TOKEN = /^[\p{L}\p{N}\p{M}_@.+#%/&:-]+$/u;
/** What is not a part of a list but of the part before it. */
const TRAILER =
  /^(?:inc|ltd|llc|corp|co|gmbh|plc|jr|sr|ii|iii|ph\.?d|m\.?d|esq|mba|usa|us|uk|eu)\.?$/i;

/**
 * Splits a plain list that was written as text.
 *
 * @returns Its parts; `undefined` where a delimiter may belong to a part, where the text may be one
 * value, a sentence, a query or code, or where it says that the list is not all there is.
 */
export function partsOfPlainList(text: string, wanted: WantedList): string[] | undefined {
  const trimmed = text.trim();
  const bare = trimmed.replace(/\bhttps?:\/\/[^\s,;|]+/g, "url");
  if (CODE.test(bare) || QUOTE.test(bare) || QUERY.test(bare)) return undefined;
  if (TURNED.test(bare) || GREETING.test(bare) || /[.!?]$/.test(bare)) return undefined;
  const delimiter = ["\n", ";", "|", ","].find((sign) => trimmed.includes(sign));
  if (delimiter === undefined) return undefined;
  const parts = trimmed.split(delimiter).map((part) => part.trim());
  const items = delimiter === "\n" ? withoutBullets(parts) : parts;
  const found = items === undefined ? undefined : withoutConjunction(items, delimiter);
  if (found === undefined || found.length < 2 || found.some((part) => part === ""))
    return undefined;
  return isPlainList(found, delimiter, trimmed, wanted) ? found : undefined;
}

/** `red, green and blue` are three, where each is a word. */
function withoutConjunction(items: readonly string[], delimiter: string): string[] {
  const last = items.at(-1) ?? "";
  const [, one, other] = LAST_TWO.exec(last) ?? [];
  const areWords = items.slice(0, -1).every((item) => !/\s/.test(item));
  if (delimiter === "," && areWords && one !== undefined && other !== undefined) {
    return [...items.slice(0, -1), one, other];
  }
  return items.with(-1, last.replace(/^(?:and|und|et)\s+/, ""));
}

function isPlainList(
  parts: readonly string[],
  delimiter: string,
  text: string,
  { takesText, isSaid, kind }: WantedList,
): boolean {
  if (parts.some((part) => part.split(/\s+/).length > MAX_WORDS)) return false;
  // A list within a list: which of the two signs parts it?
  if (delimiter !== "," && parts.some((part) => /[,;|]/.test(part))) return false;
  // `salt and pepper`: two of the list, or one.
  if (parts.some((part) => CONJUNCTION.test(part) || /^or\s/i.test(part))) return false;
  if (parts.some((part) => /\s/.test(part) && SENTENCE.test(part))) return false;
  const hasSpaces = parts.some((part) => /\s/.test(part));
  if (delimiter === "|" && hasSpaces) return false;
  const isTight = delimiter === "," && /,\S/.test(text);
  // An address may have commas in it: then what follows is none.
  const areAddresses = parts.map((part) => part.includes("://"));
  if (areAddresses.includes(true) && areAddresses.includes(false)) return false;
  if (isTight && !areAddresses[0] && !parts.every((part) => TOKEN.test(part))) return false;
  const numbers = parts.filter((part) => /^[+-]?[\d.]+$/.test(part));
  if (numbers.length > 0 && delimiter === ",") {
    // Numbers beside words are of a date, an address or a pair; `3,14` is one number.
    const isLoose = !isTight || (parts.length > 2 && !/^\d{1,3}(?:,\d{3})+$/.test(text));
    return numbers.length === parts.length && isLoose;
  }
  if (!takesText || delimiter !== "," || isSaid) return true;
  return !mayBeDate(parts) && !mayBeOneThing(parts, isTight, kind);
}

/** `Mon, 3 May` and `12 Mill Lane, Leeds`: a number leads one part, and none of the others. */
function mayBeDate(parts: readonly string[]): boolean {
  const areNumbered = parts.map((part) => /^\d+\s/.test(part));
  if (areNumbered.includes(true) && areNumbered.includes(false)) return true;
  return parts.some((part) => /\d\.(?:\s|$)/.test(part));
}

/** Whether what has a comma in it may be one person, place, company or text. */
function mayBeOneThing(parts: readonly string[], isTight: boolean, kind: ElementKind): boolean {
  const areAllCodes = parts.every((part) => /^\p{Lu}{2,4}$/u.test(part));
  if (areAllCodes) return false;
  if (parts.slice(1).some((part) => TRAILER.test(part))) return true;
  const areCodes = parts.map((part) => /^\p{Lu}{2}$/u.test(part));
  if (areCodes.includes(true) && areCodes.includes(false)) return true;
  if (isTight) return false;
  if (kind === "text" || kind === "place") return true;
  const [first = "", second = "", ...more] = parts;
  if (more.length === 0 && isRegion(second) && !isRegion(first)) return true;
  const isCapital = (part: string) => /\p{Lu}/u.test(part);
  if (more.length > 0 || !parts.every(isCapital)) return false;
  // `Doe, Jane` is one; `Jane Doe, Ann Roe` are two.
  const areFull = parts.every((part) => /^\p{Lu}\S*\s\p{Lu}/u.test(part));
  return kind === "unknown" || (kind === "person" && !areFull);
}

/** The lines without their bullets or numbers: all of them have one, or none has. */
function withoutBullets(lines: readonly string[]): string[] | undefined {
  const filled = lines.filter((line) => line !== "");
  const bullet = /^(?:[-–*•]|\d{1,3}[.)])\s+/;
  const bulleted = filled.filter((line) => bullet.test(line));
  if (bulleted.length === 0) return filled;
  if (bulleted.length < filled.length) return undefined;
  const items = filled.map((line) => line.replace(bullet, ""));
  // `- 5`: a dash before a number is its sign, or a bullet.
  return items.some((item) => /^\d/.test(item)) ? undefined : items;
}
