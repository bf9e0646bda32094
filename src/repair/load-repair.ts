import { loadOnce } from "./load-once.ts";

/** Loads what repairs: most inputs are right as they are, and never need it. */
export const loadRepair: () => Promise<typeof import("./repair-value.ts")> = loadOnce(
  () => import("./repair-value.ts"),
);
