/**
 * Makes a view of an object that inherits it, with some properties that are others. It lists the
 * object's fields as its own, as whatever serializes or spreads it expects; what is written to the view
 * stays there. Methods run on the view, so that they see its properties.
 *
 * @param target The object; it stays as it was.
 * @param overrides The properties that are others. Those that the object does not list are not listed.
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
