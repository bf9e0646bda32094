import type {
  AgentFinish,
  AgentStep,
  AgentAction as LangChainAction,
} from "@langchain/core/agents";
import type { CallbackManager } from "@langchain/core/callbacks/manager";
import type { BaseMessage } from "@langchain/core/messages";
import type { OutputParserException } from "@langchain/core/output_parsers";
import type { RunnableConfig } from "@langchain/core/runnables";
import { isLike, type ToolInputError } from "../../repair/errors.ts";
import type { MarkRun } from "../../repair/events/event.ts";
import type { FixerRegistry } from "../../repair/fixers/registry.ts";
import type {
  CommonOptions,
  Fixers,
  ResolveOptions,
} from "../../repair/policy.ts";
import type { Unfixable } from "../../repair/result.ts";
import type { ToolAction } from "../../repair/steps.ts";
import type { AgentAction, Repair, ToolLike } from "../../repair/types.ts";
import type { LocatedCall } from "../message/locate.ts";
import type { ReadCall } from "../message/read.ts";
import { isCutOff } from "../message/stop-reason.ts";
import type { TraceOptions } from "../trace/trace.ts";

/**
 * How a wrapped executor repairs, and who decides about what it cannot repair.
 */
export interface WrapAgentExecutorOptions<
  Tools extends readonly ToolLike[] = readonly ToolLike[],
> extends Omit<CommonOptions, "fixers">,
    TraceOptions {
  /**
   * The fixers, by tool name; a registry carries the tools' types to the steps.
   * Default: none.
   */
  readonly fixers?: FixerRegistry<Tools> | Fixers | undefined;
  /**
   * The tools, which only type the steps, if no registry does. A record by
   * their names (`{ click, type }`) also types the steps of `@langchain/core`
   * 0.3, where the type of a tool does not hold its name. Default: steps are
   * not typed by tool.
   */
  readonly tools?: Tools | undefined;
  /**
   * Decides what happens to an input that could not be repaired, and to output
   * without a readable action. For such output the error is LangChain's
   * `OutputParserException`, the causing data is what the model wrote, and a
   * JSON answer names a tool (`{tool, toolInput}`, `{name, args}` or
   * `{action, action_input}`). Default, unless `compat` is `true`:
   * `"tellModel"`. The model reads what is wrong with the input, or the answer
   * of the executor's `handleParsingErrors` if that is a string or a function.
   * Without an answer, `handleParsingErrors` also decides about output without
   * an action.
   */
  readonly onUnfixable?:
    | Unfixable<ToolInputError | OutputParserException>
    | undefined;
  /**
   * Whether an input that could not be repaired is answered as in LangChain:
   * `handleParsingErrors` decides, and without it the run ends with the
   * `ToolInputError`. For a tool that does not exist, `invoke` does not list
   * the tools that do. Default: `false`.
   */
  readonly compat?: boolean | undefined;
}

/** The wrapper's options, as `toolmend/register` gives them, too. */
export type ExecutorIntegrationOptions = WrapAgentExecutorOptions &
  Pick<ResolveOptions, "origin">;

/** What the agent did, as LangChain records it. */
export interface RunStep {
  readonly action: PreparedAction;
  observation: string;
}

/** One run of an executor, or one step of a stream. */
export interface ExecutorRun {
  readonly executor: ExecutorInternals;
  readonly options: ExecutorIntegrationOptions;
  readonly resolving: ResolveOptions;
  readonly tools: readonly ExecutorTool[];
  /** What was planned, until LangChain runs it. */
  readonly pending: ActionOutcome[];
  /** The steps so far: LangChain's own array, which grows. */
  steps: readonly RunStep[];
  /** The inputs and the config that the agent plans with. */
  inputs?: unknown;
  planning?: RunnableConfig | undefined;
  /** What the model wrote last. */
  generation?: CapturedGeneration | undefined;
  /**
   * Called before an observation of ours is planned as a run of `_Exception`.
   */
  onException?: () => void;
}

/** What a model wrote, as LangChain's callbacks show it. */
export interface CapturedGeneration {
  readonly text?: string;
  readonly message?: BaseMessage;
  readonly generationInfo?: Record<string, unknown>;
  /** The messages that the model was asked with. */
  readonly asked?: readonly BaseMessage[];
  /** The prompts, of a model that takes text. */
  readonly prompts?: readonly string[];
}

/** A call as the model wrote it. */
export interface RawCall extends Pick<ReadCall, "name" | "raw" | "truncated"> {
  /** A unique id; none in OpenAI's old `function_call`. */
  readonly id: string | undefined;
  /**
   * Where it stands in the message; not known of calls in `additional_kwargs`
   * alone.
   */
  readonly located?: LocatedCall;
}

/** An action as it was planned, before its input is repaired. */
export interface PlannedAction {
  /** The action as LangChain's parser makes it. */
  readonly action: AgentAction;
  /** What the model wrote as the tool's input. */
  readonly raw: unknown;
  /** The repair that found `raw` in what the model wrote, if it needed one. */
  readonly foundBy?: Repair;
  /** Whether the model's output is known to be cut off in this input. */
  readonly truncated?: boolean;
  /** The call that the action was made of, where the model made one. */
  readonly call?: RawCall;
  /**
   * Whether `raw` is what LangChain parsed, so that a string in it was one for
   * the model too.
   */
  readonly parsed?: boolean;
  /**
   * `false`: `onUnfixable` is not asked, because the action is its own answer.
   */
  readonly ask?: boolean;
}

/** An action as LangChain gets and records it. */
export interface PreparedAction extends Omit<ToolAction, "messageLog"> {
  messageLog?: BaseMessage[];
}

/** What happens to an action when LangChain runs its tool. */
export interface ActionOutcome {
  readonly action: PreparedAction;
  /** The tool; none when no tool has the name. */
  readonly tool?: ExecutorTool;
  /** The answer, if the tool is not run. */
  readonly text?: string;
  /** What the tool runs with, and what its schema made of it. */
  readonly input?: unknown;
  readonly parsed?: unknown;
  /** Marks the run of the tool. */
  readonly markRun?: MarkRun | undefined;
}

/** Whether the provider says that a model's output was cut off. */
export function isGenerationCutOff({
  message,
  generationInfo,
}: CapturedGeneration = {}): boolean {
  return isCutOff(
    message ?? {
      response_metadata: generationInfo ?? {},
      additional_kwargs: {},
    },
  );
}

/** Tells an `OutputParserException` of any copy of core from other errors. */
export const isOutputParserException = (
  error: unknown,
): error is Error & { llmOutput?: string } =>
  error instanceof Error && isLike(error, "OutputParserException");

/** Text unchanged, JSON of anything else; nothing at all is `""`. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === undefined || value === null) return "";
  return JSON.stringify(value) ?? String(value);
}

// LangChain's AgentExecutor by its shape, so that those of `langchain` 0.3 and
// `@langchain/classic`, and of any number of copies, are taken alike.

// biome-ignore lint/suspicious/noExplicitAny: it stands where the versions differ
type Any = any;

/** LangChain's `AgentExecutor`, of any version. */
export interface AgentExecutorLike {
  agent: Any;
  tools: Any[];
  invoke(input: Any, config?: Any): Promise<Any>;
  stream(input: Any, config?: Any): Promise<Any>;
  batch(inputs: Any[], config?: Any, batchOptions?: Any): Promise<Any>;
}

/** What an agent decided: to finish, or to act. */
export type AgentOutput = LangChainAction | LangChainAction[] | AgentFinish;

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
}

/** The input or config of a run; the wrapper reads its signal. */
type MayAbort = { readonly signal?: AbortSignal } | undefined;

/** The inner methods that the wrapper takes over, and what it reads. */
export interface ExecutorInternals {
  readonly agent: AgentLike;
  readonly tools: readonly ExecutorTool[];
  readonly handleParsingErrors?: boolean | string | ((error: Error) => unknown);
  _call(
    inputs: MayAbort,
    runManager?: unknown,
    config?: MayAbort,
  ): Promise<object>;
  _takeNextStep(
    nameToolMap: Record<string, ExecutorTool>,
    inputs: MayAbort,
    steps: Any[],
    runManager?: unknown,
    config?: MayAbort,
  ): Promise<unknown>;
  _getToolReturn(step: AgentStep): Promise<AgentFinish | null>;
}
