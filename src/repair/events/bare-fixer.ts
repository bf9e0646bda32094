/**
 * Returns the name of a fixer without its parameters, which may be what a model wrote:
 * `renameKey(element → selector)` is `renameKey`.
 *
 * @param fixer The name.
 */
export function bareFixer(fixer: string): string {
  const at = fixer.indexOf("(");
  return at < 0 ? fixer : fixer.slice(0, at).trimEnd();
}
