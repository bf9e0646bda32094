/** A piece of a regular expression: an escape, a class, the opening of a group, or one character. */
const PIECE = /\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|./gsu;

/** What repeats the piece before it. */
const QUANTIFIER = /[*+?]|\{(\d+)(,?)(\d*)\}/y;

/** The longest text for an expression that can backtrack without bound: it doubles with each letter. */
const LONGEST_IF_RISKY = 20;

/** The most steps that an expression which backtracks by a power of the length may take. */
const MAX_STEPS = 300_000_000;

interface Group {
  /** Whether what is inside can match in more than one length or way. */
  varies: boolean;
  /** Whether there are branches or groups inside. */
  isNested: boolean;
  readonly pieces: { readonly text: string; readonly isOnce: boolean }[];
}

/**
 * Works out the longest text on which a regular expression may be run without becoming dear, if the
 * text almost matches. Errs on the safe side: a repeated group with anything in it that varies can
 * backtrack without bound, unless a sign that stands nowhere else in it parts its repetitions.
 *
 * @param source The source of a valid regular expression.
 * @returns The length in characters; `Infinity` where nothing in it repeats without an end.
 */
export function longestFor(source: string): number {
  const groups: Group[] = [newGroup()];
  let unbounded = 0;
  PIECE.lastIndex = 0;
  for (let piece = PIECE.exec(source); piece !== null; piece = PIECE.exec(source)) {
    const [text] = piece;
    if (/^\\(?:[1-9]|k)/.test(text)) return LONGEST_IF_RISKY;
    const group = groups.at(-1) as Group;
    if (text === "|") Object.assign(group, { varies: true, isNested: true });
    if (text.startsWith("(")) {
      group.isNested = true;
      groups.push(newGroup());
      continue;
    }
    const closed = text === ")" ? groups.pop() : undefined;
    const outer = groups.at(-1) ?? group;
    const times = timesAfter(source, PIECE.lastIndex);
    PIECE.lastIndex += times.length;
    if (closed?.varies && times.most > 1 && !isParted(closed)) return LONGEST_IF_RISKY;
    if (closed?.varies || times.least !== times.most) outer.varies = true;
    if (times.most === Number.POSITIVE_INFINITY) unbounded += 1;
    outer.pieces.push({ text, isOnce: times.least === 1 && times.most === 1 });
  }
  if (unbounded === 0) return Number.POSITIVE_INFINITY;
  // One more, because a match may begin anywhere.
  return Math.floor(MAX_STEPS ** (1 / (unbounded + 1)));
}

function newGroup(): Group {
  return { varies: false, isNested: false, pieces: [] };
}

/** Whether the first or last sign of a group matches nothing else in it: `(?:[a-z]+\.)+`. */
function isParted({ isNested, pieces }: Group): boolean {
  if (isNested) return false;
  return [0, pieces.length - 1].some((at) => {
    const sign = pieces[at];
    const literal = sign?.isOnce ? /^\\(\W)$|^([^\\.^$])$/u.exec(sign.text) : null;
    const character = literal?.[1] ?? literal?.[2];
    if (character === undefined) return false;
    return pieces.every(({ text }, index) => index === at || !matches(text, character));
  });
}

function matches(piece: string, character: string): boolean {
  try {
    return new RegExp(`^(?:${piece})$`, "u").test(character);
  } catch {
    return true;
  }
}

const ONCE = { least: 1, most: 1, length: 0 } as const;

function timesAfter(source: string, at: number) {
  QUANTIFIER.lastIndex = at;
  const found = QUANTIFIER.exec(source);
  if (found === null) return ONCE;
  const [text, least = "", comma, most] = found;
  const { length } = text;
  if (text === "?") return { least: 0, most: 1, length };
  if (text === "*" || text === "+") return { least: 0, most: Number.POSITIVE_INFINITY, length };
  if (comma === "") return { least: Number(least), most: Number(least), length };
  return { least: Number(least), most: most ? Number(most) : Number.POSITIVE_INFINITY, length };
}
