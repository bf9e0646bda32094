import type { AgentStep } from "@langchain/core/agents";
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { CallbackManager } from "@langchain/core/callbacks/manager";
import { imported } from "../../repair/drive.ts";
import { type Listeners, listenersOf } from "../../repair/events/event.ts";
import { jsonEquals, parseExactly } from "../../repair/json.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import { EXCEPTION } from "../../repair/steps.ts";
import type { JsonValue } from "../../repair/types.ts";
import { saveStopInfo } from "../message/stop-reason.ts";
import {
  type EntryPoint,
  invokeOriginal,
  reportedTo,
  type ToolConfig,
  toToolCallInput,
} from "../tool/invoke.ts";
import { inheritingView, viewOf } from "../tool/view-of.ts";
import { withProcessListeners } from "../trace/process-state.ts";
import { planCalls, rawCallsOf } from "./calls.ts";
import { prepareAction, prepareActions } from "./prepare-action.ts";
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
  type PlannedAction,
  type PreparedAction,
  type Run,
  type RunStep,
  toText,
} from "./run.ts";
import { innerParserOf, parserOf, planText, viewWithParser } from "./text.ts";

/** What few runs need: the readers of text that the agent's own parser refused. */
const loadReaders = () => imported(import("./read-action.ts"));

/** The methods that the wrapper takes over. */
type InnerMethods = Pick<ExecutorInternals, "_call" | "_takeNextStep" | "_getToolReturn">;

/** The key of the wrapped executor on a wrapper, the same in every copy of toolmend. */
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
    // Only a handler is passed on: without one, `answerRefusal` decides.
    const onUnfixable = typeof options.onUnfixable === "function" ? options.onUnfixable : undefined;
    const reported = withProcessListeners(options);
    const resolving = { ...reported, signal, onUnfixable } as ResolveOptions;
    const about = { executor: wrapper, options: reported, resolving, tools: given };
    const run: Run = { ...about, pending: [], steps: [] };
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
      // LangChain also finds inherited names in this map, and adds `_Exception` in `_call` alone.
      const byName: Record<string, ExecutorTool> = Object.create(null);
      for (const tool of tools) byName[tool.name] = tool;
      const observe = { name: EXCEPTION, schema: {}, invoke: toText, call: toText };
      run.onException = () => void Object.defineProperty(byName, EXCEPTION, { value: observe });
      return original("_takeNextStep").call(loop, byName, ...given);
    },

    /** Without `compat`, the model's message about a rejected input never ends the run. */
    _getToolReturn(this: ExecutorInternals, step: AgentStep) {
      const { valid } = step.action as { valid?: boolean };
      if (valid === false && !options.compat) return Promise.resolve(null);
      return original("_getToolReturn").call(this, step);
    },
  });
}

/**
 * Makes the view of a tool that LangChain's loop sees in one run: it runs the tool with the input
 * that was prepared when the action was planned. What the tool throws or returns is LangChain's.
 */
function viewTool(tool: ExecutorTool, run: Run): ExecutorTool {
  let isAnswered = false;

  const runBy = (entry: EntryPoint) => async (given: unknown, config?: ToolConfig) => {
    // An executor's subclass may run a tool that no plan asked for.
    const unplanned = { tool: tool.name, toolInput: given as string, log: "" };
    const outcome =
      takeOutcome(run, tool.name, given) ??
      (await prepareAction({ action: unplanned, raw: given }, run));
    const { action, text, parsed, markRun, tool: planned = tool } = outcome;
    isAnswered = text !== undefined;
    if (text !== undefined) return text;
    const isSame = action.repairs.length === 0;
    const input = isSame ? outcome.input : toToolCallInput(planned, outcome.input);
    const marked = markReported(markRun?.(config) ?? config, planned.name, run.options);
    // A runnable as a tool has no `call`.
    const way = "call" in planned ? entry : "invoke";
    return invokeOriginal(planned, way, { input, parsed, config: marked });
  };

  return viewOf(tool, {
    invoke: runBy("invoke"),
    call: runBy("call"),
    get returnDirect() {
      return isAnswered && !run.options.compat ? false : tool.returnDirect;
    },
  });
}

/** Notes, with the config that a tool is run with, who has the event of the call: a wrapper of the tool may report it, too. */
function markReported(
  config: ToolConfig | undefined,
  toolName: string,
  options: Listeners,
): ToolConfig | undefined {
  const listeners = listenersOf(options);
  if (listeners.length === 0) return config;
  // In a stream, LangChain gives a tool no config.
  const marked = config ?? {};
  reportedTo.set(marked, [toolName, listeners]);
  return marked;
}

/** Takes the outcome for what LangChain gives a tool: objects by identity, other inputs by value. */
function takeOutcome({ pending }: Run, name: string, input: unknown): Outcome | undefined {
  const at = pending.findIndex(
    ({ action }) =>
      action.toolInput === input && String(action.tool).toLowerCase() === name.toLowerCase(),
  );
  return at < 0 ? undefined : pending.splice(at, 1)[0];
}

type PlanArguments = Parameters<AgentLike["plan"]>;

/** Makes the view of an agent that LangChain's loop sees in one run: its `plan` returns repaired actions. */
function viewAgent(run: Run): AgentLike {
  async function plan(...args: PlanArguments): Promise<AgentOutput> {
    const [steps, inputs, callbacks, config] = args;
    // LangChain passes the callbacks of the run apart.
    const planning = callbacks ? { ...config, callbacks } : config;
    Object.assign(run, { steps, inputs, planning, generation: undefined });
    if (!run.options.compat) answerUnknownCalls(steps, run);
    const output = await planOnce([steps, inputs, listen(callbacks, run), config], run);
    if ([output].flat().some((one) => "tool" in one && one.tool === EXCEPTION)) run.onException?.();
    return output;
  }
  return viewOf(run.executor.agent, { plan });
}

/** LangChain answers a call of a tool that does not exist by itself, and names no tools in `invoke`. */
function answerUnknownCalls(steps: RunStep[], { pending }: Run): void {
  for (const step of steps) {
    const at = pending.findIndex(({ action, tool }) => action === step.action && !tool);
    if (at >= 0) step.observation = pending.splice(at, 1)[0]?.text ?? step.observation;
  }
}

/** Lets the agent plan, and repairs what it made of the model's output, or failed to read. */
async function planOnce(args: PlanArguments, run: Run): Promise<AgentOutput> {
  const { agent } = run.executor;
  const parser = parserOf(agent);
  const inner = innerParserOf(parser);
  let output: AgentOutput;
  try {
    output = await agent.plan.apply(inner ? viewWithParser(agent, inner) : agent, args);
  } catch (error) {
    if (!isOutputParserException(error)) throw error;
    const { message, text } = run.generation ?? {};
    const planned = isParser(parser) ? planCalls([], message, "all") : [];
    // What refuses calls that can be read has another reason.
    if (planned.some(isUnread)) return prepareActions(planned, run, error);
    const written = error.llmOutput ?? (text || toText(message?.content) || error.message);
    const read = await (await loadReaders()).readRefusedText(written, error, run);
    if (read !== undefined) return read;
    if (parser === undefined || inner === undefined) throw error;
    // Only now is a model asked again.
    output = (await parser.parse(written, args[2])) as AgentOutput;
  }
  return prepareOutput(output, run);
}

/** Whether a parser is LangChain's own: another may refuse for other reasons, and must see every call. */
const isParser = (parser: object | undefined) =>
  parser !== undefined && "parse" in parser && Object.hasOwn(parser.constructor, "lc_name");

const isUnread = ({ raw, call }: PlannedAction) =>
  call?.located?.invalid || (typeof raw === "string" && parseExactly(raw) === undefined);

/** Repairs the actions that an agent's parser made of the model's output, and those that it dropped. */
async function prepareOutput(output: AgentOutput, run: Run): Promise<AgentOutput> {
  const message = run.generation?.message;
  const { agent } = run.executor;
  const mayDrop = agent._agentActionType() === "multi" && isParser(parserOf(agent));
  if ("returnValues" in output) {
    // It seems to be done where its parser dropped all calls; it may end on a call that it takes as its answer.
    const calls = mayDrop ? rawCallsOf(message) : [];
    const isAnswer = jsonEquals(output.returnValues.output, message?.content as JsonValue);
    const isDropped = calls.length > 0 && calls.every(({ located }) => located?.invalid);
    return isAnswer && isDropped ? prepareActions(planCalls([], message, "all"), run) : output;
  }
  const actions = [output].flat();
  if (actions.some((action) => "messageLog" in action)) {
    // The message that the parser saw: something before it may have taken calls away.
    const [seen = message] = actions.flatMap((one) => (one as PreparedAction).messageLog ?? []);
    if (seen?.id && seen.id === message?.id) saveStopInfo(seen, run.generation?.generationInfo);
    return prepareActions(planCalls(actions, seen, mayDrop ? "dropped" : "none"), run);
  }
  if (actions.some(({ tool }) => tool === EXCEPTION)) return output;
  const [action, ...others] = actions;
  // The parser of a chat agent takes a blob without the name of an action.
  const isRead = action === undefined || typeof action.tool === "string" || others.length > 0;
  const read = isRead ? undefined : await (await loadReaders()).readAction(action.log, run);
  if (read !== undefined) return read;
  const planned = actions.map((one) => planText(one, run));
  return prepareActions(planned, run);
}

/** Listens to what the model writes while an agent plans: the agent's parser drops some of it. */
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
