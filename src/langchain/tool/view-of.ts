/**
 * Makes a view of an object in which some properties are others. The object's own methods run on
 * the object itself, so that `#private` fields work, and it stays as it was.
 *
 * @param target The object.
 * @param overrides The properties that are others.
 */
export function viewOf<Target extends object>(
  target: Target,
  overrides: Readonly<Record<PropertyKey, unknown>>,
): Target {
  return new Proxy(proxyShape(target, Reflect.ownKeys(overrides)), {
    get(_, key) {
      if (Object.hasOwn(overrides, key)) return overrides[key];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" && key !== "constructor" ? value.bind(target) : value;
    },
  });
}

/**
 * Returns what a proxy for an object is made of: itself, or an object that inherits it, where a proxy
 * might have to show the properties of the object as they are, because they cannot change.
 *
 * @param target The object.
 * @param others The properties that the proxy shows in another way.
 */
export function proxyShape<Target extends object>(
  target: Target,
  others: readonly PropertyKey[],
): Target {
  const isFree = Object.isExtensible(target) && !others.some((key) => Object.hasOwn(target, key));
  return isFree ? target : (Object.create(target) as Target);
}
