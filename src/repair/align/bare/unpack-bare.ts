import { type FieldKind, fieldKind } from "./field-kind.ts";

/**
 * Takes off what wraps the whole of a bare text and cannot belong to it: quotes around a selector, a
 * path or a name, a code fence around code. Where it may belong to it (a phrase to be searched for, a
 * string in code, Markdown in a message), the text is returned as it is.
 *
 * @param text The text.
 * @param name The field's name.
 * @param description The field's description, or nothing.
 */
export function unpackBare(text: string, name: string, description: string): string {
  const kind = fieldKind(name, description);
  const trimmed = text.trim();
  return insideFence(trimmed, kind) ?? insideQuotes(trimmed, kind) ?? text;
}

const QUOTES: ReadonlySet<string> = new Set(["''", "``", "“”", "„“", "‘’", "«»", "「」"]);

function insideQuotes(text: string, kind: FieldKind): string | undefined {
  const { isCode, isRegex, isMessage, isSelector, isPlace } = kind;
  if (isMessage || isRegex || (isCode && !isSelector && !isPlace)) return undefined;
  const [open, close] = [text.charAt(0), text.charAt(text.length - 1)];
  const inside = text.slice(1, -1);
  const isWhole = text.length > 2 && QUOTES.has(open + close) && inside.trim() === inside;
  return isWhole && !/[\n\\'"`“”„‘«»「」]/.test(inside) ? inside : undefined;
}

function insideFence(text: string, { isStrict, isRegex, isPlace }: FieldKind): string | undefined {
  if (!isStrict || isRegex || isPlace) return undefined;
  const [opening, language = ""] = FENCE.exec(text) ?? [];
  if (opening === undefined || !/\n\s{0,8}```$/.test(text.slice(-20))) return undefined;
  const inside = text.slice(opening.length, text.lastIndexOf("\n"));
  return NOT_CODE.test(language) || inside.includes("```") ? undefined : inside;
}

const FENCE = /^```([\w+#-]*)[^\S\n]{0,8}\n/;
const NOT_CODE =
  /^(?:json\w?|diff|patch|console|text|txt|plain|plaintext|output|log|http|md|markdown)$/i;
