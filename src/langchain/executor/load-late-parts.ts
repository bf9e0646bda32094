import { loadOnce } from "../../repair/drive.ts";

/**
 * Loads what few runs need: what reads an action off text that the agent's own parser refused, what
 * lets its model correct itself, and what pairs refused actions with later ones.
 */
export const loadLateParts: () => Promise<typeof import("./late-parts.ts")> = loadOnce(
  () => import("./late-parts.ts"),
);
