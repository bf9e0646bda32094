import { EXCEPTION } from "../../repair/steps.ts";
import { observeInstead } from "./exception-tool.ts";
import type { ExecutorTool } from "./executor-like.ts";
import { keeps, type Run } from "./run.ts";

/**
 * Makes the map that LangChain looks up tools in while it streams: by own property only, and with
 * the tool of `_Exception`, which LangChain has in `invoke` alone. That one is not enumerable, so
 * that it is not listed among those that the model may try.
 *
 * @param tools The tools.
 * @param run The run.
 */
export function nameToolMap(
  tools: readonly ExecutorTool[],
  run: Run,
): Record<string, ExecutorTool> {
  const map: Record<string, ExecutorTool> = Object.create(null);
  for (const tool of tools) map[tool.name] = tool;
  if (keeps(run, "parsingErrors")) return map;
  const observe = (observation: string, config: unknown) => observeInstead(observation, config);
  const value = { name: EXCEPTION, schema: {}, invoke: observe, call: observe };
  return Object.defineProperty(map, EXCEPTION, { value });
}
