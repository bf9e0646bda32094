/**
 * `toolmend/register/api`: what `toolmend/register` has, without its side effect. Nothing is hooked before
 * `register()` is called, and its undo puts everything back.
 *
 * @module toolmend/register/api
 */

import { globalFixers, globalState } from "./langchain/register/global-state.ts";
import { instrument, uninstrument } from "./langchain/register/instrumentation.ts";
import { REGISTER_USAGE, type RegisterOptions } from "./langchain/register/register-options.ts";
import type { NotRegistry } from "./repair/policy.ts";
import { checkOptions } from "./repair/usage.ts";

export { globalFixers, type RegisterOptions };

/**
 * Repairs the inputs of every LangChain tool of the process, with the `globalFixers` and with these
 * options. May be called several times: the fixers of all registrations run, in their order; of
 * other options, the latest given counts.
 *
 * @param options Fixers, level, limits and handlers.
 * @throws TypeError for a wrong use: an unknown option, a value that an option cannot have.
 * @returns Its undo. After the last, LangChain is as it was.
 * @example
 * ```ts
 * const undo = register({ level: "strict" });
 * undo();
 * ```
 */
export function register(options: RegisterOptions & NotRegistry = {}): () => void {
  checkOptions(options, REGISTER_USAGE);
  const { registrations } = globalState();
  const registration = { ...options };
  registrations.add(registration);
  instrument(options.from);
  return () => {
    if (registrations.delete(registration) && registrations.size === 0) uninstrument();
  };
}

/**
 * Undoes every registration of the process, that of the import included.
 * @example
 * ```ts
 * globalFixers.register("click", renameKey("element", "selector"));
 * register();
 * unregister();
 * ```
 */
export function unregister(): void {
  globalState().registrations.clear();
  uninstrument();
}
