import { AgentExecutor, createToolCallingAgent } from "@langchain/classic/agents";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { type RunnableConfig, RunnableLambda } from "@langchain/core/runnables";
import { fakeModel } from "@langchain/core/testing";
import { type StructuredTool, tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import {
  normalizeIntermediateSteps,
  type RepairOptions,
  repairToolCall,
  repairToolInput,
  type WrapAgentExecutorOptions,
  type WrapToolOptions,
  wrapAgentExecutor,
  wrapTool,
  wrapTools,
} from "toolmend";
import { repairToolInputSync } from "toolmend/core";
import { type McpOptions, repairCalls } from "toolmend/mcp";
import { type RepairMessageOptions, repairNode, repairToolCalls } from "toolmend/messages";
import { type ToolInputMiddlewareOptions, toolInputMiddleware } from "toolmend/middleware";
import { register, unregister } from "#src/langchain/register/register.ts";
import type { RegisterOptions } from "#src/langchain/register/registrations.ts";
import "@langchain/langgraph"; // which makes configs reach nested runs
import { z } from "zod";

/** The options of every wrapper, by their types: a new option of all is one of these. */
export type CommonKey = keyof RepairOptions &
  keyof WrapToolOptions &
  keyof WrapAgentExecutorOptions &
  keyof RepairMessageOptions &
  keyof RegisterOptions;

/** The options of every wrapper that LangChain runs. */
export type LangChainKey = keyof WrapToolOptions &
  keyof WrapAgentExecutorOptions &
  keyof ToolInputMiddlewareOptions &
  keyof RegisterOptions;

/** The same for wrappers whose handlers also receive text. */
export type ProbedOptions = Pick<RegisterOptions, CommonKey | LangChainKey>;

/** Makes one call of `click` through a wrapper with these options, and returns the tool's input. */
interface Call {
  readonly args: Record<string, unknown>;
  readonly options: ProbedOptions;
  readonly config: RunnableConfig;
  /** The tool, which records its inputs. */
  readonly click: StructuredTool;
  /** Records the input that would run, for wrappers that run nothing. */
  readonly note: (toolInput: unknown) => void;
}

interface Wrapper {
  readonly run: (call: Call) => Promise<unknown>;
  /** Options that this wrapper has and the others do not; each has its own tests. */
  readonly own?: readonly string[];
  /** Options of all others that this wrapper does not take. */
  readonly lacks?: readonly (CommonKey | LangChainKey)[];
  /** Options that must have no effect. */
  readonly ignores?: readonly (CommonKey | LangChainKey)[];
}

const ID = "call_1";
const asCall = (args: Record<string, unknown>) =>
  ({ type: "tool_call", id: ID, name: "click", args }) as const;
const asking = (args: Record<string, unknown>) =>
  new AIMessage({ content: "", tool_calls: [asCall(args)] });
const modelOf = (args: Record<string, unknown>) =>
  fakeModel().respond(asking(args)).respond(new AIMessage("done"));

/** Records the runnable calls of a message. */
function noteCalls(message: unknown, note: Call["note"]): void {
  const { tool_calls = [] } = message as AIMessage;
  for (const { args } of tool_calls) note(args);
}

/** Calls a tool of a server of MCP, whose transport repairs, and notes what the server receives. */
async function callThroughMcp(
  { name, schema, metadata }: StructuredTool,
  args: Record<string, unknown>,
  options: ProbedOptions,
  note: Call["note"],
): Promise<void> {
  const inputSchema = z.toJSONSchema(schema as z.ZodType, { io: "input" });
  const { annotations } = Object(metadata);
  const result = { tools: [{ name, inputSchema, annotations }] };
  const transport = {
    onmessage: undefined as ((message: object) => void) | undefined,
    send: async (_message?: object) => {},
  };
  const repairing = repairCalls(transport, "server", options as McpOptions);
  const served = new Promise<void>((resolve) => {
    transport.send = async () => resolve();
    repairing.onmessage = (message: { id?: unknown; method?: string; params?: Called }) => {
      if (message.method === "tools/list") void repairing.send({ id: message.id, result } as never);
      else resolve(note(message.params?.arguments));
    };
  });
  transport.onmessage?.({ id: ID, method: "tools/call", params: { name, arguments: args } });
  await served;
}

interface Called {
  readonly arguments?: unknown;
}

const perCall = [
  ...["action", "toolCall", "truncated", "parsed", "explain", "signal"],
  ...["origin", "use"], // __tests__/fast/repair/events/origin-and-use.test.ts
];
const ofMessages = ["rescueTextToolCalls"];

/** Options of those that run tools, which a wrapper that runs none does not take. */
const ofRuns = ["onUnfixable", "trace"] as const;

/** Every function that takes the common options, by its name. */
export const wrappers: Readonly<Record<string, Wrapper>> = {
  wrapTool: {
    run: ({ click, options, args, config }) =>
      wrapTool(click, options).invoke(asCall(args), config),
  },
  wrapTools: {
    run: async ({ click, options, args, config }) =>
      wrapTools([click], options)[0]?.invoke(asCall(args), config),
  },
  wrapAgentExecutor: {
    own: ["tools", "compat"],
    run: ({ click, options, args, config }) => {
      const tools = [click];
      const prompt = ChatPromptTemplate.fromMessages([
        ["human", "{input}"],
        ["placeholder", "{agent_scratchpad}"],
      ]);
      const agent = createToolCallingAgent({ llm: modelOf(args), tools, prompt });
      const executor = new AgentExecutor({ agent, tools });
      return wrapAgentExecutor(executor, options).invoke({ input: "go" }, config);
    },
  },
  toolInputMiddleware: {
    own: [...ofMessages, "tools", "selfCorrect", "humanInTheLoop", "toolErrors"],
    lacks: ["objectAsText", "undeclaredKeys", "edits", "limits"],
    run: ({ click, options, args, config }) => {
      const middleware = [toolInputMiddleware(options)];
      const agent = createAgent({ model: modelOf(args), tools: [click], middleware });
      return agent.invoke({ messages: [new HumanMessage("go")] }, config);
    },
  },
  repairNode: {
    own: [...ofMessages, "signal"],
    run: async ({ click, options, args, note }) => {
      const { messages } = await repairNode([click], options)({ messages: [asking(args)] });
      if (messages.some((message) => message.getType() === "tool")) return;
      noteCalls(messages[0] ?? asking(args), note);
    },
  },
  repairToolCall: {
    own: perCall,
    lacks: ofRuns,
    run: async ({ click, options, args, note }) => {
      const result = await repairToolCall(asCall(args), [click], options as RepairOptions);
      if (result.ok) note(result.toolInput);
    },
  },
  repairToolInput: {
    own: perCall,
    lacks: ofRuns,
    run: async ({ click, options, args, note }) => {
      const result = await repairToolInput(args, click, options as RepairOptions);
      if (result.ok) note(result.toolInput);
    },
  },
  repairToolInputSync: {
    own: perCall,
    lacks: ofRuns,
    run: async ({ click, options, args, note }) => {
      const result = repairToolInputSync(args, click, options as RepairOptions);
      if (result.ok) note(result.toolInput);
    },
  },
  normalizeIntermediateSteps: {
    own: perCall,
    lacks: ofRuns,
    run: async ({ click, options, args, note }) => {
      const steps = [{ action: { tool: "click", toolInput: args, log: "" }, observation: "" }];
      const given = options as RepairOptions & { onUnfixable?: undefined };
      const [step] = await normalizeIntermediateSteps(steps, [click], given);
      if (step?.action.valid) note(step.action.toolInput);
    },
  },
  repairCalls: {
    own: ["origin", "rejections", "listTimeoutMs"],
    lacks: ofRuns,
    run: ({ click, options, args, note }) => callThroughMcp(click, args, options, note),
  },
  register: {
    own: ["from"],
    run: async ({ click, options, args, config }) => {
      register(options);
      try {
        return await click.invoke(asCall(args), config);
      } finally {
        unregister();
      }
    },
  },
  repairToolCalls: {
    own: [...ofMessages, "signal", "history"],
    run: async ({ click, options, args, config, note }) =>
      noteCalls(await repairToolCalls([click], options).invoke(asking(args), config), note),
  },
};

/** The outcome of a call. */
export interface Ran {
  /** The tool's input, run or to be run. */
  readonly inputs: readonly unknown[];
  /** The toolmend events that a trace of the run shows. */
  readonly shown: readonly string[];
}

/** Makes one call through a wrapper, within a LangChain run. `metadata` is the tool's. */
export async function runBy(
  { run }: Wrapper,
  args: Record<string, unknown>,
  options: ProbedOptions,
  metadata?: Record<string, unknown>,
): Promise<Ran> {
  const inputs: unknown[] = [];
  const shown: string[] = [];
  const note = (input: unknown) => void inputs.push(input);
  const noteAndClick = async (input: unknown) => {
    note(input);
    return "clicked";
  };
  const click = tool(noteAndClick, {
    name: "click",
    description: "Clicks an element.",
    schema: z.object({ selector: z.string(), times: z.int().optional() }),
    ...(metadata && { metadata }),
  }) as unknown as StructuredTool;
  const handler = { handleCustomEvent: (name: string) => void shown.push(name) };
  const outer = RunnableLambda.from(async (_: string, config: RunnableConfig) => {
    await run({ args, options, config, click, note }).catch(() => {});
  });
  await outer.invoke("go", { callbacks: [handler as never] });
  return { inputs, shown };
}
