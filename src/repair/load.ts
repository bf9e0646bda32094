import { loadOnce } from "./drive.ts";

/** The code that repairs: most inputs are valid, and never need it. */
export type RepairCode = typeof import("./repairing.ts");

/** Loads it, unless it came with other code. */
export const loadRepair: (given?: RepairCode) => RepairCode | Promise<RepairCode> = loadOnce(
  () => import("./repairing.ts"),
);

/**
 * Loads the code that repairs, which toolmend otherwise imports for the first faulty input of the
 * process. Call it when a server starts.
 *
 * @returns A promise that resolves once the code is loaded.
 * @throws Error if a chunk cannot be imported.
 * @example
 * ```ts
 * await preload();
 * ```
 */
export async function preload(): Promise<void> {
  await loadRepair();
}
