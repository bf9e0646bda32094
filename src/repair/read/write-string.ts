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
  const isPath = WINDOWS_PATH.test(body);
  const escapes = isPath ? new Set<string>() : escapesOf(body, quote);
  const undoubled = escapes.has("other");
  if (undoubled && escapes.has("ambiguous")) return undefined;
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

function escapesOf(body: string, quote: string): ReadonlySet<string> {
  const kinds = new Set<string>();
  for (const [sequence] of body.matchAll(ESCAPE)) {
    if (sequence.charAt(0) === "\\") kinds.add(kindOf(sequence, quote));
  }
  return kinds;
}

function escapeControls(text: string): string {
  return text.replace(ESCAPE, (char) => CONTROL_ESCAPES[char] ?? hexEscape(char));
}

function hexEscape(char: string): string {
  if (char >= " ") return char;
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
