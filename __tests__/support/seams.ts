import { AIMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { RunnableLambda } from "@langchain/core/runnables";
import { type StructuredTool, tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import {
  createFixerRegistry,
  type FixerRegistry,
  type RepairOptions,
  repairToolCall,
  wrapTool,
} from "toolmend";
import { renameKey } from "toolmend/fixers";
import { toolInputMiddleware } from "toolmend/middleware";
import type { Trace } from "#src/langchain/trace/trace.ts";
import { repairMessage } from "./langchain/message/repair-message.ts";
import "@langchain/langgraph"; // which makes configs reach nested runs
import { z } from "zod";
import { run as runExecutor, setUp } from "./langchain/executor/set-up.ts";
import { calling, saying, unreadable } from "./langchain/middleware/calling-model.ts";

// An import with a side effect, which is undone until a test wants it.
const { register, unregister } = require("#src/register.ts") as typeof import("#src/register.ts");
unregister();

/** The id of the call that every seam is given. */
export const CALL_ID = "call_of_the_test";

/** What every seam takes. */
export interface SeamOptions extends Pick<RepairOptions, "onToolCall"> {
  readonly onUnfixable?: () => string | { selector: string };
  readonly trace?: Trace;
}

/** What is called, and how it is repaired. */
export interface Called {
  /** The name that the model calls the tool by. */
  readonly name: string;
  readonly makeTool: () => StructuredTool;
  readonly fixers: FixerRegistry;
}

/** One call of a tool, `click` if no other is given, made by way of a seam, within a run of LangChain's. */
export type Seam = (
  args: unknown,
  options: SeamOptions,
  config?: RunnableConfig,
  called?: Called,
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

/** Runs something as a run of its own; what it rejects is not thrown. */
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

/** A model's message with the call; text is what LangChain could not read. */
const asking = (args: unknown, name: string) =>
  typeof args === "string"
    ? unreadable({ name, args, id: CALL_ID })
    : calling(toolCall(args, name));

const toolCall = (args: unknown, name: string) =>
  ({ type: "tool_call", id: CALL_ID, name, args: args as never }) as const;

const CLICK: Called = { name: "click", makeTool: clickTool as () => never, fixers };

/** Every way that a call comes to toolmend, by its name. */
export const seams: Readonly<Record<string, Seam>> = {
  tool: (args, options, config, { name, makeTool, fixers } = CLICK) =>
    within(
      (inner) => wrapTool(makeTool(), { fixers, ...options }).invoke(toolCall(args, name), inner),
      config,
    ),
  executor: async (args, options, config, { name, makeTool, fixers } = CLICK) => {
    const { wrapped } = await setUp({
      outputs: [asking(args, name), new AIMessage("done")],
      tools: [makeTool()],
      options: { fixers, ...options },
    });
    return runExecutor("invoke", wrapped, { ...config });
  },
  middleware: (args, options, config, { name, makeTool, fixers } = CLICK) => {
    const agent = createAgent({
      model: saying(asking(args, name)),
      tools: [makeTool()],
      middleware: [toolInputMiddleware({ fixers, ...options })],
    });
    return agent.invoke({ messages: [{ role: "user", content: "go" }] }, config);
  },
  messages: (args, options, config, { name, makeTool, fixers } = CLICK) =>
    within(() => repairMessage(asking(args, name), [makeTool()], { fixers, ...options }), config),
  register: async (args, options, config, { name, makeTool, fixers } = CLICK) => {
    register({ fixers, ...options });
    try {
      return await within((inner) => makeTool().invoke(toolCall(args, name), inner), config);
    } finally {
      unregister();
    }
  },
  core: (
    args,
    { trace: _, onUnfixable: __, ...options },
    ___,
    { name, makeTool, fixers } = CLICK,
  ) => repairToolCall({ name, args, id: CALL_ID }, [makeTool()], { fixers, ...options }),
};

/** Those that LangChain runs. */
export const langchainSeams: readonly (readonly [string, Seam])[] = Object.entries(seams).filter(
  ([name]) => name !== "core",
);
