import type { Unfixable } from "../../repair/result.ts";

/** A handler whose throws are told from those of the tool. */
export interface PassingHandler {
  readonly onUnfixable: Unfixable | undefined;
  /** Whether this is what the handler threw. */
  passes(thrown: unknown): boolean;
}

/**
 * Keeps in mind what a handler throws: whoever decides by throwing is not to be answered with text.
 *
 * @param onUnfixable The handler.
 */
export function passThrough(onUnfixable: Unfixable | undefined): PassingHandler {
  const thrown = new WeakSet<object>();
  return {
    passes: (error) => typeof error === "object" && error !== null && thrown.has(error),
    onUnfixable:
      typeof onUnfixable !== "function"
        ? onUnfixable
        : async (...args) => {
            try {
              return await onUnfixable(...args);
            } catch (error) {
              if (typeof error === "object" && error !== null) thrown.add(error);
              throw error;
            }
          },
  };
}
