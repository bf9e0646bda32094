import { loadOnce } from "../../repair/drive.ts";

/**
 * Loads what few runs need: what reads an action off text that the agent's own parser refused, what
 * lets its model correct itself, and what pairs refused actions with later ones.
 */
export const loadRareParts: () => Promise<typeof import("./lazy.ts")> = loadOnce(
  () => import("./lazy.ts"),
);
