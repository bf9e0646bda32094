import { copyError, type ToolInputError } from "../../repair/errors/tool-input-error.ts";

/**
 * Gives the error that is thrown after all remedies: the last, with those before it as its cause, so
 * that no causing data is lost.
 *
 * @param last The last error.
 * @param earlier The errors before it, in order. Without any, the last is returned as it is.
 */
export function prependHistory(
  last: ToolInputError,
  earlier: readonly ToolInputError[],
): ToolInputError {
  const [only, ...others] = last.cause === undefined ? earlier : [...earlier, last.cause];
  if (only === undefined) return last;
  const cause =
    others.length === 0
      ? only
      : new AggregateError([only, ...others], `${others.length + 1} errors came before this one.`);
  return copyError(last, { cause });
}
