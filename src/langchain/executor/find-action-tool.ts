import { findTool } from "../../repair/tool-call.ts";
import type { NameRepair } from "../../repair/types.ts";
import type { ExecutorTool } from "./executor-like.ts";
import { keeps, type Run } from "./run.ts";

/** The tool that an action means, and how its name was changed. */
interface ActionTool {
  readonly tool: ExecutorTool;
  readonly nameRepair?: NameRepair;
}

/**
 * Finds the tool that an action means: by its name, else by the only one that differs only in case
 * (at every level, as LangChain's `invoke` does), else as far as the level of that tool allows.
 *
 * @param name The name as the model wrote it.
 * @param run The run.
 * @throws Error when the code that repairs names cannot be loaded.
 */
export async function findActionTool(name: unknown, run: Run): Promise<ActionTool | undefined> {
  if (typeof name !== "string") return undefined;
  const exact = run.tools.find((tool) => tool.name === name);
  if (exact !== undefined) return { tool: exact };
  if (keeps(run, "toolNames")) return findAsLangChainDoes(name, run);
  const found = await findTool(name, run.tools, { ...run.resolving, caseIsFree: true });
  if (!found.ok && found.cause !== undefined) throw found.cause;
  return found.ok ? found : undefined;
}

/** In `invoke`, LangChain ignores case and takes the last; in a stream, it takes the exact name. */
function findAsLangChainDoes(name: string, { tools, exactNames }: Run): ActionTool | undefined {
  if (exactNames) return undefined;
  const tool = tools.findLast((offered) => offered.name.toLowerCase() === name.toLowerCase());
  return tool && { tool };
}
