import type { AgentStep } from "@langchain/core/agents";
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import {
  CallbackManager,
  type Callbacks,
  parseCallbackConfigArg,
} from "@langchain/core/callbacks/manager";
import type { RunnableConfig } from "@langchain/core/runnables";
import { DynamicTool } from "@langchain/core/tools";
import { loadOnce } from "../../repair/drive.ts";
import { EXCEPTIONS, isInputError, ToolInputError } from "../../repair/errors.ts";
import { emitCorrections } from "../../repair/events/emit.ts";
import { listenersOf } from "../../repair/events/event.ts";
import { jsonEquals } from "../../repair/json/json-value.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import { parseExactly } from "../../repair/read/parse-exactly.ts";
import { EXCEPTION } from "../../repair/steps.ts";
import type { JsonValue } from "../../repair/types.ts";
import { saveStopInfo } from "../message/read.ts";
import {
  type EntryPoint,
  invokeOriginal,
  type ToolConfig,
  toToolCallInput,
} from "../tool/invoke.ts";
import { inheritingView, viewOf } from "../tool/view-of.ts";
import { markReported } from "../tool/wrap-tool.ts";
import { planCalls, rawCallsOf, rewriteHistory } from "./calls.ts";
import { answerInput, originOfRun, prepareAction, toText } from "./prepare-action.ts";
import {
  type AgentExecutorLike,
  type AgentLike,
  type AgentOutput,
  type CapturedGeneration,
  type ExecutorIntegrationOptions,
  type ExecutorInternals,
  type ExecutorTool,
  isOutputParserException,
  type Outcome,
  type Plan,
  type PlannedAction,
  type PlannedActions,
  type Run,
  type RunStep,
} from "./run.ts";
import { planText, viewPlanner } from "./text.ts";

/** What few runs need: the readers of text that the agent's own parser refused. */
const loadReaders = loadOnce(() => import("./read-action.ts"));

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
  if (!error.message.startsWith(EXCEPTIONS.ToolInputParsingException.message)) return true;
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

type PlanArguments = Parameters<AgentLike["plan"]>;

/**
 * Makes the view of an agent that LangChain's loop is given for one run: its `plan` hands out
 * actions whose inputs are repaired, and reads what the agent's parser refused or dropped.
 */
function viewAgent(run: Run): AgentLike {
  async function plan(...args: PlanArguments): Promise<AgentOutput> {
    const [steps, inputs, callbacks, config] = args;
    // LangChain hands the callbacks of the run on apart.
    const planning = callbacks ? { ...config, callbacks } : config;
    Object.assign(run, { steps, inputs, planning, generation: undefined });
    if (!run.options.compat) tellWhichTools(steps, run);
    const planned = await planOnce(args, run);
    const handedOut = planned.output ?? (await prepareActions(planned, run));
    const isException = (one: object) => "tool" in one && one.tool === EXCEPTION;
    if ([handedOut].flat().some(isException)) run.onException?.();
    return handedOut;
  }
  return viewOf(run.executor.agent, { plan });
}

/** LangChain answers a call of a tool that does not exist by itself, and names no tools in `invoke`. */
function tellWhichTools(steps: RunStep[], { pending }: Run): void {
  for (const step of steps) {
    const at = pending.findIndex(({ action }) => action === step.action);
    const resolution = pending[at]?.resolution;
    if (resolution?.kind !== "unknown") continue;
    step.observation = resolution.text;
    pending.splice(at, 1);
  }
}

/** Lets the agent plan, and reads what it made of the model's output, or failed to. */
async function planOnce(args: PlanArguments, run: Run): Promise<Plan> {
  const [steps, inputs, callbacks, config] = args;
  const { agent } = run.executor;
  /** The actions that were read in the middle of the agent's own plan. */
  const read = new WeakMap<object, readonly PlannedAction[]>();
  const asked = new Set<string>();

  const readText = async (error: Error, text: string): Promise<Plan | undefined> => {
    const isAsked = asked.has(text);
    asked.add(text);
    return (await loadReaders()).readRefusedText(text, isAsked ? undefined : error, run);
  };

  /** In the middle of the agent's own plan: as its parser would hand it out. */
  const readInParser = async (error: Error, text: string): Promise<AgentOutput | undefined> => {
    const plan = await readText(error, text);
    if (plan === undefined || plan.output) return plan?.output;
    const action = plan.planned[0]?.action;
    if (action !== undefined) read.set(action, plan.planned);
    return action;
  };

  try {
    const planner = viewPlanner(agent, readInParser);
    const output = await agent.plan.call(planner, steps, inputs, listen(callbacks, run), config);
    return await planOutput(output, read, run);
  } catch (error) {
    if (!isOutputParserException(error)) throw error;
    const { message, text } = run.generation ?? {};
    const planned = planCalls([], message, "all");
    if (planned.length > 0) return { planned, isList: true, refusal: error };
    const written = error.llmOutput ?? (text || toText(message?.content) || error.message);
    const plan = await readText(error, written);
    if (plan !== undefined) return plan;
    throw error;
  }
}

/** Plans what an agent's parser made of the model's output, and what it dropped. */
async function planOutput(
  output: AgentOutput,
  read: WeakMap<object, readonly PlannedAction[]>,
  run: Run,
): Promise<Plan> {
  const message = run.generation?.message;
  const isMulti = run.executor.agent._agentActionType() === "multi";
  if ("returnValues" in output) {
    // It seems to be done where its parser dropped all calls; it may end on a call that it takes as its answer.
    const calls = isMulti ? rawCallsOf(message) : [];
    const isUnread = calls.length > 0 && calls.every(({ located }) => located?.invalid);
    return isUnread ? { planned: planCalls([], message, "all"), isList: true } : { output };
  }
  const isList = Array.isArray(output);
  const actions = isList ? output : [output];
  if (actions.some((action) => "messageLog" in action)) {
    return { planned: planCalls(actions, message, isMulti ? "dropped" : "none"), isList };
  }
  if (actions.some(({ tool }) => tool === EXCEPTION)) return { output };
  const planned = actions.map(async (one) => {
    const known = read.get(one);
    if (known !== undefined) return known;
    const isNamed = typeof one.tool === "string";
    const plan = isNamed ? undefined : await (await loadReaders()).readAction(one.log, run);
    return plan?.planned ?? [await planText(one, run)];
  });
  return { planned: (await Promise.all(planned)).flat(), isList };
}

/** Repairs what was planned, and returns it as LangChain's loop is handed it. */
async function prepareActions(
  { planned, isList, refusal }: PlannedActions,
  run: Run,
): Promise<AgentOutput> {
  const preparing = Promise.all(planned.map((one) => prepareAction(one, run)));
  const outcomes = await preparing.catch((error) => {
    throw refusal !== undefined && isInputError(error) ? refusal : error;
  });
  if (run.steps.some(({ action }) => action?.valid === false)) {
    await emitCorrections(async () => (await loadReaders()).findLaterActions(outcomes, run), {
      ...run.resolving,
      origin: originOfRun(run),
    });
  }
  rewriteHistory(planned, outcomes);
  run.pending.push(...outcomes);
  const actions = outcomes.map(({ action }) => action as never);
  return isList || actions.length !== 1 ? actions : (actions[0] as never);
}

/**
 * Listens to what the model writes while an agent plans. An agent's parser drops it: its error does
 * not hold the text, and calls that could not be read vanish.
 */
function listen(callbacks: CallbackManager | undefined, run: Run): CallbackManager {
  let question: Pick<CapturedGeneration, "asked" | "prompts"> = {};
  const handler = BaseCallbackHandler.fromMethods({
    handleChatModelStart(_model, messages) {
      question = { asked: messages.flat() };
    },
    handleLLMStart(_model, prompts) {
      question = { prompts };
    },
    handleLLMEnd({ generations }) {
      const last: CapturedGeneration | undefined = generations.at(-1)?.at(-1);
      run.generation = { ...last, ...question };
      if (last?.message && last.generationInfo) saveStopInfo(last.message, last.generationInfo);
    },
  });
  handler.awaitHandlers = true;
  return (callbacks ?? new CallbackManager()).copy([handler], true);
}
