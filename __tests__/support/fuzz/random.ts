/** Numbers that are the same in every run with one seed. */
export interface Random {
  /** A whole number below `count`. */
  below(count: number): number;
  /** True in one of so many cases. */
  oneIn(count: number): boolean;
  /** A random element of a list. */
  of<Item>(items: readonly Item[]): Item;
}

/** Creates the numbers of a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const below = (count: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * count);
  };
  return {
    below,
    oneIn: (count) => below(count) === 0,
    of: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
  };
}
