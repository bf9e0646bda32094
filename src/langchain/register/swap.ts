/** Under this key a function of ours gives the one that it stands for. */
const STANDS_FOR = Symbol.for("toolmend.standsFor");

/** Makes one method of another. `never` takes every signature. */
type Make = (original: never) => (...args: never[]) => unknown;

/** A property that was swapped. */
export interface Swap {
  readonly target: object;
  readonly key: PropertyKey;
  readonly ours: unknown;
  /** What was there; nothing where the property was inherited. */
  readonly before: PropertyDescriptor | undefined;
}

/**
 * Swaps a method for another, which gets what it stands for. The property keeps its descriptor.
 *
 * @param target Where the method is.
 * @param key Its name.
 * @param make Makes the method.
 * @returns What `restore` takes; nothing where the method is one of ours already, or is frozen: then
 * there is a warning.
 */
export function swap(target: object, key: PropertyKey, make: Make): Swap | undefined {
  const before = Object.getOwnPropertyDescriptor(target, key);
  const original = (target as Record<PropertyKey, unknown>)[key];
  if (typeof original !== "function" || Object.hasOwn(original, STANDS_FOR)) return undefined;
  const ours = make(original as never);
  Object.defineProperties(ours, {
    [STANDS_FOR]: { value: original },
    name: { value: original.name, configurable: true },
    length: { value: original.length, configurable: true },
  });
  const after = before ?? { configurable: true, writable: true, enumerable: false };
  if (Reflect.defineProperty(target, key, { ...after, value: ours })) {
    return { target, key, ours, before };
  }
  process.emitWarning(
    `toolmend cannot swap ${String(key)}: what has it is frozen. Import toolmend/register before what freezes it, or wrap the tools with wrapTool.`,
    { code: "TOOLMEND_FROZEN" },
  );
  return undefined;
}

/**
 * Puts back what was there, if what is there is still ours.
 *
 * @param swapped What `swap` gave.
 * @returns Whether it was. If not, somebody else has wrapped ours since, and it stays below theirs.
 */
export function restore({ target, key, ours, before }: Swap): boolean {
  if (Object.getOwnPropertyDescriptor(target, key)?.value !== ours) return false;
  // A property that was frozen since stays as it is.
  return before === undefined
    ? Reflect.deleteProperty(target, key)
    : Reflect.defineProperty(target, key, before);
}
