import type { AgentAction, AgentFinish } from "@langchain/core/agents";
import type { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { ToolLike } from "../../repair/types.ts";

// LangChain's AgentExecutor by its shape, so that those of `langchain` 0.3 and `@langchain/classic`,
// and of any number of copies, are taken alike. `any` stands where the versions differ.

/** What an agent decided: to finish, or to act. */
export type AgentOutput = AgentAction | AgentAction[] | AgentFinish;

/** A callback manager, as far as plan's is needed. */
export interface CallbackManagerLike {
  copy(handlers: BaseCallbackHandler[], inherit?: boolean): CallbackManagerLike;
}

/** An agent: what plans. */
export interface AgentLike {
  // biome-ignore lint/suspicious/noExplicitAny: see above
  plan(steps: any[], inputs: any, callbackManager?: any, config?: any): Promise<AgentOutput>;
  _agentActionType(): string;
}

/** A tool that an executor holds. */
export interface ExecutorTool extends ToolLike {
  readonly returnDirect?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  invoke(input: any, config?: any): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  call?(input: any, config?: any): Promise<any>;
}

/** LangChain's `AgentExecutor`, of whichever version. */
export interface AgentExecutorLike {
  // biome-ignore lint/suspicious/noExplicitAny: see above
  agent: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  tools: any[];
  // biome-ignore lint/suspicious/noExplicitAny: see above
  handleParsingErrors?: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  handleToolRuntimeErrors?: any;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  invoke(input: any, config?: any): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  stream(input: any, config?: any): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: see above
  batch(inputs: any[], config?: any, batchOptions?: any): Promise<any>;
}

/** The inner methods that the wrapper takes over. */
export interface ExecutorInternals {
  readonly agent: AgentLike;
  readonly tools: readonly ExecutorTool[];
  readonly handleParsingErrors?: HandleParsingErrors;
  readonly handleToolRuntimeErrors?: (error: Error) => unknown;
  _call(inputs: unknown, runManager?: unknown, config?: RunConfig): Promise<object>;
  _takeNextStep(
    nameToolMap: Record<string, ExecutorTool>,
    inputs: unknown,
    steps: unknown[],
    runManager?: unknown,
    config?: RunConfig,
  ): Promise<unknown>;
  _getToolReturn(step: { action: AgentAction; observation: string }): Promise<AgentFinish | null>;
}

/** LangChain's option of that name. */
export type HandleParsingErrors = boolean | string | ((error: Error) => unknown) | undefined;

/** The part of a run's config that the wrapper reads. */
export interface RunConfig {
  readonly signal?: AbortSignal;
}
