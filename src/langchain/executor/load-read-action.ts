import { loadOnce } from "../../repair/load-once.ts";

/** Loads what reads an action off text, which only a text that the agent's own parser refused needs. */
export const loadReadAction: () => Promise<typeof import("./read-action.ts")> = loadOnce(
  () => import("./read-action.ts"),
);
