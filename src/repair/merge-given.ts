/**
 * Merges options: of several that give a field, the last counts. A field that is `undefined` is not given.
 *
 * @param parts The options, `undefined` among them.
 */
export function mergeGiven<Options extends object>(
  ...parts: readonly (Partial<Options> | undefined)[]
): Options {
  const fields = parts.flatMap((part) => (part === undefined ? [] : Object.entries(part)));
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Options;
}
