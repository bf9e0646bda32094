import { compileSchema } from "../../repair/schema/compile-schema.ts";
import type { InvocableTool } from "./invocable-tool.ts";
import { type AcceptedInvocation, type EntryPoint, invokeOriginal } from "./invoke-original.ts";
import {
  type Invocation,
  type ResolvedInvocation,
  resolveInvocation,
  type ToolConfig,
} from "./resolve-invocation.ts";

/** A tool's ways in, with repair before them. */
export interface RepairedMethods {
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
  options: Invocation["options"],
  replacedCall: () => unknown = () => undefined,
): RepairedMethods {
  compileSchema(tool.schema);
  const run = (way: EntryPoint) => (use: AcceptedInvocation) =>
    invokeOriginal(tool, way, way === "invoke" ? { ...use, call: replacedCall() } : use);
  const methods: RepairedMethods = {
    invoke: (input, config) => runRepaired({ tool, options, input, config }, run("invoke")),
  };
  const { call } = tool as { call?: unknown };
  if (typeof call !== "function") return methods;
  return {
    ...methods,
    call: (input, config, tags) => runRepaired({ tool, options, input, config, tags }, run("call")),
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
export function runRepaired(
  given: Invocation,
  run: (use: AcceptedInvocation) => Promise<unknown>,
): Promise<unknown> {
  const goOn = (resolved: ResolvedInvocation): Promise<unknown> =>
    resolved.kind === "run" ? run(resolved.use) : Promise.resolve(resolved.answer);
  const resolved = resolveInvocation(given);
  return resolved instanceof Promise ? resolved.then(goOn) : goOn(resolved);
}
