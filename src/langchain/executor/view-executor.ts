import type { AgentFinish, AgentStep } from "@langchain/core/agents";
import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { CallbackManager } from "@langchain/core/callbacks/manager";
import { imported } from "../../repair/drive.ts";
import { type Listeners, listenersOf } from "../../repair/events/event.ts";
import { jsonEquals, parseExactly } from "../../repair/json.ts";
import type { ResolveOptions } from "../../repair/policy.ts";
import { EXCEPTION } from "../../repair/steps.ts";
import type { AgentAction, JsonValue } from "../../repair/types.ts";
import { takeFirst } from "../message/locate.ts";
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
import { planCalls } from "./calls.ts";
import { prepareAction, prepareActions } from "./prepare-action.ts";
import {
  type ActionOutcome,
  type AgentExecutorLike,
  type AgentLike,
  type AgentOutput,
  type CapturedGeneration,
  type ExecutorIntegrationOptions,
  type ExecutorInternals,
  type ExecutorRun,
  type ExecutorTool,
  isOutputParserException,
  type PlannedAction,
  type PreparedAction,
  type RunStep,
  toText,
} from "./run.ts";
import { innerParserOf, parserOf, planText, viewWithParser } from "./text.ts";

/**
 * What few runs need: the readers of text that the agent's own parser rejected.
 */
const loadReaders = () => imported(import("./read-action.ts"));

/** The methods that the wrapper takes over. */
type InnerMethods = Pick<
  ExecutorInternals,
  "_call" | "_takeNextStep" | "_getToolReturn"
>;

/**
 * The key of the wrapped executor on a wrapper, the same in every copy of
 * toolmend.
 */
export const WRAPPED: unique symbol = Symbol.for(
  "toolmend.wrappedAgentExecutor",
);

/**
 * Makes the view of an executor whose loop is LangChain's own, run with views
 * of its agent and of its tools that belong to one run each: runs at the same
 * time share nothing. `originals` are inner methods to run in place of the
 * executor's, where the executor is running its own already.
 */
export function viewExecutor(
  wrapped: AgentExecutorLike,
  options: ExecutorIntegrationOptions,
  originals: Partial<InnerMethods> = {},
): AgentExecutorLike {
  const executor =
    (wrapped as { [WRAPPED]?: AgentExecutorLike })[WRAPPED] ?? wrapped;
  const original = <Name extends keyof InnerMethods>(
    name: Name,
  ): InnerMethods[Name] =>
    originals[name] ?? (executor as unknown as ExecutorInternals)[name];

  return inheritingView(executor, {
    [WRAPPED]: executor,

    async _call(
      this: ExecutorInternals,
      ...args: Parameters<InnerMethods["_call"]>
    ) {
      const [inputs, , config] = args;
      const signal = config?.signal ?? inputs?.signal;
      const setUp = { options, original, signal };
      const { run, loop } = beginRun(this, this.tools, setUp);
      const output = await original("_call").apply(loop, args);
      if ("intermediateSteps" in output) return output;
      return Object.defineProperty(output, "intermediateSteps", {
        value: run.steps,
      });
    },

    async _takeNextStep(
      this: ExecutorInternals,
      ...[toolMap, ...args]: Parameters<InnerMethods["_takeNextStep"]>
    ) {
      const [inputs, , , config] = args;
      const signal = config?.signal ?? inputs?.signal;
      const setUp = { options, original, signal };
      const { run, loop } = beginRun(this, Object.values(toolMap), setUp);
      const toolsByName = mapTools(loop.tools, run);
      return original("_takeNextStep").call(loop, toolsByName, ...args);
    },

    /**
     * Without `compat`, the model's message about a rejected input never ends
     * the run.
     */
    _getToolReturn(this: ExecutorInternals, step: AgentStep) {
      const { valid } = step.action as { valid?: boolean };
      if (valid === false && !options.compat) return Promise.resolve(null);
      return original("_getToolReturn").call(this, step);
    },
  });
}

/** Makes the map that LangChain finds the tools of a step in. */
function mapTools(
  tools: readonly ExecutorTool[],
  run: ExecutorRun,
): Record<string, ExecutorTool> {
  // LangChain also finds inherited names in this map (classic 1.0.50;
  // tool-names.test), and takes `_Exception` for a tool in `_call` alone
  // (classic 1.0.50; `unfixable.test`).
  const byName: Record<string, ExecutorTool> = Object.create(null);
  for (const tool of tools) byName[tool.name] = tool;
  const value = { name: EXCEPTION, schema: {}, invoke: toText, call: toText };
  run.onException = () =>
    void Object.defineProperty(byName, EXCEPTION, { value });
  return byName;
}

/** How a run of an executor goes. */
interface RunSetUp {
  readonly options: ExecutorIntegrationOptions;
  original<Name extends keyof InnerMethods>(name: Name): InnerMethods[Name];
  readonly signal: AbortSignal | undefined;
}

/**
 * Begins a run of these tools: returns what LangChain's loop sees of the
 * executor in it.
 */
function beginRun(
  executor: ExecutorInternals,
  tools: readonly ExecutorTool[],
  { options, original, signal }: RunSetUp,
) {
  const reported = withProcessListeners(options);
  // Only a handler is passed on: without one, `answerRejection` decides.
  const onUnfixable =
    typeof options.onUnfixable === "function" ? options.onUnfixable : undefined;
  const resolving = { ...reported, signal, onUnfixable } as ResolveOptions;
  const run: ExecutorRun = {
    executor,
    options: reported,
    resolving,
    tools,
    pending: [],
    steps: [],
  };
  const loop = inheritingView(executor, {
    agent: viewAgent(run),
    tools: tools.map((tool) => viewTool(tool, run)),
    _call: original("_call"),
    _takeNextStep: original("_takeNextStep"),
  });
  return { run, loop };
}

/**
 * Makes the view of a tool that LangChain's loop sees in one run: it runs the
 * tool with the input that was prepared when the action was planned. What the
 * tool throws or returns is LangChain's.
 */
function viewTool(tool: ExecutorTool, run: ExecutorRun): ExecutorTool {
  // LangChain asks for `returnDirect` when a call has ended (classic 1.0.50;
  // not-run.test).
  let isAnswered = false;

  const runBy =
    (entryPoint: EntryPoint) =>
    async (toolInput: unknown, config?: ToolConfig) => {
      const outcome =
        takeOutcome(run, tool.name, toolInput) ??
        (await prepareUnplanned(tool, toolInput, run));
      isAnswered = outcome.text !== undefined;
      if (isAnswered) return outcome.text;
      const { tool: planned = tool } = outcome;
      // A runnable as a tool has no `call` (core 1.4.0; tool-kinds.test).
      const entry = "call" in planned ? entryPoint : "invoke";
      const use = useOf(outcome, planned, config, run.options);
      return invokeOriginal(planned, entry, use);
    };

  return viewOf(tool, {
    invoke: runBy("invoke"),
    call: runBy("call"),
    get returnDirect() {
      return isAnswered && !run.options.compat ? false : tool.returnDirect;
    },
  });
}

/** How a tool is run with the input that was prepared for it. */
function useOf(
  { action, input: prepared, parsed, markRun }: ActionOutcome,
  tool: ExecutorTool,
  config: ToolConfig | undefined,
  options: Listeners,
) {
  const isSame = action.repairs.length === 0;
  const input = isSame ? prepared : toToolCallInput(tool, prepared);
  const marked = markRun === undefined ? config : markRun(config);
  return { input, parsed, config: markReported(marked, tool.name, options) };
}

/** An executor's subclass may run a tool that no plan asked for. */
function prepareUnplanned(
  { name }: ExecutorTool,
  toolInput: unknown,
  run: ExecutorRun,
): Promise<ActionOutcome> {
  const action = { tool: name, toolInput: toolInput as string, log: "" };
  return prepareAction({ action, raw: toolInput }, run);
}

/**
 * Notes, with the config that a tool is run with, who has the event of the
 * call: a wrapper of the tool may report it, too.
 */
function markReported(
  config: ToolConfig | undefined,
  toolName: string,
  options: Listeners,
): ToolConfig | undefined {
  const listeners = listenersOf(options);
  if (listeners.length === 0) return config;
  // In a stream, LangChain gives a tool callbacks in place of a config, or
  // nothing (classic 1.0.50).
  const marked = config ?? {};
  reportedTo.set(marked, [toolName, listeners]);
  return marked;
}

/**
 * Takes the outcome for what LangChain gives a tool: objects by identity, other
 * inputs by value.
 */
function takeOutcome(
  { pending }: ExecutorRun,
  name: string,
  input: unknown,
): ActionOutcome | undefined {
  return takeFirst(
    pending,
    ({ action }) =>
      action.toolInput === input &&
      String(action.tool).toLowerCase() === name.toLowerCase(),
  );
}

type PlanArguments = Parameters<AgentLike["plan"]>;

/**
 * Makes the view of an agent that LangChain's loop sees in one run: its `plan`
 * returns repaired actions.
 */
function viewAgent(run: ExecutorRun): AgentLike {
  async function plan(...args: PlanArguments): Promise<AgentOutput> {
    const [steps, inputs, callbacks, config] = args;
    // LangChain passes the callbacks of the run apart (classic 1.0.50;
    // events.test).
    const planning = callbacks ? { ...config, callbacks } : config;
    Object.assign(run, { steps, inputs, planning, generation: undefined });
    if (!run.options.compat) answerUnknownCalls(steps, run);
    const output = await planOnce(
      [steps, inputs, listen(callbacks, run), config],
      run,
    );
    const isException = [output]
      .flat()
      .some((action) => "tool" in action && action.tool === EXCEPTION);
    if (isException) run.onException?.();
    return output;
  }
  return viewOf(run.executor.agent, { plan });
}

/**
 * LangChain answers a call of a tool that does not exist by itself, and names
 * no tools in `invoke` (classic 1.0.50; tool-names.test). Each step of a stream
 * begins a run with nothing pending: there, LangChain's answer stays, and names
 * them.
 */
function answerUnknownCalls(steps: RunStep[], { pending }: ExecutorRun): void {
  for (const step of steps) {
    const outcome = takeFirst(
      pending,
      ({ action, tool }) => action === step.action && !tool,
    );
    if (outcome?.text !== undefined) step.observation = outcome.text;
  }
}

/**
 * Lets the agent plan, and repairs what it made of the model's output, or
 * failed to read.
 */
async function planOnce(
  args: PlanArguments,
  run: ExecutorRun,
): Promise<AgentOutput> {
  const { agent } = run.executor;
  const inner = innerParserOf(parserOf(agent));
  let output: AgentOutput;
  try {
    output = await agent.plan.apply(
      inner ? viewWithParser(agent, inner) : agent,
      args,
    );
  } catch (error) {
    if (!isOutputParserException(error)) throw error;
    return prepareUnparsed(error, args[2], run);
  }
  return prepareOutput(output, run);
}

/** Repairs what an agent's parser could not read. */
async function prepareUnparsed(
  error: Error & { llmOutput?: string },
  callbacks: unknown,
  run: ExecutorRun,
): Promise<AgentOutput> {
  const parser = parserOf(run.executor.agent);
  const { message, text } = run.generation ?? {};
  const planned = isLangChainParser(parser)
    ? planCalls([], message, "all")
    : [];
  // What rejects calls that can be read has another reason.
  if (planned.some(isUnread)) return prepareActions(planned, run, error);
  const written =
    error.llmOutput ?? (text || toText(message?.content) || error.message);
  const { readRejectedText } = await loadReaders();
  const read = await readRejectedText(written, error, run);
  if (read !== undefined) return read;
  if (parser === undefined || innerParserOf(parser) === undefined) throw error;
  // Only now is a model asked again.
  return prepareOutput(
    (await parser.parse(written, callbacks)) as AgentOutput,
    run,
  );
}

/**
 * Whether a parser is LangChain's own: another may reject for other reasons,
 * and must see every call.
 */
const isLangChainParser = (parser: object | undefined) =>
  parser !== undefined &&
  "parse" in parser &&
  Object.hasOwn(parser.constructor, "lc_name");

const isUnread = ({ raw, call }: PlannedAction) =>
  call?.located?.invalid ||
  (typeof raw === "string" && parseExactly(raw) === undefined);

/**
 * Repairs the actions that an agent's parser made of the model's output, and
 * those that it dropped.
 */
async function prepareOutput(
  output: AgentOutput,
  run: ExecutorRun,
): Promise<AgentOutput> {
  if ("returnValues" in output) return prepareFinish(output, run);
  const actions = [output].flat();
  if (actions.some(hasMessages)) return prepareCalls(actions, run);
  if (actions.some(({ tool }) => tool === EXCEPTION)) return output;
  const [action] = actions;
  const isOnly = action !== undefined && actions.length === 1;
  // The parser of a chat agent takes a blob without the name of an action
  // (classic 1.0.50).
  if (isOnly && typeof action.tool !== "string") {
    const { readAction } = await loadReaders();
    const read = await readAction(action.log, run);
    if (read !== undefined) return read;
  }
  const planned = actions.map((textAction) => planText(textAction, run));
  return prepareActions(planned, run);
}

/**
 * Whether an action was made of a message; a custom agent may keep anything
 * there.
 */
function hasMessages(action: AgentAction): boolean {
  const { messageLog } = action as { messageLog?: unknown };
  const isMessage = (kept: unknown) =>
    typeof Object(kept).additional_kwargs === "object";
  return Array.isArray(messageLog) && messageLog.every(isMessage);
}

/**
 * An agent seems to be done where its parser dropped all calls (classic 1.0.50;
 * tool-calls.test); it may end on a call that it takes as its answer.
 */
async function prepareFinish(
  output: AgentFinish,
  run: ExecutorRun,
): Promise<AgentOutput> {
  if (!mayDropCalls(run)) return output;
  const message = run.generation?.message;
  const content = message?.content as JsonValue;
  if (!jsonEquals(output.returnValues.output, content)) return output;
  const planned = planCalls([], message, "all");
  const wasRead = planned.some(({ call }) => !call?.located?.invalid);
  if (planned.length === 0 || wasRead) return output;
  return prepareActions(planned, run);
}

function prepareCalls(
  actions: readonly AgentAction[],
  run: ExecutorRun,
): Promise<AgentOutput> {
  const { message, generationInfo } = run.generation ?? {};
  // The message that the parser saw: something before it may have taken calls
  // away.
  const [seen = message] = actions.flatMap(
    (action) => (action as PreparedAction).messageLog ?? [],
  );
  if (seen?.id && seen.id === message?.id) saveStopInfo(seen, generationInfo);
  return prepareActions(
    planCalls(actions, seen, mayDropCalls(run) ? "dropped" : "none"),
    run,
  );
}

/**
 * Whether calls that LangChain could not read are missing from what the agent's
 * parser returns.
 */
function mayDropCalls({ executor: { agent } }: ExecutorRun): boolean {
  return (
    agent._agentActionType() === "multi" && isLangChainParser(parserOf(agent))
  );
}

/**
 * Listens to what the model writes while an agent plans: the agent's parser
 * drops some of it.
 */
function listen(
  callbacks: CallbackManager | undefined,
  run: ExecutorRun,
): CallbackManager {
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
      saveStopInfo(last?.message, last?.generationInfo);
    },
  });
  handler.awaitHandlers = true;
  return (callbacks ?? new CallbackManager()).copy([handler], true);
}
