import { loadOnce } from "./drive.ts";

/** The code that repairs: most inputs are right as they are, and never need it. */
export type RepairCode = typeof import("./repairing.ts");

let code: RepairCode | undefined;

/** Loads the code that repairs. */
export function loadRepair(): RepairCode | Promise<RepairCode> {
  return code ?? load();
}

const load = loadOnce(async () => keepRepair(await import("./repairing.ts")));

/** Keeps the code where it came with other code. */
export function keepRepair(loaded: RepairCode): RepairCode {
  code = loaded;
  return loaded;
}

/**
 * Loads at once what toolmend otherwise imports with the first faulty input of the process, so that the
 * first repair takes no longer than the next: call it where a server starts.
 *
 * @returns A promise that is fulfilled when the code is there.
 * @throws Error when a chunk cannot be imported.
 * @example
 * ```ts
 * await preload();
 * ```
 */
export async function preload(): Promise<void> {
  await loadRepair();
}
