const BRAND = Symbol.for("toolmend.wrongUse");

/**
 * Makes the error for a wrong use of toolmend. It is the programmer's, and no answer for a model:
 * whoever makes text of errors lets it pass.
 *
 * @param message What is wrong, and what to do.
 */
export function wrongUse(message: string): TypeError {
  return Object.defineProperty(new TypeError(message), BRAND, { value: true });
}

/** Tells an error that `wrongUse` made, of any copy of toolmend. */
export function isWrongUse(error: unknown): boolean {
  return typeof error === "object" && error !== null && BRAND in error;
}
