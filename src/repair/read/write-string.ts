const CONTROL_ESCAPES: Readonly<Record<string, string>> = {
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

/**
 * Writes the inside of a string as a JSON string.
 *
 * A backslash that begins no JSON escape is kept (`\d`, `C:\Users`, a broken `\u6`): dropping it
 * changes what was meant. Raw control characters and unescaped quotes are escaped.
 *
 * @param body What stands between the quotes.
 * @param quote The quote that opened the string.
 * @returns JSON text, or `undefined` where two readings are possible: a text that forgets to double
 * its backslashes (`\d`) may mean a line break or a backslash by `\n`.
 */
export function writeString(body: string, quote: string): string | undefined {
  if (!NEEDS_WORK.test(body)) return `"${body}"`;
  const { kinds, quotes, isTripled } = escapesOf(body, quote);
  const undoubled = kinds.has("other");
  const isPath = undoubled && isWindowsPath(body, quote);
  if (undoubled && !isPath && kinds.has("ambiguous")) return undefined;
  if (undoubled && (quotes % 2 === 1 || isTripled)) return undefined; // an escape lost its quote
  let unsure = false;
  const written = body.replace(ESCAPE, (whole: string, offset: number) => {
    if (whole === '"') return '\\"';
    if (whole.charAt(0) !== "\\") return CONTROL_ESCAPES[whole] ?? hexEscape(whole);
    if (whole === '\\"' || whole === "\\\\") return whole;
    if (whole === "\\'" || whole === `\\${quote}`) {
      if (quote === '"' && body.charAt(offset - 1) === "'" && body.charAt(offset + 2) === "'") {
        unsure = true; // the shell's '\'' means the backslash
      }
      return whole.slice(1);
    }
    const kind = kindOf(whole, quote);
    const isEscape =
      !isPath && (kind === "plain" || kind === "ambiguous" || (kind === "control" && !undoubled));
    return isEscape ? whole : `\\\\${escapeControls(whole.slice(1))}`;
  });
  return unsure ? undefined : `"${written}"`;
}

type EscapeKind = "plain" | "ambiguous" | "control" | "broken-unicode" | "other";

const NEEDS_WORK = /[\\"\p{Cc}]/u;
const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|.|$)|["\p{Cc}]/gsu;
const WINDOWS_PATH = /^(?:[A-Za-z]:|\\)\\[^\\\s"]/;

function kindOf(sequence: string, quote: string): EscapeKind {
  const char = sequence.charAt(1);
  if (char === "u") return sequence.length === 6 ? "plain" : "broken-unicode";
  if (char === "n" || char === "r" || char === "t") return "ambiguous";
  if (char === "b" || char === "f") return "control";
  return "\"\\/'".includes(char) || char === quote ? "plain" : "other";
}

interface Escapes {
  readonly kinds: ReadonlySet<string>;
  /** How many quotes are escaped. */
  readonly quotes: number;
  /** Whether a backslash of its own follows an escaped one: `\\\d`. */
  readonly isTripled: boolean;
}

function escapesOf(body: string, quote: string): Escapes {
  const kinds = new Set<string>();
  let quotes = 0;
  let isTripled = false;
  let doubledTo = -1;
  for (const { 0: sequence, index } of body.matchAll(ESCAPE)) {
    if (sequence.charAt(0) !== "\\") continue;
    const kind = kindOf(sequence, quote);
    kinds.add(kind);
    if (sequence === '\\"') quotes++;
    if (sequence === "\\\\") doubledTo = index + 2;
    else if (kind === "other" && index === doubledTo) isTripled = true;
  }
  return { kinds, quotes, isTripled };
}

/**
 * A path whose first backslash begins no escape, or that has no white space: its writer doubled
 * none. `Q:\nWhat?` is a letter and a line break.
 */
function isWindowsPath(body: string, quote: string): boolean {
  const drive = WINDOWS_PATH.exec(body)?.[0];
  if (drive === undefined) return false;
  const first = body.slice(drive.length - 2, drive.length);
  return kindOf(first, quote) === "other" || drive.startsWith("\\\\") || !/\s/.test(body);
}

function escapeControls(text: string): string {
  return text.replace(ESCAPE, (char) => CONTROL_ESCAPES[char] ?? hexEscape(char));
}

function hexEscape(char: string): string {
  if (char >= " ") return char;
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
