/** The most characters of a name that are shown. */
const LENGTH = 80;

/**
 * What a terminal or a page would obey, or not show: controls, marks that turn the direction of
 * text, characters without width, line breaks, halves of characters.
 */
const UNSHOWN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}]/gu;

/**
 * Shows what somebody else has named: what has no shape of its own as its code, and cut to length.
 *
 * @param name A name of a tool, a model, a key or a file.
 * @param length The most characters. Default: 80.
 */
export function printName(name: string, length: number = LENGTH): string {
  const shown = name.slice(0, length * 2).replace(UNSHOWN, toCode);
  const characters = [...shown];
  return characters.length <= length ? shown : `${characters.slice(0, length - 1).join("")}…`;
}

function toCode(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
