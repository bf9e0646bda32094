import type { RunnableConfig } from "@langchain/core/runnables";
import { wrongUse } from "../../repair/errors/likeness.ts";
import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import type { NotRegistry } from "../../repair/policy.ts";
import { compileSchema } from "../../repair/schema/compile-schema.ts";
import { checkOptions, checkTool, checkToolList } from "../../repair/usage.ts";
import { readSelfCorrect } from "../correct/options.ts";
import type { Progress } from "../correct/run-corrections.ts";
import type { InvocableTool } from "../tool/invocable-tool.ts";
import { assertCallsTools } from "./ask-model.ts";
import { completeCalls, errorsOf } from "./complete-calls.ts";
import { namedLambda } from "./named-lambda.ts";
import { prependHistory } from "./prepend-history.ts";
import type { ResolvedCall } from "./resolve-calls.ts";
import { runCalls } from "./run-calls.ts";
import {
  TOOL_CHAIN_USAGE,
  type ToolCallingModel,
  type ToolChain,
  type ToolChainOptions,
  type ToolChainResult,
  type ToolChainSpec,
} from "./tool-chain-types.ts";

/**
 * Creates a chain that asks a model, repairs the tool calls that it makes, one or many, and runs them
 * at once. What cannot be repaired goes through the remedies that are given, in this order:
 * `onUnfixable`, self-correction, the fallback models; then it is thrown. No tool is run before every
 * call is settled.
 *
 * @param model A chat model that can call tools; without tools bound to it.
 * @param tools The tools. Their wrappers, made by `wrapTool`, keep their registry and options where
 * the chain is given no others.
 * @param options How to repair, and the remedies. Default: repair by the schemas alone, then throw.
 * @returns A Runnable: from a text, messages or a prompt value to the results in the order of the
 * calls, typed by the tools. Where the model calls no tool, there are none.
 * @throws TypeError when the model cannot be bound to tools, a tool has no name or no schema of a
 * known kind, or two have one name. When invoked: `ToolInputError`, as `throwOn` says; LangGraph's
 * interrupts, aborts, and what the model throws.
 * @example
 * ```ts
 * const chain = toolChain(model, tools, { fixers, selfCorrect: { maxAttempts: 2 } });
 * const [result] = await chain.invoke("Buy it.");
 * if (result?.ok) console.log(result.name, result.output); // click clicked #buy
 * ```
 */
export function toolChain<const Tools extends readonly InvocableTool[]>(
  model: ToolCallingModel,
  tools: Tools,
  options: ToolChainOptions & NotRegistry = {},
): ToolChain<Tools> {
  checkOptions(options, TOOL_CHAIN_USAGE);
  const spec: ToolChainSpec = { ...options, model, tools };
  assertSound(spec);
  const chain = namedLambda<unknown, ToolChainResult[]>("toolChain", (input, config) =>
    runToolChain(input, spec, config),
  );
  return chain as unknown as ToolChain<Tools>;
}

async function runToolChain(
  input: unknown,
  spec: ToolChainSpec,
  config: RunnableConfig,
): Promise<ToolChainResult[]> {
  const { fallbackWhen = () => true, throwOn = "input" } = spec;
  const progress: Progress = { attempt: 0, totalUsage: undefined };
  const earlier: ToolInputError[] = [];
  const models = [spec.model, ...(spec.fallbacks ?? [])];
  for (const [index, model] of models.entries()) {
    const calls = await completeCalls({ model, input, spec, progress, config });
    const errors = errorsOf(calls);
    const [error] = errors;
    const isLast = index === models.length - 1 || (error !== undefined && !fallbackWhen(error));
    if (error === undefined || (isLast && throwOn === "none")) {
      return runCalls(calls, throwOn, config);
    }
    if (isLast && spec.onUnfixable === "tellModel") {
      return runCalls(calls.map(tellModel), throwOn, config);
    }
    if (isLast) throw prependHistory(error, [...earlier, ...errors.slice(1)]);
    earlier.push(...errors);
  }
  return [];
}

/** A refused call is answered in the tool's stead. */
function tellModel(call: ResolvedCall): ResolvedCall {
  if (call.kind !== "refused") return call;
  return { ...call, kind: "observation", text: call.error.toModelMessage() };
}

function assertSound({ model, fallbacks = [], tools, selfCorrect }: ToolChainSpec): void {
  checkToolList(tools, "toolChain(model, tools, options)");
  for (const one of [model, ...fallbacks]) assertCallsTools(one);
  readSelfCorrect(selfCorrect);
  const names = new Set<string>();
  for (const tool of tools) {
    checkTool(tool, "toolChain(model, tools, options)");
    const { name, schema } = tool;
    if (names.has(name)) throw wrongUse(`toolChain was given two tools named "${name}".`);
    names.add(name);
    compileSchema(schema);
  }
}
