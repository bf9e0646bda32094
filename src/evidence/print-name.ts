import { escapeUnshown } from "./escape-unshown.ts";

/** The most characters of a name that are shown. */
const LENGTH = 80;

/**
 * Shows what somebody else has named, in one line: what has no shape of its own as its code, and cut to
 * length.
 *
 * @param name A name of a tool, a model, a key or a file.
 * @param length The most characters. Default: 80.
 */
export function printName(name: string, length: number = LENGTH): string {
  const shown = escapeUnshown(name.slice(0, length * 2));
  const characters = [...shown];
  return characters.length <= length ? shown : `${characters.slice(0, length - 1).join("")}…`;
}
