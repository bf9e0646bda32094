import { parseExactly } from "./parse-exactly.ts";
import { CUT, type Dialect, fail } from "./tokens.ts";

/** Reads the string whose quote stands at an index. It ends at the first quote without a backslash. */
export function readString(
  text: string,
  at: number,
  dialect: Dialect,
): { readonly value: string; readonly end: number } {
  const quote = text.charAt(at);
  const end = endOfQuoted(text, at + 1, quote);
  if (end < 0) throw CUT;
  return { value: decode(text.slice(at + 1, end), dialect, quote), end: end + 1 };
}

/** The quotes that may close a string opened by `quote`. */
export function closingQuotes(quote: string): string {
  if ("“”„‟".includes(quote)) return '”“„"';
  return "‘’‚".includes(quote) ? "’‘'" : quote;
}

/** The index of the quote that closes a string; -1 if none does. */
export function endOfQuoted(text: string, from: number, quote: string): number {
  const closing = closingQuotes(quote);
  const pattern = NEXT.get(closing) ?? new RegExp(`[\\\\${closing}]`, "g");
  NEXT.set(closing, pattern);
  pattern.lastIndex = from;
  while (pattern.test(text)) {
    if (text.charAt(pattern.lastIndex - 1) !== "\\") return pattern.lastIndex - 1;
    pattern.lastIndex += 1;
  }
  return -1;
}

const NEXT = new Map<string, RegExp>();

const ESCAPE = /\\(?:u[\da-fA-F]{4}|x[\da-fA-F]{2}|.|$)/gs;
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };
/** A drive's path whose first name begins no escape. */
const PATH = /^[A-Za-z]:\\(?![nrtbfx/]|u[\da-fA-F]{4})[^\s\\]\S*$/;

/**
 * The content of a string. One escape that JSON does not know makes every backslash literal (`\d`).
 * Beside an escape of a line break or another character, that is certain only in a drive's path.
 */
function decode(body: string, { isLoose, quotes }: Dialect, quote: string): string {
  if (quote === "`" && /(?<!\\)\$\{/.test(body)) fail(); // code fills in its value
  if (quotes === '"') {
    const value = parseExactly(`"${body}"`);
    return typeof value === "string" ? value : fail();
  }
  if (!body.includes("\\")) return body;
  const escapes = body.match(ESCAPE) ?? [];
  const known = isLoose ? /^\\(?:["'\\/nrtbf]|u.{4})$/ : /^\\(?:["'\\nrt]|u.{4}|x.{2})$/;
  const isKnown = (one: string) => known.test(one) || one.charAt(1) === quote;
  if (!escapes.every(isKnown)) {
    const isMixed = escapes.some((one) => isKnown(one) && !/^\\[bf]$/.test(one));
    const isDoubled = escapes.some((one) => /^\\["'`\\]/.test(one));
    return !isLoose || isDoubled || (isMixed && !PATH.test(body)) ? fail() : body;
  }
  // a path, or a letter and a line break; the shell's quotes
  if (/^[A-Za-z]:\\[^\\"]\S*$/.test(body) || (quote === '"' && body.includes("'\\''"))) fail();
  return body.replace(ESCAPE, (one) => {
    const code = /^\\[ux](.+)$/.exec(one)?.[1];
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return CONTROLS[one.charAt(1)] ?? one.slice(1);
  });
}
