/** What several folders ask of plain text. */

/** Whether a text is digits alone: `007`; not `1.5`, `-1`, or nothing. */
export function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}

/** Whether a text holds a letter or a digit of any script. */
export function hasLetterOrDigit(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/**
 * The parts of a text between white space. The first or the last is empty where
 * the text begins or ends with white space.
 */
export function spacedParts(text: string): readonly string[] {
  return text.split(/\s+/);
}

/** A name in small letters, without white space, `_` and `-`. */
export function withoutSeparators(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

/** A text without one piece at its end; the same text if it ends otherwise. */
export function withoutEnd(text: string, end: string): string {
  return text.endsWith(end) ? text.slice(0, -end.length) : text;
}

/**
 * A text without the line break after an opening tag and the one before a
 * closing tag.
 */
export function withoutOuterBreaks(text: string): string {
  return text.replace(/^\r?\n|\r?\n$/g, "");
}

/** Scripts that write no space between words. */
const UNSPACED_SCRIPTS = [
  "Han",
  "Hiragana",
  "Katakana",
  "Thai",
  "Lao",
  "Khmer",
  "Myanmar",
];

/** Whether a text is in a script that writes no space between words. */
export function isUnspaced(text: string): boolean {
  unspaced ??= new RegExp(
    UNSPACED_SCRIPTS.map((name) => `\\p{Script=${name}}`).join("|"),
    "u",
  );
  return unspaced.test(text);
}

/** Made when it is used: a class of scripts takes milliseconds to compile. */
let unspaced: RegExp | undefined;
