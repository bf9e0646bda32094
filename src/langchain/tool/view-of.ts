/**
 * Makes a view of an object that overrides some properties. The object's own
 * methods run on the object itself, so that `#private` fields work. A write to
 * an overridden property stays on the view until it is deleted; other
 * properties are read from and written to the object.
 */
export function viewOf<Target extends object>(
  target: Target,
  overrides: Readonly<Record<PropertyKey, unknown>>,
): Target {
  const overridden = Object.create(
    null,
    Object.getOwnPropertyDescriptors(overrides),
  );
  const ownFields = Object.create(overridden);
  const methods = new Map<unknown, unknown>();
  const holderOf = (key: PropertyKey): object =>
    key in overridden ? ownFields : target;
  return new Proxy(shapeOf(target, overrides), {
    get(_, key) {
      if (key in overridden) return ownFields[key];
      const value: unknown = Reflect.get(target, key, target);
      const isMethod = typeof value === "function" && key !== "constructor";
      if (!isMethod || Object.hasOwn(target, key)) return value;
      if (!methods.has(value)) methods.set(value, value.bind(target));
      return methods.get(value);
    },
    set: (_, key, value) => Reflect.set(holderOf(key), key, value),
    defineProperty: (_, key, property) =>
      Reflect.defineProperty(holderOf(key), key, property),
    deleteProperty: (_, key) => Reflect.deleteProperty(holderOf(key), key),
  });
}

/**
 * Makes a view of an object whose methods run on the view, so that they see its
 * properties. It lists the object's fields, so that it can be serialized and
 * spread; what is written to it stays there.
 */
export function inheritingView<Target extends object>(
  target: Target,
  overrides: Readonly<Record<PropertyKey, unknown>>,
): Target {
  const fields: Record<PropertyKey, unknown> = { ...overrides };
  return new Proxy(shapeOf(target, overrides), {
    get(_, key, view) {
      return Object.hasOwn(fields, key)
        ? fields[key]
        : Reflect.get(target, key, view);
    },
    set: (_, key, value) => Reflect.set(fields, key, value),
  });
}

/**
 * The target of a proxy: the object, or one that inherits it if an override
 * cannot be configured on it.
 */
function shapeOf<Target extends object>(
  target: Target,
  overrides: object,
): Target {
  const isFixed = (key: PropertyKey) =>
    Object.getOwnPropertyDescriptor(target, key)?.configurable === false;
  return Reflect.ownKeys(overrides).some(isFixed)
    ? Object.create(target)
    : target;
}
