import type { RunnableConfig } from "@langchain/core/runnables";
import { orElse } from "../../repair/foreign.ts";

/**
 * The node where a human approves calls (langchain 1.5.14;
 * limits-and-approval.test).
 */
export const APPROVAL = "HumanInTheLoopMiddleware.after_model";

/**
 * Checks whether the agent has a node: a run's reader throws if a channel is
 * missing.
 */
export function hasNode(
  runtime: RunnableConfig | undefined,
  node: string,
): boolean {
  const { __pregel_read: read } = runtime?.configurable ?? {};
  if (typeof read !== "function") return false;
  const hasChannel = () => {
    read(`branch:to:${node}`);
    return true;
  };
  return orElse(hasChannel, false);
}
