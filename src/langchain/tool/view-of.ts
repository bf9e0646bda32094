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
  return new Proxy(proxyShape(target), {
    get(_, key) {
      if (Object.hasOwn(overrides, key)) return overrides[key];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" && key !== "constructor" ? value.bind(target) : value;
    },
  });
}

/**
 * Returns what a proxy for an object is made of: itself, or, where it cannot be extended, an object
 * that inherits it, since a proxy must show the properties of what cannot change as they are.
 *
 * @param target The object.
 */
export function proxyShape<Target extends object>(target: Target): Target {
  return Object.isExtensible(target) ? target : (Object.create(target) as Target);
}
