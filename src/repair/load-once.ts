import { ISSUE } from "./errors/refusal-reason.ts";
import type { InputIssue } from "./types.ts";

/**
 * Puts off the import of a part of toolmend until it is needed.
 *
 * @param load Imports the part.
 * @returns The same module at every call. A load that failed is tried again by the next call.
 * @throws Error that says what to do, with what was thrown as its cause.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | undefined;
  return async () => {
    try {
      loading ??= load();
      return await loading;
    } catch (cause) {
      loading = undefined;
      throw new Error(NOT_LOADED, { cause });
    }
  };
}

/** The issue with an input that cannot be repaired because of that. */
export function notLoaded(): InputIssue {
  return { path: "", code: ISSUE.notLoaded, message: `could not be repaired: ${NOT_LOADED}` };
}

const NOT_LOADED =
  "toolmend could not import the rest of its code, which it does with the first faulty input: ship all the chunks that the bundler made of it, or bundle without code splitting";
