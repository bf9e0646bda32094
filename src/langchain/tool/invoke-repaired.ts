import { compileSchema } from "../../repair/schema/compile-schema.ts";
import { type AcceptedUse, handOn, type WayIn } from "./hand-on.ts";
import type { InvocableTool } from "./invocable-tool.ts";
import { type ResolvedUse, resolveUse, type ToolConfig, type ToolUse } from "./resolve-use.ts";

/** A tool's ways in, with repair before them. */
export interface RepairedWaysIn {
  invoke(input: unknown, config?: ToolConfig): Promise<unknown>;
  call?(input: unknown, config?: ToolConfig, tags?: string[]): Promise<unknown>;
}

/**
 * Makes `invoke` and, where the tool has it, `call`, which repair the input and hand it on to the
 * tool's own.
 *
 * @param tool The tool.
 * @param options How to repair, and the handlers.
 * @param replacedCall Returns what stands for the tool's `call` when it is invoked; `undefined` for its own.
 * @throws TypeError when the tool's schema is of no known kind.
 */
export function invokeRepaired(
  tool: InvocableTool,
  options: ToolUse["options"],
  replacedCall: () => unknown = () => undefined,
): RepairedWaysIn {
  compileSchema(tool.schema);
  const run = (way: WayIn) => (use: AcceptedUse) =>
    handOn(tool, way, way === "invoke" ? { ...use, call: replacedCall() } : use);
  const waysIn: RepairedWaysIn = {
    invoke: (input, config) => repairThen({ tool, options, input, config }, run("invoke")),
  };
  const { call } = tool as { call?: unknown };
  if (typeof call !== "function") return waysIn;
  return {
    ...waysIn,
    call: (input, config, tags) => repairThen({ tool, options, input, config, tags }, run("call")),
  };
}

/**
 * Repairs what a tool is given, and runs it with that.
 *
 * @param given The tool and what it is given.
 * @param run Runs it.
 * @returns What the tool returns, or the answer in its stead.
 * @throws ToolInputError for an input that is refused.
 */
export function repairThen(
  given: ToolUse,
  run: (use: AcceptedUse) => Promise<unknown>,
): Promise<unknown> {
  const goOn = (resolved: ResolvedUse): Promise<unknown> =>
    resolved.kind === "run" ? run(resolved.use) : Promise.resolve(resolved.answer);
  const resolved = resolveUse(given);
  return resolved instanceof Promise ? resolved.then(goOn) : goOn(resolved);
}
