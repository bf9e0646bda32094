/** Adds a value to the others of its key. */
export function addTo<Key, Value>(
  groups: Map<Key, Value[]>,
  key: Key,
  value: Value,
): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}

/** The values by their keys, in the order of the first of each. */
export function groupBy<Key, Value>(
  values: readonly Value[],
  keyOf: (value: Value) => Key,
): ReadonlyMap<Key, readonly Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) addTo(groups, keyOf(value), value);
  return groups;
}

/** Orders texts by their code units, in any language alike. */
export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : 1;
}

/** Orders what is counted, the most frequent first. */
export function moreFirst(
  left: { readonly count: number },
  right: { readonly count: number },
): number {
  return right.count - left.count;
}
