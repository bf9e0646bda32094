/** An object or array that is JSON as it stands, within a text that is not. */
export interface ExactContainer {
  readonly start: number;
  /** The index after the bracket that closes it. */
  readonly end: number;
  /** Whether there is no white space between its tokens. */
  readonly isCompact: boolean;
  /** Where its last comma is, those further in included; -1 for none. */
  readonly lastComma: number;
  /** Whether something followed the last of its own kind in it. */
  readonly isLoose: boolean;
}

/** Finds what is JSON as it stands from a bracket on; `undefined` where it is not, or may not be. */
export type FindExact = (start: number, depth: number) => ExactContainer | undefined;

/** A string without escapes, a number whose digits a double holds, or a literal. */
const SCALAR =
  /"[^"\\\p{Cc}]*"|-?(?:0|[1-9]\d{0,8})\.\d{1,6}(?=[ \t\r\n,}\]])|-?(?:0|[1-9]\d{0,14})(?=[ \t\r\n,}\]])|true|false|null/uy;
const STRING = /"[^"\\\p{Cc}]*"/uy;
const SPACE = /[ \t\r\n]+/y;

const [COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Array.from(
  ",:[]{}",
  (sign) => sign.charCodeAt(0),
);

/**
 * Creates what finds the exact parts of a text with faults, so that only the rest of it is read with care.
 * Each part is looked through once: what was found in one that is not exact is kept.
 *
 * @param text The text.
 * @param maxDepth The deepest nesting.
 */
export function createExactFinder(text: string, maxDepth: number): FindExact {
  /** By their brackets, what was looked at in vain, and what was found inside that. */
  const known = new Map<number, ExactContainer | undefined>();

  function find(start: number, depth: number): ExactContainer | undefined {
    if (known.has(start)) return known.get(start);
    const inside: ExactContainer[] = [];
    const found = depth > maxDepth ? undefined : read(start, depth, inside);
    if (found !== undefined) return found;
    known.set(start, undefined);
    for (const child of inside) known.set(child.start, child);
    return undefined;
  }

  function read(
    start: number,
    depth: number,
    inside: ExactContainer[],
  ): ExactContainer | undefined {
    const bracket = text.charCodeAt(start);
    const isObject = bracket === OPEN_OBJECT;
    const closing = isObject ? CLOSE_OBJECT : CLOSE_LIST;
    const keys = isObject ? new Set<string>() : undefined;
    let lastComma = -1;
    let isLoose = false;
    let [count, alikeAt] = [0, 0];
    let at = skipSpace(start + 1);
    let isCompact = at === start + 1;
    const skip = (from: number) => {
      const next = skipSpace(from);
      if (next !== from) isCompact = false;
      return next;
    };
    if (text.charCodeAt(at) !== closing) {
      for (;;) {
        if (keys !== undefined) {
          const end = endOf(STRING, at);
          const key = text.slice(at, end);
          if (end < 0 || keys.has(key)) return undefined;
          keys.add(key);
          at = skip(end);
          if (text.charCodeAt(at) !== COLON) return undefined;
          at = skip(at + 1);
        }
        count += 1;
        const first = text.charCodeAt(at);
        if (first === OPEN_OBJECT || first === OPEN_LIST) {
          const child = find(at, depth + 1);
          if (child === undefined) return undefined;
          inside.push(child);
          isCompact &&= child.isCompact;
          if (child.lastComma >= 0) lastComma = child.lastComma;
          isLoose = first === bracket && child.isLoose;
          if (first === bracket) alikeAt = count;
          at = skip(child.end);
        } else {
          const end = endOf(SCALAR, at);
          if (end < 0) return undefined;
          at = skip(end);
        }
        const next = text.charCodeAt(at);
        if (next === closing) break;
        if (next !== COMMA) return undefined;
        lastComma = at;
        at = skip(at + 1);
      }
    }
    isLoose ||= alikeAt > 0 && alikeAt < count;
    return { start, end: at + 1, isCompact, lastComma, isLoose };
  }

  function skipSpace(at: number): number {
    if (text.charCodeAt(at) > 32) return at;
    SPACE.lastIndex = at;
    return SPACE.test(text) ? SPACE.lastIndex : at;
  }

  function endOf(token: RegExp, at: number): number {
    token.lastIndex = at;
    return token.test(text) ? token.lastIndex : -1;
  }

  return find;
}

/** What stands there, without white space between its tokens. */
export function jsonOf(text: string, { start, end, isCompact }: ExactContainer): string {
  const json = text.slice(start, end);
  // No string in it has an escape.
  return isCompact ? json : json.replace(/("[^"]*")|[ \t\r\n]+/g, "$1");
}
