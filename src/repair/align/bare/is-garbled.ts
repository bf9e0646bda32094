/**
 * Checks whether a text is what a model or its decoder stumbles into: characters that nobody types,
 * half of a pair of them, or one piece repeated to no end.
 *
 * @param text The text.
 */
export function isGarbled(text: string): boolean {
  return UNTYPED.test(text) || isLoop(text);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for
const UNTYPED = /[\u0000-\u0008\u000b\u000e-\u001f\ufffd]|\p{Cs}/u;

const MAX_UNIT = 40;
const TIMES = 12;

/** The end of it is one unit with a letter, over and over. */
function isLoop(text: string): boolean {
  for (let unit = 1; unit <= MAX_UNIT; unit++) {
    const length = Math.max(unit * TIMES, 60);
    if (text.length < length) return false;
    const tail = text.slice(-length);
    const isRepeated = tail.slice(unit) === tail.slice(0, -unit);
    if (isRepeated && /\p{L}/u.test(tail.slice(0, unit))) return true;
  }
  return false;
}
