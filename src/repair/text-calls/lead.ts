/**
 * Checks whether a sentence may stand before a call that a token opens. What it says, in whatever
 * language, does not matter: prose has no such tokens. But nothing may be open where the call begins
 * (code, a quotation, a bracket, a comment, a list, a table, a heading), no other token, tag or brace
 * may stand in it, as a call would be lost with it, and it may ask nothing.
 *
 * @param lead What stands before the call, white space behind it included.
 */
export function mayStandBeforeCall(lead: string): boolean {
  const said = lead.trim();
  if (said === "") return true;
  if (HAS_MARKUP.test(said) || ASKS.test(said) || GOES_ON.test(said) || isOpen(said)) return false;
  const gap = lead.slice(lead.trimEnd().length);
  const lines = said.split("\n");
  const last = lines.at(-1) ?? "";
  if (!gap.includes("\n") && !ENDS_SENTENCE.test(last)) return false;
  if (/[ \t]{2}$|\t$/.test(gap) || HEADING.test(last.trim())) return false;
  // an empty line ends a list, a blockquote and a table
  return /\n[ \t]*\r?\n/.test(gap) || !lines.slice(lastGap(lines) + 1).some(isOfBlock);
}

/** Tokens, tags and braces; an arrow as in `a -> b` is none. */
const HAS_MARKUP = /[<{}｛｝＜]|\|>|\]~|\[\/?[A-Z][A-Z_]+\]|\bto=\w/u;

/** A question mark of any script at the end of a sentence. */
const ASKS = /[?？؟⸮⁇⁈⁉](?=[\s\p{P}]|$)|[？؟՞፧\u037e]/u;

/** Nor may the sentence go on with the call. */
const GOES_ON = /[,;，；、،؛–—-]$/u;

const ENDS_SENTENCE = /[.!:…。．！：؟۔।။։।]["'”’»)\]）」』]*$/u;

const HEADING = /^(?:#{1,6}\s|={2,}$)/;

/** Whether a line is of a list, a blockquote, a table or a comment. */
function isOfBlock(written: string): boolean {
  const line = written.trim();
  return line.endsWith("|") || OF_BLOCK.test(line);
}

const OF_BLOCK = /^(?:(?:[-*+•◦‣–]|--|\(?(?:\d{1,9}|[a-z])[.)])(?:\s|$)|[>|#]|\/\/|\[\^)/iu;

function lastGap(lines: readonly string[]): number {
  return lines.findLastIndex((line) => line.trim() === "");
}

/** Whether code, a quotation, a bracket or a comment is open at the end. */
function isOpen(said: string): boolean {
  if (count(said, /`/g) % 2 === 1 || count(said, /```|~~~/g) % 2 === 1) return true;
  if (QUOTES.some((quotes) => count(said, quotes) % 2 === 1)) return true;
  if (count(said, OPENING_QUOTE) > count(said, CLOSING_QUOTE)) return true;
  if (BRACKETS.some(([open, close]) => count(said, open) > count(said, close))) return true;
  return said.lastIndexOf("/*") > said.lastIndexOf("*/");
}

/** Quotes that stand in pairs; which of a pair opens differs between languages. */
const QUOTES: readonly RegExp[] = [/["“”„‟]/gu, /[«»]/gu, /[「」]/gu, /[『』]/gu, /[《》]/gu];

/** A single quote is an apostrophe where a letter stands on both sides. */
const OPENING_QUOTE = /(?<![\p{L}\p{N}.,!?)])['‘’‚](?=\S)/gu;
const CLOSING_QUOTE = /(?<=[^\s(])['’‘](?![\p{L}\p{N}])/gu;

const BRACKETS: readonly (readonly [RegExp, RegExp])[] = [
  [/\(/g, /\)/g],
  [/\[/g, /\]/g],
  [/（/g, /）/g],
  [/【/g, /】/g],
];

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
