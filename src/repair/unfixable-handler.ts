import type { ToolInputError } from "./errors/tool-input-error.ts";
import type { OnUnfixable } from "./repair-result.ts";

/**
 * Who decides about an input that could not be repaired: a handler, or `"tellModel"`, its common case
 * in one word: the model is told what is wrong with its call, and may call again.
 */
export type Unfixable<Failure = ToolInputError> = OnUnfixable<Failure> | "tellModel";

/**
 * Returns the handler that a choice stands for.
 *
 * @param onUnfixable The choice; `undefined` is for none.
 */
export function unfixableHandler(onUnfixable: Unfixable | undefined): OnUnfixable | undefined {
  return onUnfixable === "tellModel" ? (error) => error.toModelMessage() : onUnfixable;
}
