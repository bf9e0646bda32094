import { parseExactly } from "../read/parse-exactly.ts";
import { skipBlanks } from "../read/tokens.ts";
import { readWholeJson } from "./read-json-at.ts";
import type { Cursor, Found, WrittenArguments, WrittenEntry } from "./text-format.ts";

const LINE = /([A-Za-z_][\w-]*):[ \t]+([^\r\n]*)\r?\n/y;

/**
 * Reads arguments that are a flat YAML mapping, a key to a line, up to the closing tag:
 * `city: Paris`. Of values, what can be read in one way only: plain text, quoted text, and JSON.
 */
export function readYaml({ text, at }: Cursor): Found<WrittenArguments> {
  const children: WrittenEntry[] = [];
  let end = skipBlanks(text, at);
  while (text.charAt(end) !== "<") {
    LINE.lastIndex = end;
    const [line, key, written = ""] = LINE.exec(text) ?? [];
    const value = readScalar(written.trim());
    if (line === undefined || key === undefined || value === undefined) return undefined;
    if (children.some(([other]) => other === key)) return undefined;
    children.push([key, value]);
    end = LINE.lastIndex;
  }
  return { value: { kind: "tree", children }, end };
}

function readScalar(written: string): WrittenEntry[1] | undefined {
  if (/^[[{]/.test(written)) {
    return readWholeJson(written) && { text: written, is: "json" };
  }
  if (written.startsWith('"')) {
    const text = parseExactly(written);
    return typeof text === "string" ? { text, is: "text" } : undefined;
  }
  if (written.startsWith("'")) {
    const inner = /^'((?:[^']|'')*)'$/.exec(written)?.[1];
    return inner === undefined ? undefined : { text: inner.replaceAll("''", "'"), is: "text" };
  }
  // An anchor, a tag, a block, a comment, another mapping.
  if (written === "" || /^[&*!|>%@`?,\]}#-]\s?$|^[&*!|>%@`#]|^[-?] |: |:$| #/.test(written)) {
    return undefined;
  }
  return { text: written };
}
