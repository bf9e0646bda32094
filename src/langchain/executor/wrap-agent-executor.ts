import type { IterableReadableStream } from "@langchain/core/utils/stream";
import type { NotRegistry } from "../../repair/policy.ts";
import type { TypedAgentStep } from "../../repair/steps.ts";
import type { ToolLike } from "../../repair/types.ts";
import { checkOptions } from "../../repair/usage.ts";
import { checkExecutor } from "./check-executor.ts";
import type { AgentExecutorLike } from "./executor-like.ts";
import { WRAP_EXECUTOR_USAGE, type WrapAgentExecutorOptions } from "./options.ts";
import { viewExecutor } from "./view-executor.ts";

/** The output of a run. */
export type TypedAgentOutput<Tools extends readonly ToolLike[]> = Record<string, unknown> & {
  // biome-ignore lint/suspicious/noExplicitAny: an agent may be made to return anything
  readonly output: any;
  /**
   * What the agent did. Enumerable where the executor has `returnIntermediateSteps`; else only to
   * be asked for, so that the output is the same as before.
   */
  readonly intermediateSteps: TypedAgentStep<Tools>[];
};

/** What a stream yields: steps, then the output. */
export type TypedAgentChunk<Tools extends readonly ToolLike[]> = Record<string, unknown> & {
  // biome-ignore lint/suspicious/noExplicitAny: an agent may be made to return anything
  readonly output?: any;
  readonly intermediateSteps?: TypedAgentStep<Tools>[];
};

type Config<
  Method extends "invoke" | "stream" | "batch",
  Executor extends AgentExecutorLike,
> = Parameters<Executor[Method]>[1];

type Input<Executor extends AgentExecutorLike> = Parameters<Executor["invoke"]>[0];

/** The executor, with results whose steps are typed by the tools. */
export type WrappedAgentExecutor<
  Tools extends readonly ToolLike[],
  Executor extends AgentExecutorLike = AgentExecutorLike,
> = {
  invoke(
    input: Input<Executor>,
    config?: Config<"invoke", Executor>,
  ): Promise<TypedAgentOutput<Tools>>;
  stream(
    input: Input<Executor>,
    config?: Config<"stream", Executor>,
  ): Promise<IterableReadableStream<TypedAgentChunk<Tools>>>;
  batch(
    inputs: Input<Executor>[],
    config?: Config<"batch", Executor>,
    batchOptions?: { returnExceptions?: false },
  ): Promise<TypedAgentOutput<Tools>[]>;
} & Executor;

/**
 * Wraps an `AgentExecutor` (of `@langchain/classic`, or `langchain` up to 0.3) so that the inputs
 * its agent plans are repaired before they are announced, run and recorded; the steps, the callbacks
 * and the model's next prompt show the repaired input. LangChain's own loop runs, so that
 * `maxIterations`, `returnDirect`, early stopping, memory and callbacks do what they did.
 *
 * Nothing is silent: what LangChain swallows or drops is repaired, observed or thrown; see
 * `keepLangChain` to have its ways back.
 *
 * @param executor The executor; it stays as it was. Wrapping a wrapper replaces the options. Tools
 * wrapped by `wrapTool` are handed inputs that are repaired already: give the registry here.
 * @param options Fixers, level, limits and handlers. Default: repair by the schemas alone.
 * @returns The wrapper, with the same methods.
 * @throws TypeError for a wrong use: what is not an executor, an unknown option, a value that an
 * option cannot have.
 * @example
 * ```ts
 * const mended = wrapAgentExecutor(executor, { fixers });
 * const { output, intermediateSteps } = await mended.invoke({ input: "Buy it." });
 * ```
 */
export function wrapAgentExecutor<
  const Executor extends AgentExecutorLike,
  const Tools extends readonly ToolLike[] = readonly ToolLike[],
>(
  executor: Executor,
  options: WrapAgentExecutorOptions<Tools> & NotRegistry = {},
): WrappedAgentExecutor<Tools, Executor> {
  checkExecutor(executor);
  checkOptions(options, WRAP_EXECUTOR_USAGE);
  const wrapped = viewExecutor(executor, options as WrapAgentExecutorOptions);
  return wrapped as WrappedAgentExecutor<Tools, Executor>;
}
