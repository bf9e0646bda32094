/**
 * Makes a view of an object in which some properties are others. The object's own methods run on
 * the object itself, so that `#private` fields work, and it stays as it was.
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
 */
export function proxyShape<Target extends object>(
  target: Target,
  others: readonly PropertyKey[],
): Target {
  const isFree = Object.isExtensible(target) && !others.some((key) => Object.hasOwn(target, key));
  return isFree ? target : (Object.create(target) as Target);
}

/** Gives a function the name and the length of the one in whose place it is. */
export function nameLike(ours: object, { name, length }: { name: string; length: number }): void {
  Object.defineProperties(ours, {
    name: { value: name, configurable: true },
    length: { value: length, configurable: true },
  });
}

/**
 * Makes a view of an object that inherits it, with some properties that are others. It lists the
 * object's fields as its own, as whatever serializes or spreads it expects; what is written to the view
 * stays there. Methods run on the view, so that they see its properties. Properties that the object does
 * not list are not listed.
 */
export function inheritingView<Target extends object>(
  target: Target,
  overrides: Readonly<Record<PropertyKey, unknown>>,
): Target {
  const view = Object.create(target) as Target;
  for (const [key, { enumerable = false }] of Object.entries(
    Object.getOwnPropertyDescriptors(target),
  )) {
    Object.defineProperty(view, key, { ...fieldOf(target, key), enumerable, configurable: true });
  }
  for (const key of Reflect.ownKeys(overrides)) {
    const enumerable = Object.getOwnPropertyDescriptor(target, key)?.enumerable ?? false;
    const value = overrides[key];
    Object.defineProperty(view, key, { value, enumerable, configurable: true, writable: true });
  }
  return view;
}

/** A field that is the object's until it is written to. */
function fieldOf(target: object, key: string): PropertyDescriptor {
  return {
    get: () => Reflect.get(target, key),
    set(this: object, value: unknown) {
      const field = { value, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(this, key, field);
    },
  };
}
