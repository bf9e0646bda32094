/** Shows a foreign name in one line, escaped and cut to length. */
export function printName(name: string, length = 80): string {
  const shown = escapeUnshown(name.slice(0, length * 2));
  const characters = [...shown];
  return characters.length <= length
    ? shown
    : `${characters.slice(0, length - 1).join("")}…`;
}

/**
 * Controls, marks that turn the direction of text, characters without width,
 * line breaks, lone surrogates.
 */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}]/gu;

/**
 * Escapes what a terminal or a page would obey or hide as in JSON, so that JSON
 * stays JSON.
 */
export function escapeUnshown(text: string, kept = ""): string {
  return text.replace(UNSHOWN, (char) =>
    kept.includes(char) ? char : toEscapes(char),
  );
}

function toEscapes(character: string): string {
  const units = character
    .split("")
    .map((unit) => unit.charCodeAt(0).toString(16));
  return units.map((code) => `\\u${code.padStart(4, "0")}`).join("");
}

/** Writes a count with its noun: `1 call`, `2 calls`. */
export function printCount(
  count: number,
  noun: string,
  plural = `${noun}s`,
): string {
  return `${showCount(count)} ${count === 1 ? noun : plural}`;
}

const NUMBER = new Intl.NumberFormat("en-US");

/** `1204332` → `1,204,332`. */
export function showCount(count: number): string {
  return NUMBER.format(count);
}
