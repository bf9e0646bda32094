import type { IterableReadableStream } from "@langchain/core/utils/stream";
import { checkFixers } from "../../repair/fixers/check-fixers.ts";
import {
  aHandler,
  COMMON_CHECKS,
  type NotRegistry,
} from "../../repair/policy.ts";
import type { TypedAgentStep } from "../../repair/steps.ts";
import type { ToolLike } from "../../repair/types.ts";
import {
  aBoolean,
  anArray,
  anObject,
  type Checks,
  checkOptions,
  either,
  nameThing,
  type OptionsUsage,
} from "../../repair/usage.ts";
import { aTrace } from "../trace/trace.ts";
import type {
  AgentExecutorLike,
  ExecutorInternals,
  WrapAgentExecutorOptions,
} from "./run.ts";
import { viewExecutor } from "./view-executor.ts";

const USAGE: OptionsUsage = {
  of: "wrapAgentExecutor",
  example: "wrapAgentExecutor(executor, { fixers })",
  checks: {
    ...COMMON_CHECKS,
    trace: aTrace,
    tools: either(anArray, anObject),
    onUnfixable: aHandler,
    compat: aBoolean,
  } satisfies Checks<WrapAgentExecutorOptions>,
};

/** The tools of a record as a list: each has the name that it has there. */
export type NamedTools<Tools extends Readonly<Record<string, ToolLike>>> =
  readonly {
    [Name in keyof Tools & string]: ToolLike<Name, Tools[Name]["schema"]>;
  }[keyof Tools & string][];

/** The output of a run. */
export type TypedAgentOutput<Tools extends readonly ToolLike[]> = Record<
  string,
  unknown
> & {
  // biome-ignore lint/suspicious/noExplicitAny: an agent may be made to return anything
  readonly output: any;
  /**
   * What the agent did. Enumerable where the executor has
   * `returnIntermediateSteps`; else only to be asked for, so that the output is
   * the same as before.
   */
  readonly intermediateSteps: TypedAgentStep<Tools>[];
};

/** What a stream yields: steps, then the output. */
export type TypedAgentChunk<Tools extends readonly ToolLike[]> = Partial<
  TypedAgentOutput<Tools>
>;

type Config<
  Method extends "invoke" | "stream" | "batch",
  Executor extends AgentExecutorLike,
> = Parameters<Executor[Method]>[1];

type Input<Executor extends AgentExecutorLike> = Parameters<
  Executor["invoke"]
>[0];

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
 * Wraps an `AgentExecutor` (of `@langchain/classic`, or `langchain` up to 0.3)
 * so that the inputs its agent plans are repaired before they are announced,
 * run and recorded; the steps, the callbacks and the model's next prompt show
 * the repaired input. Calls and actions that LangChain's parsers drop or reject
 * are repaired, too.
 *
 * LangChain's own loop runs. Errors and results of tools, `maxIterations`,
 * `returnDirect`, early stopping, memory and callbacks work as before.
 *
 * @param executor The executor, which does not change. Wrapping a wrapper
 *   replaces the options. Tools wrapped by `wrapTool` get inputs that are
 *   already repaired: pass the registry here.
 * @param options Fixers, level, limits and handlers. Default: repair by the
 *   schemas alone.
 * @returns The wrapper, with the same methods.
 * @throws TypeError for a wrong use: what is not an executor, an unknown
 *   option, a value that an option cannot have.
 * @example
 * ```ts
 * const repairing = wrapAgentExecutor(executor, { fixers });
 * const { output, intermediateSteps } = await repairing.invoke({ input: "Buy it." });
 * ```
 */
export function wrapAgentExecutor<
  const Executor extends AgentExecutorLike,
  const Tools extends readonly ToolLike[] = readonly ToolLike[],
>(
  executor: Executor,
  options?: WrapAgentExecutorOptions<Tools> & NotRegistry,
): WrappedAgentExecutor<Tools, Executor>;
/**
 * The same, with steps typed by a record of the tools by their names. This also
 * works with `@langchain/core` 0.3, where the type of a tool does not hold its
 * name.
 *
 * @param executor The executor, which does not change.
 * @param options Fixers, level, limits and handlers, and the tools by their
 *   names.
 * @returns The wrapper, with the same methods.
 * @throws TypeError for a wrong use, as above, and for a tool under another
 *   name.
 * @example
 * ```ts
 * const repairing = wrapAgentExecutor(executor, { fixers, tools: { click } });
 * const { intermediateSteps } = await repairing.invoke({ input: "Buy it." });
 * for (const { action } of intermediateSteps) {
 *   if (action.tool === "click" && action.valid) console.log(action.toolInput.selector); // #buy
 * }
 * ```
 */
export function wrapAgentExecutor<
  const Executor extends AgentExecutorLike,
  const Tools extends Readonly<Record<string, ToolLike>>,
>(
  executor: Executor,
  options: Omit<WrapAgentExecutorOptions, "tools"> & {
    readonly tools: Tools;
  } & NotRegistry,
): WrappedAgentExecutor<NamedTools<Tools>, Executor>;
export function wrapAgentExecutor(
  executor: AgentExecutorLike,
  options: Omit<WrapAgentExecutorOptions, "tools"> & {
    readonly tools?: object | undefined;
  } = {},
): AgentExecutorLike {
  checkExecutor(executor);
  checkOptions(options, USAGE);
  const { tools: agentTools } = executor as unknown as ExecutorInternals;
  checkFixers("wrapAgentExecutor", options.fixers, agentTools);
  const { tools = [], ...repairing } = options;
  if (!Array.isArray(tools))
    checkNames(tools as Readonly<Record<string, ToolLike>>);
  return viewExecutor(executor, repairing);
}

/**
 * Throws for anything but an AgentExecutor, and says what to use with other
 * agents.
 */
function checkExecutor(executor: unknown): void {
  const {
    agent,
    tools,
    _call: run,
  } = Object(executor) as Partial<ExecutorInternals>;
  if (
    Array.isArray(tools) &&
    typeof agent?.plan === "function" &&
    run !== undefined
  )
    return;
  throw new TypeError(
    `wrapAgentExecutor needs an AgentExecutor; this is ${nameThing(executor)}. An agent goes into new AgentExecutor({ agent, tools }) ` +
      "first; createAgent takes toolInputMiddleware, of toolmend/middleware; a graph, repairNode, of toolmend/messages.",
  );
}

/** In a record, each tool has its own name: the types of the steps go by it. */
function checkNames(tools: Readonly<Record<string, ToolLike>>): void {
  for (const [name, tool] of Object.entries(tools)) {
    if (tool?.name === name) continue;
    throw new TypeError(
      `"tools" of wrapAgentExecutor has the tool "${tool?.name}" as "${name}". Write { ${tool?.name}: … }.`,
    );
  }
}
