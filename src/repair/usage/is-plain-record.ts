/**
 * Checks whether a value is an object as `{ … }` writes it, of whatever realm. Of any other, a copy may
 * lose what it holds or inherits: a level, say.
 *
 * @param value Anything.
 */
export function isPlainRecord(value: unknown): value is object {
  if (value === null || typeof value !== "object") return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null) return true;
  return (
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype as object, "hasOwnProperty")
  );
}
