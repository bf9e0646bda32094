import { repairToolName } from "../../repair/align/repair-tool-name.ts";
import { levelAllows } from "../../repair/level-allows.ts";
import { policyFor } from "../../repair/options.ts";
import type { NameRepair } from "../../repair/types.ts";
import type { ExecutorTool } from "./executor-like.ts";
import { keeps, type Run } from "./run.ts";

/** The tool that an action means, and how its name was changed. */
export interface FoundTool {
  readonly tool: ExecutorTool;
  readonly nameRepair?: NameRepair;
}

/**
 * Finds the tool that an action means: by its name, else by the only one that differs only in case
 * (at every level, as LangChain's `invoke` does), else as far as the level of that tool allows.
 *
 * @param name The name as the model wrote it.
 * @param run The run.
 */
export function findTool(name: unknown, run: Run): FoundTool | undefined {
  if (typeof name !== "string") return undefined;
  const exact = run.tools.find((tool) => tool.name === name);
  if (exact !== undefined) return { tool: exact };
  if (keeps(run, "toolNames")) return findAsLangChainDoes(name, run);
  const guess = repairToolName(
    name,
    run.tools.map((tool) => tool.name),
    "eager",
  );
  if (!guess.ok) return undefined;
  const tool = run.tools.find((offered) => offered.name === guess.name);
  if (tool === undefined) return undefined;
  const onlyCase = tool.name.toLowerCase() === name.trim().toLowerCase();
  const level = onlyCase ? "strict" : guess.level;
  if (!levelAllows(policyFor(tool, run.resolving).level, level)) return undefined;
  return { tool, nameRepair: { fixer: guess.fixer, before: name, after: tool.name, level } };
}

/** In `invoke`, LangChain ignores case and takes the last; in a stream, it takes the exact name. */
function findAsLangChainDoes(name: string, { tools, exactNames }: Run): FoundTool | undefined {
  if (exactNames) return undefined;
  const tool = tools.findLast((offered) => offered.name.toLowerCase() === name.toLowerCase());
  return tool && { tool };
}
