import { rekey, undeclaredKeys, withKeyRenamed } from "../../keys.ts";
import { foldName, indexNames, mayCount, type NameIndex } from "../../names.ts";
import { SLIPS } from "../../reasons.ts";
import { fitCost, type KeyStep, uniquePairs } from "./key-step.ts";

/** A key with a slip of the keyboard, or with other text stuck to it, one candidate only. */
export const correctKey: KeyStep = {
  name: "correct-key",
  level: "eager",
  cost: 3,
  take(keyed, want) {
    const { object } = keyed;
    const unknown = undeclaredKeys(object, want.variant);
    const { properties } = want.variant;
    const names = indexNames(properties);
    const absent = () => [...properties.keys()].filter((key) => !Object.hasOwn(object, key));
    const slips = new Map(unknown.map((from) => [from, slipsFrom(from, names)]));
    return uniquePairs(unknown, (from) => [...(slips.get(from)?.keys() ?? [])])
      .filter(([, to]) => !Object.hasOwn(object, to))
      .filter(([from, to]) => !mayCount(from, to, object[from] ?? null))
      .filter(([from, to]) => !absent().some((name) => mayEndAs(from, to, name)))
      .filter(([from, to]) => fitCost(object[from], to, want) !== undefined)
      .reduce((done, [from, to]) => {
        const slip = slips.get(from)?.get(to);
        const reason = slip === undefined ? {} : { reason: SLIPS[slip] };
        return rekey(done, this, { object: withKeyRenamed(done.object, from, to), ...reason });
      }, keyed);
  },
};

/**
 * Whether a slip in the ending of a key leaves open which of two is meant that differ in their endings
 * alone: `querys` for `query` and `queries`.
 */
function mayEndAs(from: string, to: string, name: string): boolean {
  if (name === to) return false;
  const [wrong, right, other] = [foldName(from), foldName(to), foldName(name)];
  let stem = 0;
  while (stem < right.length && right[stem] === other[stem]) stem += 1;
  const isEnding = ({ length }: string) => length - stem <= MAX_ENDING;
  return (
    stem >= MIN_STEM &&
    wrong.startsWith(right.slice(0, stem)) &&
    [wrong, right, other].every(isEnding)
  );
}

/** The shortest stem, and the longest ending, in letters. */
const MIN_STEM = 3;
const MAX_ENDING = 3;

/** The declared keys that a key could be, and by what slip. */
function slipsFrom(from: string, names: NameIndex): ReadonlyMap<string, keyof typeof SLIPS> {
  const stuck = namesStuckTo(from, names).map((name) => [name, "stuck"] as const);
  return new Map<string, keyof typeof SLIPS>([...stuck, ...names.slipsOf(from)]);
}

/** `floors" mode="json`: the key, and then what leaked into it. */
function namesStuckTo(from: string, { alike }: NameIndex): readonly string[] {
  if (from.length > 200) return [];
  const [head = "", ...tail] = from.split(/["'`<>=:{}\n(]/);
  return tail.length > 0 && foldName(head) !== "" ? alike(foldName(head)) : [];
}
