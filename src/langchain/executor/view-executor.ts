import type { AgentStep } from "@langchain/core/agents";
import { type Callbacks, parseCallbackConfigArg } from "@langchain/core/callbacks/manager";
import type { RunnableConfig } from "@langchain/core/runnables";
import { DynamicTool } from "@langchain/core/tools";
import { EXCEPTIONS, isInputError, ToolInputError } from "../../repair/errors.ts";
import { listenersOf } from "../../repair/events/event.ts";
import { jsonEquals } from "../../repair/json/json-value.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import { parseExactly } from "../../repair/read/parse-exactly.ts";
import { EXCEPTION } from "../../repair/steps.ts";
import type { JsonValue } from "../../repair/types.ts";
import {
  type EntryPoint,
  invokeOriginal,
  type ToolConfig,
  toToolCallInput,
} from "../tool/invoke-original.ts";
import { inheritingView, viewOf } from "../tool/view-of.ts";
import { markReported } from "../tool/wrap-tool.ts";
import type { AgentExecutorLike, ExecutorInternals, ExecutorTool } from "./executor-like.ts";
import { answerInput, prepareAction } from "./prepare-action.ts";
import type { ExecutorIntegrationOptions, Outcome, Run } from "./run.ts";
import { viewAgent } from "./view-agent.ts";

/** The methods that the wrapper takes over. */
type InnerMethods = Pick<ExecutorInternals, "_call" | "_takeNextStep" | "_getToolReturn">;

/** Under this key a wrapper, of whichever copy of toolmend, gives the executor that it wraps. */
export const WRAPPED: unique symbol = Symbol.for("toolmend.wrappedAgentExecutor");

/**
 * Makes the view of an executor whose loop is LangChain's own, run with views of its agent and of
 * its tools that belong to one run each: runs at the same time share nothing. `originals` are inner
 * methods to run in place of the executor's, where the executor is running its own already.
 */
export function viewExecutor(
  given: AgentExecutorLike,
  options: ExecutorIntegrationOptions,
  originals: Partial<InnerMethods> = {},
): AgentExecutorLike {
  const executor = (given as { [WRAPPED]?: AgentExecutorLike })[WRAPPED] ?? given;
  const original = <Name extends keyof InnerMethods>(name: Name): InnerMethods[Name] =>
    originals[name] ?? (executor as unknown as ExecutorInternals)[name];

  /** Begins a run of these tools: returns what LangChain's loop sees of the executor in it. */
  function begin(
    wrapper: ExecutorInternals,
    given: readonly ExecutorTool[],
    signal: AbortSignal | undefined,
  ) {
    // To tell the model is the default, whatever is given: a handler alone is asked.
    const onUnfixable = typeof options.onUnfixable === "function" ? options.onUnfixable : undefined;
    const resolving = { ...options, signal, onUnfixable } as ResolveOptions;
    const run: Run = {
      executor: wrapper,
      options,
      resolving,
      tools: given,
      pending: [],
      steps: [],
    };
    const tools = given.map((tool) => viewTool(tool, run));
    const [_call, _takeNextStep] = [original("_call"), original("_takeNextStep")];
    const loop = { agent: viewAgent(run), tools, _call, _takeNextStep };
    return { run, tools, loop: inheritingView(wrapper, loop) };
  }

  return inheritingView(executor, {
    [WRAPPED]: executor,

    async _call(this: ExecutorInternals, ...given: Parameters<InnerMethods["_call"]>) {
      const [inputs, , config] = given;
      const { run, loop } = begin(this, this.tools, config?.signal ?? inputs?.signal);
      const output = await original("_call").apply(loop, given);
      return "intermediateSteps" in output
        ? output
        : Object.defineProperty(output, "intermediateSteps", { value: run.steps });
    },

    async _takeNextStep(
      this: ExecutorInternals,
      ...[map, ...given]: Parameters<InnerMethods["_takeNextStep"]>
    ) {
      const [inputs, , , config] = given;
      const signal = config?.signal ?? inputs?.signal;
      const { run, tools, loop } = begin(this, Object.values(map), signal);
      // LangChain looks names up in this map whatever it inherits, and has `_Exception` in `invoke` alone.
      const byName: Record<string, ExecutorTool> = Object.create(null);
      for (const tool of tools) byName[tool.name] = tool;
      const observe = { name: EXCEPTION, schema: {}, invoke: observeInstead, call: observeInstead };
      run.onException = () => void Object.defineProperty(byName, EXCEPTION, { value: observe });
      return original("_takeNextStep").call(loop, byName, ...given);
    },

    /** What the model is told of a refused input is not what the run returns. */
    _getToolReturn(this: ExecutorInternals, step: AgentStep) {
      const { valid } = step.action as { valid?: boolean };
      if (valid === false && !options.compat) return Promise.resolve(null);
      return original("_getToolReturn").call(this, step);
    },
  });
}

/**
 * Makes the view of a tool that LangChain's loop is given for one run: it runs the tool with the
 * input that was prepared when the action was planned. What the tool throws or returns is LangChain's.
 */
function viewTool(tool: ExecutorTool, run: Run): ExecutorTool {
  let isAnswered = false;

  const runBy = (entry: EntryPoint) => async (input: unknown, config?: ToolConfig) => {
    // An executor's subclass may run a tool that no plan asked for.
    const unplanned = { tool: tool.name, toolInput: input as string, log: "" };
    const { resolution, action, ...outcome } =
      takeOutcome(run, tool.name, input) ??
      (await prepareAction({ action: unplanned, raw: input }, run));
    isAnswered = resolution.kind !== "run";
    if (resolution.kind === "unknown") return resolution.text;
    if (resolution.kind !== "run") return observeInstead(resolution.text, config);
    const { toolInput, parsed } = resolution;
    const planned = outcome.tool ?? tool;
    let isStarted = false;
    try {
      const given = action.repairs.length === 0 ? toolInput : toToolCallInput(planned, toolInput);
      const marked = outcome.markRun === undefined ? config : outcome.markRun(config);
      return await invokeOriginal(planned, typeof planned.call === "function" ? entry : "invoke", {
        input: given,
        parsed,
        config: markReported(marked, planned, listenersOf(run.options)),
        onStart: () => {
          isStarted = true;
        },
      });
    } catch (error) {
      if (!isRefusalBy(error, { tool: planned, input: toolInput, isStarted })) throw error;
      isAnswered = true;
      action.valid = false;
      if (run.options.compat) throw error;
      return observeInstead(await answerInput(error, run), config);
    }
  };

  return viewOf(tool, {
    invoke: runBy("invoke"),
    call: runBy("call"),
    get returnDirect() {
      return isAnswered && !run.options.compat ? false : tool.returnDirect;
    },
  });
}

/** Takes the outcome for what LangChain hands a tool: objects by identity, other inputs by value. */
function takeOutcome({ pending }: Run, name: string, input: unknown): Outcome | undefined {
  const at = pending.findIndex(
    ({ action }) =>
      action.toolInput === input && String(action.tool).toLowerCase() === name.toLowerCase(),
  );
  return at < 0 ? undefined : pending.splice(at, 1)[0];
}

/**
 * Tells whether an error is a tool's own refusal of its input, and not that of another tool that it
 * called when it ran. A tool may also refuse its input on purpose, in words of its own.
 */
function isRefusalBy(
  error: unknown,
  { tool, input, isStarted }: { tool: ExecutorTool; input: JsonValue; isStarted: boolean },
): error is Error {
  if (ToolInputError.isInstance(error)) return error.toolName === tool.name;
  if (!isInputError(error)) return false;
  if (!error.message.startsWith(EXCEPTIONS.ToolInputParsingException.message ?? "")) return true;
  if (isStarted) return false;
  // LangChain's error says what was refused; a string tool's text stands in an object.
  const given = error.output === undefined ? undefined : parseExactly(error.output);
  return [input, { input }].some((one) => given !== undefined && jsonEquals(given, one));
}

/** LangChain's tool for what is observed in a tool's stead, so that callbacks and traces show a run. */
const EXCEPTION_TOOL = new DynamicTool({
  name: EXCEPTION,
  description: "Exception tool",
  func: async (observation) => observation,
});

/** Observes a text in a tool's stead, as LangChain does: in a run of `_Exception`. */
async function observeInstead(observation: string, config: unknown): Promise<string> {
  const { callbacks } = parseCallbackConfigArg(config as Callbacks | RunnableConfig | undefined);
  await EXCEPTION_TOOL.invoke(observation, { callbacks, runName: "ExceptionTool" });
  return observation;
}
