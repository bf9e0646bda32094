// What code and values that are not ours may do: throw when they are only
// looked at.

/**
 * The value that is made, or another if making it throws: a schema may be
 * malformed, or a Proxy.
 */
export function orElse<Value>(make: () => Value, otherwise: Value): Value {
  try {
    return make();
  } catch {
    return otherwise;
  }
}

/**
 * What foreign code threw. A revoked Proxy must not be looked at, not even by
 * `instanceof`.
 */
export function soundCause(thrown: unknown): unknown {
  const isSound = orElse(() => thrown instanceof Error || true, false);
  return isSound
    ? thrown
    : new TypeError("what was thrown cannot be looked at");
}
