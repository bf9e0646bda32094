/**
 * Finds the name that was probably meant, for messages only: nothing is ever run by it.
 *
 * @param name The name as it was written.
 * @param names The names there are.
 * @returns The one name at the smallest edit distance, when that is at most a third of the
 * name's length and no other is as near; `undefined` otherwise.
 */
function closestName(name: string, names: readonly string[]): string | undefined {
  const bound = Math.max(1, Math.floor(name.length / 3));
  const ranked = names
    .map((candidate) => ({
      candidate,
      distance: distance(foldLoosely(name), foldLoosely(candidate)),
    }))
    .filter((entry) => entry.distance <= bound)
    .sort((left, right) => left.distance - right.distance);
  const [best, second] = ranked;
  return best !== undefined && best.distance !== second?.distance ? best.candidate : undefined;
}

/**
 * Asks, for a message, whether the one closest name was meant.
 *
 * @param name The name as it was written.
 * @param names The names there are.
 * @param show How a name is written there. Default: as it is.
 * @returns A question, with a space before it; `""` where no name is close.
 */
export function askIfMeant(
  name: string,
  names: readonly string[],
  show: (close: string) => string = (close) => close,
): string {
  const close = closestName(name, names);
  return close === undefined ? "" : ` Did you mean "${show(close)}"?`;
}

function foldLoosely(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, "");
}

/** Levenshtein's distance, in two rows. */
function distance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const removed = (previous[column] ?? 0) + 1;
      const added = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, removed, added));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
