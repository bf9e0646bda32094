/**
 * Reads a whole number from a command line.
 *
 * @param text What was given.
 * @param about The option's name, and the least that it may be.
 * @throws TypeError when it is none, or too small.
 */
export function toCount(
  text: string,
  { name, least }: { readonly name: string; readonly least: number },
): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= least) return count;
  throw new TypeError(`${name} must be a whole number from ${least} on, not "${text}".`);
}
