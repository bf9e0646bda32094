import { wrongUse } from "./errors/usage-error.ts";

/** Options of what returns its error: nobody is asked about it. */
export interface NoHandler {
  /** There is none: read the error that is returned. What wraps a tool or an agent has one. */
  readonly onUnfixable?: undefined;
}

/**
 * Refuses a handler where nobody would ask it.
 *
 * @param options The options as they were given.
 * @param name The function that they were given to.
 * @throws TypeError when they hold one.
 */
export function assertNoHandler(options: object, name: string): void {
  if ((options as NoHandler).onUnfixable === undefined) return;
  throw wrongUse(
    `${name} asks no handler: leave out onUnfixable, and read the error that it returns, or give it to wrapTool or another wrapper.`,
  );
}
