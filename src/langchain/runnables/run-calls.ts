import type { ToolMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { toArgs } from "../calls/args.ts";
import { invokeOriginal } from "../tool/invoke-original.ts";
import { markReported } from "../tool/mark-reported.ts";
import { mustRethrow } from "../tool/must-rethrow.ts";
import { toToolCallInput } from "../tool/to-tool-call-input.ts";
import { unwrapTool } from "../tool/wrap-tool.ts";
import { identity } from "../trace/identity.ts";
import type { ResolvedCall, RunnableCall } from "./resolve-calls.ts";
import { toError } from "./to-error.ts";
import type { ToolChainFailure, ToolChainOptions, ToolChainResult } from "./tool-chain-types.ts";
import { withOldName } from "./with-old-name.ts";

/**
 * Runs the calls that can be run, all at once.
 *
 * @param calls The calls.
 * @param throwOn What is thrown: `"any"`, then what a tool throws is.
 * @param config The config, with the callbacks of the chain.
 * @returns What became of each, in order.
 * @throws Aborts and LangGraph's interrupts, when all tools have ended.
 */
export async function runCalls(
  calls: readonly ResolvedCall[],
  throwOn: ToolChainOptions["throwOn"],
  config: RunnableConfig,
): Promise<ToolChainResult[]> {
  const results = await Promise.all(calls.map((call) => runCall(call, config)));
  const { signal } = config;
  const fatal =
    results.find(({ error }) => error !== undefined && mustRethrow(error, signal)) ??
    (throwOn === "any" ? results.find(isToolFailure) : undefined);
  if (fatal !== undefined) throw fatal.error;
  return results;
}

async function runCall(call: ResolvedCall, config: RunnableConfig): Promise<ToolChainResult> {
  const { id, name } = call;
  if (call.kind !== "run") {
    const { error } = call;
    const observation = call.kind === "observation" ? { observation: call.text } : {};
    const told = { ok: false, id, name, toolInput: call.raw, repairs: [], error } as const;
    return withOldName({ ...told, ...observation }, "input", "toolInput");
  }
  const { toolInput, repairs, nameRepair } = call;
  const result = { id, name, toolInput, repairs, ...(nameRepair && { nameRepair }) };
  const outcome = await runCallTool(call, config).then(
    (output) => ({ ...result, ok: true, output }) as const,
    (thrown: unknown) => ({ ...result, ok: false, error: toError(thrown) }) as const,
  );
  return withOldName(outcome, "input", "toolInput");
}

async function runCallTool(
  { tool, toolInput, parsed, markRun = identity, told, id, name }: RunnableCall,
  config: RunnableConfig,
): Promise<unknown> {
  const configured = markReported(markRun(config), tool, told);
  const run = (input: unknown) =>
    unwrapTool(tool) === tool
      ? invokeOriginal(tool, "invoke", { input, parsed, config: configured })
      : tool.invoke(input, configured);
  const { responseFormat } = tool as { responseFormat?: string };
  if (responseFormat !== "content_and_artifact") {
    return run(toToolCallInput(tool, toolInput));
  }
  const call = { type: "tool_call", id, name, args: toArgs(toolInput) };
  const { content, artifact } = (await run(call)) as ToolMessage;
  return [content, artifact];
}

function isToolFailure(result: ToolChainResult): result is ToolChainFailure {
  return !result.ok && result.observation === undefined;
}
