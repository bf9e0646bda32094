/** Signs that only part words, or quote them. All others carry meaning: `!`, `+`, `€`, `→`, `✅`. */
const SEPARATORS = /[\s\u200b_.\-"'`“”‘’]+/gu;
/** What may trail a name as it trails a sentence. */
const TRAILING = /[\s\u200b"'`“”‘’.,;:!?]/u;

/** A longer text is no name: it stands for itself. */
const MAX_NAME = 1_000;
/** Names are compared in pairs; a longer one is folded afresh. */
const MAX_KNOWN = 100;
const MAX_KNOWN_NAMES = 20_000;

/**
 * Folds a name to what it means: case, spaces, quotes, and signs that only separate are left out.
 * What stands between two digits stays, so that `1.5` is not `15`, and so does a minus.
 *
 * @param name A key, an enum value or a tool's name.
 */
export function foldName(name: string): string {
  return remembered(folded, name, fold);
}

/** Splits a name into its words: `minPrice`, `min_price` and `min-price` are `min` and `price`. */
export function wordsOf(name: string): readonly string[] {
  return remembered(split, name, splitWords);
}

const folded = new Map<string, string>();
const split = new Map<string, readonly string[]>();

/** Makes something of a name, and keeps it for the next time. */
export function remembered<Result>(
  known: Map<string, Result>,
  name: string,
  make: (name: string) => Result,
): Result {
  if (name.length > MAX_KNOWN) return make(name);
  const found = known.get(name);
  if (found !== undefined) return found;
  if (known.size >= MAX_KNOWN_NAMES) known.clear();
  const made = make(name);
  known.set(name, made);
  return made;
}

function fold(name: string): string {
  if (name.length > MAX_NAME) return name;
  const text = withoutTrailing(name.normalize("NFC").toLowerCase());
  return text.replace(SEPARATORS, (signs, at: number) => {
    const [before, after] = [characterBefore(text, at), characterAt(text, at + signs.length)];
    const [isDigitBefore, isDigitAfter] = [/\p{N}/u.test(before), /\p{N}/u.test(after)];
    if (isDigitBefore && isDigitAfter) return signs.includes(".") ? "." : "-";
    const isLetterBefore = /[\p{L}\p{M}]/u.test(before);
    const isLetterAfter = /\p{L}/u.test(after);
    const point = signs.includes(".") && !(isLetterBefore && isLetterAfter) ? "." : "";
    const isBetween = (isDigitBefore || isLetterBefore) && (isDigitAfter || isLetterAfter);
    // A minus by itself, with the space that parts it from what it may belong to.
    return signs.includes("-") && !isBetween
      ? at === 0
        ? signs.slice(signs.indexOf("-"))
        : signs
      : point;
  });
}

/** From the end: a pattern for the end of a text looks at every run within it. */
function withoutTrailing(text: string): string {
  let end = text.length;
  while (end > 0 && TRAILING.test(text[end - 1] ?? "")) end -= 1;
  return text.slice(0, end);
}

function characterBefore(text: string, at: number): string {
  const [low, high] = [text[at - 1] ?? "", text[at - 2] ?? ""];
  return /[\udc00-\udfff]/.test(low) ? high + low : low;
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  return code === undefined ? "" : String.fromCodePoint(code);
}

function splitWords(name: string): readonly string[] {
  if (name.length > MAX_NAME) return [name];
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((word) => word !== "");
}
