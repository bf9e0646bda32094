/**
 * Gives what was thrown as an error.
 *
 * @param thrown What was thrown: an error, or anything else.
 */
export function toError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  const isErrorLike = Object.prototype.toString.call(thrown) === "[object Error]";
  return isErrorLike ? (thrown as Error) : new Error(String(thrown), { cause: thrown });
}
