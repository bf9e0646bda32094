import type { AgentAction, AgentFinish, AgentStep } from "@langchain/core/agents";
import type { CallbackManager } from "@langchain/core/callbacks/manager";
import type { RunnableConfig } from "@langchain/core/runnables";
import { wrongUse } from "../../repair/errors.ts";
import type { ToolLike } from "../../repair/types.ts";
import { nameThing } from "../../repair/usage.ts";

// LangChain's AgentExecutor by its shape, so that those of `langchain` 0.3 and `@langchain/classic`,
// and of any number of copies, are taken alike.

// biome-ignore lint/suspicious/noExplicitAny: it stands where the versions differ
type Any = any;

/** LangChain's `AgentExecutor`, of whichever version. */
export interface AgentExecutorLike {
  agent: Any;
  tools: Any[];
  invoke(input: Any, config?: Any): Promise<Any>;
  stream(input: Any, config?: Any): Promise<Any>;
  batch(inputs: Any[], config?: Any, batchOptions?: Any): Promise<Any>;
}

/** What an agent decided: to finish, or to act. */
export type AgentOutput = AgentAction | AgentAction[] | AgentFinish;

/** An agent: what plans. */
export interface AgentLike {
  plan(
    steps: Any[],
    inputs: unknown,
    callbacks?: CallbackManager,
    config?: RunnableConfig,
  ): Promise<AgentOutput>;
  _agentActionType(): string;
}

/** A tool that an executor holds. */
export interface ExecutorTool extends ToolLike {
  readonly returnDirect?: boolean;
  invoke(input: Any, config?: Any): Promise<Any>;
  call?(input: Any, config?: Any): Promise<Any>;
}

/** What a run is given, of which the wrapper reads the signal. */
type MayAbort = { readonly signal?: AbortSignal } | undefined;

/** The inner methods that the wrapper takes over, and what it reads. */
export interface ExecutorInternals {
  readonly agent: AgentLike;
  readonly tools: readonly ExecutorTool[];
  readonly handleParsingErrors?: boolean | string | ((error: Error) => unknown);
  _call(inputs: MayAbort, runManager?: unknown, config?: MayAbort): Promise<object>;
  _takeNextStep(
    nameToolMap: Record<string, ExecutorTool>,
    inputs: MayAbort,
    steps: Any[],
    runManager?: unknown,
    config?: MayAbort,
  ): Promise<unknown>;
  _getToolReturn(step: AgentStep): Promise<AgentFinish | null>;
}

/** Throws where something is no AgentExecutor; of what else runs agents, the error says what to use. */
export function checkExecutor(given: unknown): void {
  const { agent, tools, _call: run } = (given ?? {}) as Record<string, unknown>;
  if (Array.isArray(tools) && hasFunction(agent, "plan") && typeof run === "function") return;
  throw wrongUse(`wrapAgentExecutor needs an AgentExecutor; this is ${whatRunsInstead(given)}.`);
}

function whatRunsInstead(given: unknown): string {
  const kind = nameThing(given);
  if (kind === "a chat model") return kind;
  if (hasFunction(given, "plan") || hasKey(given, "singleAction")) {
    return "an agent alone: put it in new AgentExecutor({ agent, tools }) first";
  }
  // LangChain's ReactAgent keeps its graph behind a getter of its own class.
  if (hasKey(given, "graph") && !hasFunction(given, "addNode")) {
    return "what createAgent returns: give createAgent the middleware toolInputMiddleware(), of toolmend/middleware";
  }
  if (hasFunction(given, "addNode") || hasFunction(given, "getGraph")) {
    return "a graph or another Runnable: use repairNode, of toolmend/messages, or wrapTools";
  }
  return kind;
}

function hasKey(given: unknown, key: string): given is Record<string, unknown> {
  return given !== null && typeof given === "object" && key in given;
}

function hasFunction(given: unknown, name: string): boolean {
  return hasKey(given, name) && typeof given[name] === "function";
}
