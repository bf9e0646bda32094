import { advance } from "./drive.ts";
import { wrongUse } from "./errors.ts";
import { loadRepair } from "./load.ts";
import { reportedSteps } from "./pipeline.ts";
import { type NoHandler, type NotRegistry, REPAIR_USAGE, type RepairOptions } from "./policy.ts";
import * as repairing from "./repairing.ts";
import type { RepairResult } from "./result.ts";
import type { ToolInput, ToolLike, ToolOutput } from "./types.ts";
import { checkOptions, checkTool } from "./usage.ts";

/**
 * As `repairToolInput`, without a promise: for tools whose schema and fixers are synchronous.
 *
 * @param raw What the model wrote: text, a parsed value, or `undefined` for no arguments.
 * @param tool The tool, or just its name and schema.
 * @param options Fixers, level and limits. A time limit cannot stop a fixer that does not return.
 * @returns The input to run with every change that was made, or the error.
 * @throws TypeError for wrong use, as `repairToolInput`; and if a fixer or the schema (an `async`
 * refinement, say) returns a promise.
 * @example
 * ```ts
 * const result = repairToolInputSync('{"element": "#buy"}', click, { fixers });
 * if (result.ok) console.log(result.toolInput.selector); // #buy
 * ```
 */
export function repairToolInputSync<const Tool extends ToolLike>(
  raw: unknown,
  tool: Tool,
  options: RepairOptions & NotRegistry & NoHandler = {},
): RepairResult<ToolInput<Tool>, ToolOutput<Tool>> {
  checkTool(tool, "repairToolInputSync(raw, tool, options)");
  checkOptions(options, REPAIR_USAGE);
  loadRepair(repairing);
  const { done, value } = advance(reportedSteps(raw, tool, options));
  if (done) return value as RepairResult<ToolInput<Tool>, ToolOutput<Tool>>;
  Promise.resolve(value).catch(() => {});
  throw wrongUse(
    `repairToolInputSync(raw, tool, options) cannot wait for the schema or a fixer of tool "${tool.name}", ` +
      "which returned a promise. Await repairToolInput instead, or make them synchronous.",
  );
}
