/** A piece of a regular expression: an escape, a class, the opening of a group, or one character. */
const PIECE = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|./gsu;

/** What repeats the piece before it. */
const QUANTIFIER = /[*+?]|\{(\d+)(,?)(\d*)\}/y;

interface Group {
  /** Whether what is inside can match in more than one length or way. */
  varies: boolean;
}

/** How dear a regular expression can be: never, by the square of the length, or without bound. */
export type PatternCost = "linear" | "quadratic" | "risky";

/**
 * Says how dear a regular expression may become on a text that almost matches. Errs on the safe
 * side: a repeated group with anything in it that varies counts as one that can backtrack without
 * bound, and so does a reference back.
 *
 * @param source The source of a valid regular expression.
 */
export function patternCost(source: string): PatternCost {
  const groups: Group[] = [{ varies: false }];
  let unbounded = 0;
  PIECE.lastIndex = 0;
  for (let piece = PIECE.exec(source); piece !== null; piece = PIECE.exec(source)) {
    const [text] = piece;
    if (/^\\(?:[1-9]|k)/.test(text)) return "risky";
    const group = groups.at(-1) as Group;
    if (text === "|") group.varies = true;
    if (text.startsWith("(")) {
      groups.push({ varies: false });
      continue;
    }
    const closed = text === ")" ? groups.pop() : undefined;
    const outer = groups.at(-1) ?? group;
    QUANTIFIER.lastIndex = PIECE.lastIndex;
    const quantifier = QUANTIFIER.exec(source);
    if (quantifier !== null) PIECE.lastIndex = QUANTIFIER.lastIndex;
    const times = quantifier === null ? ONCE : timesOf(quantifier);
    if (closed?.varies && times.most > 1) return "risky";
    if (closed?.varies || times.least !== times.most) outer.varies = true;
    if (times.most === Number.POSITIVE_INFINITY) unbounded += 1;
  }
  if (unbounded > MAX_UNBOUNDED) return "risky";
  return unbounded === 0 ? "linear" : "quadratic";
}

/** With more repetitions than this one after another, the ways to part a text among them add up. */
const MAX_UNBOUNDED = 3;

const ONCE = { least: 1, most: 1 } as const;

function timesOf([sign, least = "", comma, most]: RegExpExecArray) {
  if (sign === "?") return { least: 0, most: 1 };
  if (sign === "*" || sign === "+") return { least: 0, most: Number.POSITIVE_INFINITY };
  if (comma === "") return { least: Number(least), most: Number(least) };
  return { least: Number(least), most: most ? Number(most) : Number.POSITIVE_INFINITY };
}
