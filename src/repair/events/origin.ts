import type { InputEvent, Seam } from "./input-event.ts";

/** The ids of LangChain and LangGraph. */
export interface RunIds {
  readonly runId?: string | undefined;
  readonly threadId?: string | undefined;
}

/** Marks the run of a tool, by the config that it is run with. */
export type MarkRun = <Config>(config: Config) => Config;

/** Where a call came from, as the seam that it came to knows it. */
export interface Origin {
  readonly seam: Seam;
  readonly model?: string | undefined;
  readonly provider?: string | undefined;
  /** Looks up the ids, where somebody is told. */
  readonly ids?: (() => RunIds) | undefined;
  /**
   * Shows what was not right as it was where LangChain shows its runs, and returns what marks the run of
   * the tool. Never throws.
   */
  readonly show?: ((event: InputEvent) => Promise<MarkRun | undefined>) | undefined;
  /** Whether the calls were looked at before: then valid ones have been told of. */
  readonly isAgain?: boolean | undefined;
}

/** Of whoever calls toolmend's repair directly. */
export const CORE: Origin = { seam: "core" };
