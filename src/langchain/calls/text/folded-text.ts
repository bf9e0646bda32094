/** A text as its letters and digits, folded, and where words begin among them. */
export interface FoldedText {
  readonly raw: string;
  /** The letters and digits, without case and accents. */
  readonly signs: string;
  /** 1 where a word begins or ended; one longer than `signs`. */
  readonly starts: Uint8Array;
  /** Where each sign stands in the raw text; one longer than `signs`. */
  readonly places: Uint32Array;
}

/**
 * Folds a text to what notations do not differ in.
 *
 * @param raw The text.
 */
export function foldText(raw: string): FoldedText {
  const parts: string[] = [];
  const starts: number[] = [];
  const places: number[] = [];
  let length = 0;
  for (const { 0: word, index } of raw.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const signs = foldSigns(word);
    parts.push(signs);
    for (let at = 0; at < signs.length; at++) {
      starts.push(at === 0 ? 1 : 0);
      places.push(index + Math.min(at, word.length - 1));
    }
    length += signs.length;
  }
  places[length] = raw.length;
  starts[length] = 1;
  return {
    raw,
    signs: parts.join(""),
    starts: Uint8Array.from(starts),
    places: Uint32Array.from(places),
  };
}

/**
 * The letters and digits of a text, without case and accents.
 *
 * @param text The text.
 */
export function foldSigns(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/** From this length on, what is sought is not found by chance within other words. */
const TELLING_LENGTH = 8;

/**
 * Finds folded signs in a text, as whole words; a long one, which a notation may have torn apart, also
 * within words.
 *
 * @param text The text.
 * @param sought What is sought, as `foldSigns` makes it.
 * @param from The index to look from.
 * @returns Its index among the signs; -1 where it is not there.
 */
export function findFolded({ signs, starts }: FoldedText, sought: string, from: number): number {
  for (let at = signs.indexOf(sought, from); at >= 0; at = signs.indexOf(sought, at + 1)) {
    const isWhole = starts[at] === 1 && starts[at + sought.length] === 1;
    if (isWhole || sought.length >= TELLING_LENGTH || at + sought.length > signs.length) return at;
  }
  return -1;
}

/**
 * What stands behind a sign in the raw text, up to a few signs further.
 *
 * @param text The text.
 * @param end The index behind the sign.
 */
export function rawBehind({ raw, places }: FoldedText, end: number): string {
  const from = (places[end - 1] ?? 0) + 1;
  return raw.slice(from, from + 40);
}
