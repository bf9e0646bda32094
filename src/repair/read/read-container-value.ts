import { closingBracket, closingQuotes } from "./characters.ts";
import type { ReadContainer } from "./container-outcome.ts";
import { isNextKey } from "./ends-string.ts";
import { readString } from "./read-string.ts";
import { readWord } from "./read-word.ts";
import { afterValue, openBracket, type Reader, refused, takeExact, truncated } from "./reader.ts";
import { skipSpace } from "./skip-space.ts";

/**
 * Reads what stands where a value must.
 *
 * @param reader The reader, at the value.
 * @param char Its first character, as the punctuation that was meant.
 * @param allowStrings Whether a string without quotes may stand there.
 */
export function readContainerValue(
  reader: Reader,
  char: string,
  allowStrings: boolean,
): ReadContainer | undefined {
  if (closingBracket(char) !== undefined) {
    if (takeExact(reader)) return afterValue(reader, char === "{" ? "object" : "list");
    return openBracket(reader, char, 1);
  }
  if (closingQuotes(char) !== undefined) return readStrings(reader);
  if (char === ",") return refused(reader);
  const { text, at, open, last } = reader;
  const inList = open.at(-1)?.bracket !== "{";
  const read = readWord(text, at, allowStrings || (inList && last === "string"));
  if (read.kind === "cut") return truncated(reader);
  if (read.kind === "refused" && !endsBeforeKey(reader, read.at)) return refused(reader, read.at);
  const end = read.kind === "word" ? read.end : read.at;
  const word = text.slice(at, end);
  const json = read.kind === "word" ? read.json : word;
  if (inList && /^0\d/.test(word)) return refused(reader); // [1,000]
  if (json !== word && json !== JSON.stringify(word)) {
    reader.edits.push({ from: at, to: end, json });
  }
  reader.writer.scalar(json);
  reader.at = end;
  return afterValue(reader, "word");
}

/** `{"a": 1"b": 2}`: a number or literal of JSON, and the next key. */
function endsBeforeKey({ text, at, open }: Reader, end: number): boolean {
  if (open.at(-1)?.bracket !== "{" || text.charAt(end) !== '"') return false;
  return PLAIN.test(text.slice(at, end)) && isNextKey(text, end, false);
}

const PLAIN = /^(?:true|false|null|-?(?:0|[1-9]\d{0,14}))$/;

/** A string, or several joined by `+`. */
function readStrings(reader: Reader): ReadContainer | undefined {
  const { text, brackets, edits } = reader;
  const parts: string[] = [];
  for (;;) {
    const read = readString(text, reader.at, brackets);
    if (read.kind === "cut") return truncated(reader);
    if (read.kind === "refused") return refused(reader, read.at);
    reader.isUncertain ||= read.hasInnerQuotes;
    parts.push(read.json.slice(1, -1));
    const comments = edits.length;
    reader.at = skipSpace(text, read.end, edits, false);
    if (text.charAt(reader.at) !== "+") {
      reader.at = read.end;
      edits.length = comments;
      break;
    }
    reader.at = skipSpace(text, reader.at + 1, edits, false);
    if (reader.at >= text.length) return truncated(reader);
    if (closingQuotes(text.charAt(reader.at)) === undefined) return refused(reader);
    // "2x "+" 1" may be a sum in which the sign is quoted
    if (parts.at(-1)?.endsWith(" ") && text.charAt(reader.at + 1) === " ") return refused(reader);
  }
  reader.lastString = `"${parts.join("")}"`;
  reader.writer.scalar(reader.lastString);
  return afterValue(reader, "string");
}
