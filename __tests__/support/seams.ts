import { AIMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import {
  createFixerRegistry,
  type EvidenceSink,
  type RepairOptions,
  renameKey,
  repairToolCall,
  type Trace,
  wrapTool,
} from "toolmend";
import { repairAIMessage } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { toolChain } from "toolmend/runnables";
import "@langchain/langgraph"; // which makes configs reach nested runs
import { z } from "zod";
import { run as runExecutor, setUp } from "../langchain/executor/set-up.ts";
import { calling, saying } from "../langchain/middleware/calling-model.ts";
import { ScriptedModel } from "../langchain/runnables/scripted-model.ts";

// An import with a side effect, which is undone until a test wants it.
const { register, unregister } =
  require("../../src/register.ts") as typeof import("../../src/register.ts");
unregister();

/** The id of the call that every seam is given. */
export const CALL_ID = "call_of_the_test";

/** What every seam takes. */
export interface SeamOptions extends Pick<RepairOptions, "onRepair" | "onRefused"> {
  readonly evidence?: readonly EvidenceSink[];
  readonly trace?: Trace;
}

/** One call of the tool `click`, made by way of a seam, within a run of LangChain's. */
export type Seam = (
  args: unknown,
  options: SeamOptions,
  config?: RunnableConfig,
) => Promise<unknown>;

export const fixers = createFixerRegistry();
fixers.register("click", renameKey("element", "selector"));

/** The tool. */
export function clickTool() {
  return tool(async () => "clicked", {
    name: "click",
    description: "Clicks an element.",
    schema: z.strictObject({ selector: z.string() }),
  });
}

/** Runs something as a run of its own; what it refuses is not thrown. */
function within(
  work: (config: RunnableConfig) => Promise<unknown>,
  config: RunnableConfig | undefined,
): Promise<unknown> {
  const quiet = async (_: unknown, inner: RunnableConfig) => {
    await work(inner).catch(() => {});
    return "done";
  };
  return RunnableLambda.from(quiet).withConfig({ runName: "around" }).invoke("go", config);
}

const toolCall = (args: unknown) =>
  ({ type: "tool_call", id: CALL_ID, name: "click", args: args as never }) as const;

/** Every way that a call comes to toolmend, by its name. */
export const seams: Readonly<Record<string, Seam>> = {
  tool: (args, options, config) =>
    within((inner) => wrapTool(clickTool(), fixers, options).invoke(toolCall(args), inner), config),
  executor: async (args, options, config) => {
    const { wrapped } = await setUp({
      outputs: [calling(toolCall(args)), new AIMessage("done")],
      tools: [clickTool()],
      options: { fixers, ...options },
    });
    return runExecutor("invoke", wrapped, { ...config });
  },
  middleware: (args, options, config) => {
    const agent = createAgent({
      model: saying(calling(toolCall(args))),
      tools: [clickTool()],
      middleware: [toolInputMiddleware({ fixers, ...options })],
    });
    return agent.invoke({ messages: [{ role: "user", content: "go" }] }, config);
  },
  messages: (args, options, config) =>
    within(
      () => repairAIMessage(calling(toolCall(args)), [clickTool()], { fixers, ...options }),
      config,
    ),
  runnables: (args, options, config) => {
    const model = new ScriptedModel([toolCall(args)]);
    const chain = toolChain(model, [clickTool()], { fixers, throwOn: "none", ...options });
    return chain.invoke("go", config);
  },
  register: async (args, options, config) => {
    register({ fixers, ...options });
    try {
      return await within((inner) => clickTool().invoke(toolCall(args), inner), config);
    } finally {
      unregister();
    }
  },
  core: (args, { trace: _, ...options }) =>
    repairToolCall({ name: "click", args, id: CALL_ID }, [clickTool()], { fixers, ...options }),
};

/** Those that LangChain runs. */
export const langchainSeams: readonly (readonly [string, Seam])[] = Object.entries(seams).filter(
  ([name]) => name !== "core",
);
