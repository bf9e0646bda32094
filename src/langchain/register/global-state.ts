import { createFixerRegistry, type FixerRegistry } from "../../repair/fixers/registry.ts";
import type { RegisterOptions } from "./register-options.ts";
import type { Swap } from "./swap.ts";

/** What all copies of toolmend in a process share. */
interface GlobalState {
  readonly fixers: FixerRegistry;
  /** In the order in which they were made. */
  readonly registrations: Set<RegisterOptions>;
  readonly swaps: Set<Swap>;
  /** Copies that were warned about, by folder. */
  readonly warned: Set<string>;
  /** Stops watching for copies that are loaded later. */
  stopWatching: (() => void) | undefined;
}

/**
 * On globalThis, since an application may hold several copies of toolmend: the ESM and the CommonJS
 * build, and one for each version that its packages ask for. What one registers, all use.
 */
const KEY = Symbol.for("toolmend.register.1");

/** The state that all copies of toolmend share, made by the first that asks. */
export function globalState(): GlobalState {
  const holder = globalThis as { [KEY]?: GlobalState };
  holder[KEY] ??= {
    fixers: createFixerRegistry(),
    registrations: new Set(),
    swaps: new Set(),
    warned: new Set(),
    stopWatching: undefined,
  };
  return holder[KEY];
}

/** The fixers of the process: they reach every tool of that name, from any copy of toolmend. */
export const globalFixers: FixerRegistry = globalState().fixers;
