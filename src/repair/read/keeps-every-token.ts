import { isBlank } from "./characters.ts";
import type { TextEdit } from "./skip-space.ts";

/**
 * Tells whether JSON text holds what the text that it was read from holds: the same letters,
 * digits and signs in the same order, none lost and none made up. White space, quotes, brackets,
 * commas, colons and backslashes aside, since those are what a repair puts right.
 *
 * @param text What the model wrote.
 * @param json What it was read as.
 * @param edits The parts of the text that read otherwise in JSON. Each must be a comment, or a
 * literal that means the same.
 */
export function keepsEveryToken(text: string, json: string, edits: readonly TextEdit[]): boolean {
  let expected = "";
  let from = 0;
  for (const edit of edits) {
    const part = text.slice(edit.from, edit.to);
    if (
      edit.from < from ||
      !(edit.json === "" ? COMMENT.test(part) : meansTheSame(part, edit.json))
    )
      return false;
    expected += `${text.slice(from, edit.from)} ${edit.json} `;
    from = edit.to;
  }
  return hasSameTokens(expected + text.slice(from), json);
}

const COMMENT = /^(?:\/\/|#|\/\*|<!--)/;

function meansTheSame(literal: string, json: string): boolean {
  if (json === "true" || json === "false") return literal.toLowerCase() === json;
  if (json === "null") return /^(?:null|none|undefined)$/i.test(literal);
  const digits = json.startsWith('"') ? json.slice(1, -1) : json;
  return literal === digits || Number(literal.replaceAll("_", "")) === Number(json);
}

function hasSameTokens(text: string, json: string): boolean {
  let at = 0;
  let jsonAt = 0;
  for (;;) {
    // the same character on both sides, and none that a backslash makes another
    while (
      at < text.length &&
      text.charCodeAt(at) === json.charCodeAt(jsonAt) &&
      json.charCodeAt(jsonAt - 1) !== BACKSLASH
    ) {
      at++;
      jsonAt++;
    }
    at = skipPunctuation(text, at);
    jsonAt = skipPunctuation(json, jsonAt);
    const length = controlEscape(json, jsonAt);
    if (length > 0 && !isEscape(text, at, json.charAt(jsonAt))) {
      jsonAt += length; // the text has the control character itself
      continue;
    }
    if (at >= text.length || jsonAt >= json.length)
      return at >= text.length && jsonAt >= json.length;
    if (text.charAt(at) !== json.charAt(jsonAt)) return false;
    at++;
    jsonAt++;
  }
}

const BACKSLASH = 92;

/** The length of the escape of a control character whose backslash stands before `at`; else 0. */
function controlEscape(json: string, at: number): number {
  if (!isEscape(json, at, json.charAt(at))) return 0;
  if ("nrtbf".includes(json.charAt(at))) return 1;
  return json.startsWith("u00", at) && (json.charAt(at + 3) === "0" || json.charAt(at + 3) === "1")
    ? 5
    : 0;
}

function isEscape(text: string, at: number, char: string): boolean {
  if (char === "" || text.charAt(at) !== char) return false;
  let backslashes = 0;
  while (text.charAt(at - 1 - backslashes) === "\\") backslashes++;
  return backslashes % 2 === 1;
}

function skipPunctuation(text: string, at: number): number {
  let index = at;
  while (index < text.length && isPunctuation(text, index)) index++;
  return index;
}

function isPunctuation(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < ASCII_PUNCTUATION.length) return ASCII_PUNCTUATION[code] ?? false;
  const char = text.charAt(at);
  return OTHER_PUNCTUATION.includes(char) || isBlank(char);
}

/** For each ASCII character, whether it is white space, a control character or punctuation. */
const ASCII_PUNCTUATION: readonly boolean[] = Array.from(
  { length: 128 },
  (_, code) => code <= 32 || "\\\"'`{}[]():,;=>+".includes(String.fromCharCode(code)),
);
const OTHER_PUNCTUATION = "“”„‟‘’‚＂｛｝［］（）：，；＝";
