/** The fewest insertions, deletions, substitutions and swaps of neighbours (Damerau, restricted). */
export function editDistance(left: string, right: string): number {
  if (Math.max(left.length, right.length) > 100) return Number.POSITIVE_INFINITY;
  let older: number[] = [];
  let old = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const [a, b] = [left[row - 1], right[column - 1]];
      let least = Math.min(
        (old[column - 1] ?? 0) + (a === b ? 0 : 1),
        (old[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
      );
      if (row > 1 && column > 1 && a === right[column - 2] && b === left[row - 2]) {
        least = Math.min(least, (older[column - 2] ?? 0) + 1);
      }
      current.push(least);
    }
    [older, old] = [old, current];
  }
  return old[right.length] ?? 0;
}
