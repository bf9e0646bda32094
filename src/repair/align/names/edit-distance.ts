/** Longer names are not compared. */
const MAX_LENGTH = 100;

function emptyRow(): Uint8Array {
  return new Uint8Array(MAX_LENGTH + 1);
}

const rows: readonly [Uint8Array, Uint8Array, Uint8Array] = [emptyRow(), emptyRow(), emptyRow()];

/**
 * The fewest insertions, deletions, substitutions and swaps of neighbours (Damerau, restricted).
 *
 * @param most More than this need not be told apart: then the work ends as soon as it is clear.
 * Default: any number.
 * @returns `Infinity` for more than `most`, and for names of more than 100 characters.
 */
export function editDistance(left: string, right: string, most: number = MAX_LENGTH): number {
  const [height, width] = [left.length, right.length];
  if (Math.max(height, width) > MAX_LENGTH) return Number.POSITIVE_INFINITY;
  if (Math.abs(height - width) > most) return Number.POSITIVE_INFINITY;
  let [older, old, current] = rows;
  for (let column = 0; column <= width; column++) old[column] = column;
  for (let row = 1; row <= height; row++) {
    const letter = left.charCodeAt(row - 1);
    let best = row;
    current[0] = row;
    for (let column = 1; column <= width; column++) {
      const other = right.charCodeAt(column - 1);
      let least = at(old, column - 1) + (letter === other ? 0 : 1);
      if (at(old, column) < least) least = at(old, column) + 1;
      if (at(current, column - 1) < least) least = at(current, column - 1) + 1;
      const isSwap =
        row > 1 &&
        column > 1 &&
        letter === right.charCodeAt(column - 2) &&
        other === left.charCodeAt(row - 2);
      if (isSwap && at(older, column - 2) < least) least = at(older, column - 2) + 1;
      current[column] = least;
      if (least < best) best = least;
    }
    // A swap reaches back over one row, at the cost of one.
    if (best > most + 1) return Number.POSITIVE_INFINITY;
    [older, old, current] = [old, current, older];
  }
  const distance = at(old, width);
  return distance > most ? Number.POSITIVE_INFINITY : distance;
}

function at(row: Uint8Array, column: number): number {
  return row[column] as number;
}
