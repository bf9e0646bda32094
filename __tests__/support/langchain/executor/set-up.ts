import { AgentExecutor, type AgentExecutorInput } from "@langchain/classic/agents";
import { tool } from "@langchain/core/tools";
import { renameKey, wrapValue } from "toolmend/fixers";
import { z } from "zod";
import type { WrapAgentExecutorOptions } from "#src/langchain/executor/run.ts";
import { wrapAgentExecutor } from "#src/langchain/executor/wrap-agent-executor.ts";
import { createFixerRegistry } from "#src/repair/fixers/registry.ts";
import { agentKinds } from "./agents.ts";
import { type Output, ScriptedModel } from "./scripted-model.ts";

export const INPUTS = { input: "buy it", chat_history: [] };

// biome-ignore lint/suspicious/noExplicitAny: steps are asserted by their content
export type Step = { action: any; observation: any };

/** The outcome of a run, whether invoked or streamed. */
export interface Ran {
  readonly output: unknown;
  readonly steps: Step[];
}

/** Runs an executor by `invoke` or in a stream. */
export async function run(
  way: "invoke" | "stream",
  executor: Pick<AgentExecutor, "invoke" | "stream">,
  config: Record<string, unknown> = {},
): Promise<Ran> {
  if (way === "invoke") {
    const { output, intermediateSteps } = await executor.invoke(INPUTS, config);
    return { output, steps: intermediateSteps };
  }
  const steps: Step[] = [];
  let output: unknown;
  for await (const chunk of await executor.stream(INPUTS, config)) {
    if ("output" in chunk) output = chunk.output;
    else steps.push(...chunk.intermediateSteps);
  }
  return { output, steps };
}

/** A tool that records its inputs. */
export function clickTool(name = "click", fields: Record<string, unknown> = {}) {
  const ran: unknown[] = [];
  const click = tool(
    async (input: { selector: string }) => {
      ran.push(input);
      return `clicked ${input.selector}`;
    },
    { name, description: "clicks", schema: z.object({ selector: z.string() }), ...fields },
  );
  return { click, ran };
}

/** The agent of a test; every field has a default. */
export interface SetUp extends Partial<Omit<AgentExecutorInput, "agent" | "tools">> {
  readonly kind?: keyof typeof agentKinds;
  readonly outputs: readonly Output[];
  readonly tools?: readonly { readonly name: string }[];
  readonly options?: WrapAgentExecutorOptions;
  /** LangChain's class, as installed, if no other is given. */
  readonly Executor?: typeof AgentExecutor;
}

/** An executor, bare and wrapped, with a model that writes these outputs. */
export async function setUp({ kind = "createToolCallingAgent", outputs, options, ...rest }: SetUp) {
  const { click, ran } = clickTool();
  const { tools = [click], Executor = AgentExecutor, ...fields } = rest;
  const { make, act, finish } = agentKinds[kind] as (typeof agentKinds)[string];
  const model = new ScriptedModel(outputs);
  const executor = new Executor({
    agent: await make(model, tools),
    tools: [...tools] as never[],
    returnIntermediateSteps: true,
    ...fields,
  });
  const fixers = createFixerRegistry(undefined, { level: "safe" });
  fixers.register("click", renameKey("element", "selector"), wrapValue("selector"));
  const wrapped = wrapAgentExecutor(executor, { fixers, ...options });
  return { model, executor, wrapped, ran, act, finish };
}
