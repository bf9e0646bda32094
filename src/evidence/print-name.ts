/** The most characters of a name that are shown. */
const LENGTH = 80;

/**
 * Shows what somebody else has named, in one line: what has no shape of its own as its code, and cut to
 * length.
 */
export function printName(name: string, length: number = LENGTH): string {
  const shown = escapeUnshown(name.slice(0, length * 2));
  const characters = [...shown];
  return characters.length <= length ? shown : `${characters.slice(0, length - 1).join("")}…`;
}

/**
 * What a terminal or a page would obey, or not show: controls, marks that turn the direction of
 * text, characters without width, line breaks, halves of characters.
 */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}]/gu;

/**
 * Makes what somebody else wrote harmless where it is shown: what has no shape of its own is written as
 * JSON escapes (`\u001b[2J` instead of clearing the screen), so that JSON stays what it is.
 */
export function escapeUnshown(text: string, kept = ""): string {
  return text.replace(UNSHOWN, (char) => (kept.includes(char) ? char : toEscapes(char)));
}

function toEscapes(character: string): string {
  let escapes = "";
  for (let index = 0; index < character.length; index++) {
    escapes += `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`;
  }
  return escapes;
}
