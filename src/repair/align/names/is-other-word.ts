import { HASHES, NEAR_WORDS } from "./near-words.ts";

let filter: Uint8Array | undefined;

/**
 * Checks whether what looks like a slip is a word of its own, one letter away from another: `county`
 * is no misspelt `country`. One other text in four hundred is taken for such a word.
 */
export function isOtherWord(word: string): boolean {
  filter ??= Uint8Array.from(atob(NEAR_WORDS), (byte) => byte.charCodeAt(0));
  let [one, other] = [0x811c9dc5, 0];
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193) >>> 0;
    other = (Math.imul(other, 31) + code) >>> 0;
  }
  for (let index = 0; index < HASHES; index++) {
    const bit = ((one + Math.imul(index, other | 1)) >>> 0) % (filter.length * 8);
    if (((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}
