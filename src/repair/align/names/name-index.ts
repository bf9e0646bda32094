import { foldName, wordsOf } from "./fold-name.ts";
import { isNear, nearBound } from "./is-near.ts";
import { type Slip, slipOf } from "./slip-of.ts";

/** Names that others are compared with again and again: what can be neither near nor a slip is told by its letters. */
export interface NameIndex {
  /** The names that are the same when folded. */
  readonly alike: (folded: string) => readonly string[];
  /** The first name that could stand for a key, of those that are asked for. */
  readonly findNear: (key: string, isAsked: (name: string) => boolean) => string | undefined;
  /** The names of which a key is one with one slip of the keyboard in it. */
  readonly slipsOf: (key: string) => readonly (readonly [name: string, slip: Slip])[];
}

const known = new WeakMap<ReadonlyMap<string, unknown>, NameIndex>();

/** Returns the index of the keys of a map, made once. */
export function indexNames(names: ReadonlyMap<string, unknown>): NameIndex {
  const found = known.get(names) ?? makeIndex([...names.keys()]);
  known.set(names, found);
  return found;
}

interface Profile {
  readonly name: string;
  readonly folded: string;
  /** How often each letter occurs, some counted as one. */
  readonly letters: Uint8Array;
}

function makeIndex(names: readonly string[]): NameIndex {
  const profiles = names.map(profileOf);
  const byFold = groupBy(profiles, ({ folded }) => [folded]);
  const byFirstWord = groupBy(profiles, ({ name }) => wordsOf(name).slice(0, 1));
  const byWord = groupBy(profiles, ({ name }) => new Set(wordsOf(name)));

  /** Those that may have all the words of the other, or the other theirs. */
  function sharingWords(key: string): Set<Profile> {
    const words = wordsOf(key);
    return new Set([
      ...words.flatMap((word) => byFirstWord.get(word) ?? []),
      ...(byWord.get(words[0] ?? "") ?? []),
    ]);
  }

  return {
    alike: (folded) => (byFold.get(folded) ?? []).map(({ name }) => name),
    findNear(key, isAsked) {
      const one = profileOf(key);
      if (one.folded === "") return undefined;
      const isFound = ({ name }: Profile) => isAsked(name) && isNear(key, name);
      for (const other of sharingWords(key)) if (isFound(other)) return other.name;
      const found = profiles.find(
        (other) => mayDiffer(one, other, nearBound(one.folded, other.folded)) && isFound(other),
      );
      return found?.name;
    },
    slipsOf(key) {
      const one = profileOf(key);
      return profiles.flatMap((other) => {
        if (one.folded[0] !== other.folded[0] || !mayDiffer(one, other, MAX_SLIP)) return [];
        const slip = slipOf(key, other.name);
        return slip === undefined ? [] : [[other.name, slip] as const];
      });
    },
  };
}

/** More letters than this no slip adds or takes, nor does another spelling. */
const MAX_SLIP = 8;

/** Whether one name may become the other by so many insertions, deletions and substitutions, or fewer. */
function mayDiffer(one: Profile, other: Profile, most: number): boolean {
  if (Math.abs(one.folded.length - other.folded.length) > most) return false;
  let [added, lost] = [0, 0];
  for (let letter = 0; letter < LETTERS; letter++) {
    const more = (other.letters[letter] as number) - (one.letters[letter] as number);
    if (more > 0) added += more;
    else lost -= more;
  }
  return added <= most && lost <= most;
}

const LETTERS = 32;
/** A count fits a byte. */
const MAX_COUNTED = 250;

function profileOf(name: string): Profile {
  const folded = foldName(name);
  const letters = new Uint8Array(LETTERS);
  // What is longer is near to nothing, and no slip.
  const length = Math.min(folded.length, MAX_COUNTED);
  for (let at = 0; at < length; at++) {
    const letter = folded.charCodeAt(at) % LETTERS;
    letters[letter] = (letters[letter] as number) + 1;
  }
  return { name, folded, letters };
}

function groupBy<Item>(
  items: readonly Item[],
  keysOf: (item: Item) => Iterable<string>,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
  }
  return groups;
}
