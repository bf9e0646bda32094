import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { Runnable, RunnableConfig } from "@langchain/core/runnables";
import { copyError, type ToolInputError } from "../../repair/errors.ts";
import { checkFixers } from "../../repair/fixers/check-fixers.ts";
import type { ForTools, NotRegistry } from "../../repair/policy.ts";
import {
  checkOptions,
  checkToolList,
  nameThing,
  type OptionsUsage,
} from "../../repair/usage.ts";
import { withProcessListeners } from "../trace/process-state.ts";
import { originOf } from "../trace/trace.ts";
import { answersIn, checkState, isAIMessage } from "./messages.ts";
import { MESSAGE_CHECKS, type RepairMessageOptions } from "./options.ts";
import { isUnhandled, repairAllCalls } from "./repair.ts";
import { RepairStep } from "./repair-stream.ts";
import { completeToolMessages } from "./settle.ts";

/**
 * Creates a step for a chain that repairs the tool calls of a model's message.
 * It throws if a call cannot be repaired, so that LangChain's own
 * `withFallbacks` and `withRetry` decide what happens next. It runs no tool.
 *
 * In a stream, text passes as it comes, and the calls follow once the model has
 * finished: unchanged if they are valid, else as one chunk. With
 * `rescueTextToolCalls`, text waits, too.
 *
 * @param tools The tools that the model was offered.
 * @param options Fixers, level, limits and handlers. With
 *   `onUnfixable: "tellModel"`, or if a handler answers with text, nothing is
 *   thrown: the call goes to `invalid_tool_calls`, with the text for the model
 *   as `error` (see `settleToolCalls`).
 * @returns A Runnable; it returns the message itself, by reference, if nothing
 *   needs repair.
 * @throws TypeError for wrong use: `tools` is not a list of tools, or an option
 *   is unknown. When it runs, `ToolInputError` for the first rejected call,
 *   with the errors of the others as its `cause`, and what `onUnfixable`
 *   throws.
 * @example
 * ```ts
 * const chain = model.bindTools(tools).pipe(repairToolCalls(tools, { fixers }));
 * const message = await chain.invoke("Buy it.");
 * console.log(message.tool_calls?.[0]?.args); // { selector: '#buy' }
 * ```
 */
export function repairToolCalls<const Tools extends readonly unknown[]>(
  tools: Tools,
  options: ForTools<RepairMessageOptions, Tools> & NotRegistry = {},
): Runnable<AIMessage, AIMessage> {
  const repairing = options as RepairMessageOptions;
  checkUse("repairToolCalls", tools, repairing, MESSAGE_CHECKS);
  const repair = async (message: AIMessage, config: RunnableConfig) => {
    if (!isAIMessage(message)) {
      throw new TypeError(
        `The step of repairToolCalls(tools, options) needs an AIMessage; this is ${nameThing(message)}. Put it behind a chat model.`,
      );
    }
    const repaired = await repairAllCalls(message, tools, {
      ...withProcessListeners(repairing),
      signal: options.signal ?? config.signal,
      origin: originOf("messages", config, repairing),
      asInvalid: true,
    });
    const rejected = repaired.calls.filter(isUnhandled);
    const errors = rejected.map(({ error }) => error);
    if (errors.length > 0 && options.onUnfixable !== "tellModel")
      throw joinErrors(errors);
    return repaired.message;
  };
  const { rescueTextToolCalls = false } = options;
  return new RepairStep(repair, rescueTextToolCalls !== false);
}

/** Checks the arguments of a function that takes tools and options. */
function checkUse(
  of: string,
  tools: readonly unknown[],
  options: RepairMessageOptions,
  checks: OptionsUsage["checks"],
): void {
  checkToolList(tools, `${of}(tools, options)`);
  checkOptions(options, { of, example: `${of}(tools, { fixers })`, checks });
  checkFixers(of, options.fixers, tools);
}

/** Returns the first error, with the others as its cause. */
function joinErrors([first, ...more]: readonly ToolInputError[]):
  | ToolInputError
  | undefined {
  if (first === undefined || more.length === 0) return first;
  const message = "Other calls were rejected, too.";
  return copyError(first, {
    cause: new AggregateError(more, message, { cause: first.cause }),
  });
}

/**
 * Creates a node for your own graph, between the model and the tools: it
 * repairs the calls of the model's message, and answers calls that cannot be
 * repaired with an error. LangGraph's `ToolNode` leaves calls alone that have
 * an answer. It also serves as `postModelHook` of `createReactAgent`.
 *
 * @param tools The tools that the model was offered.
 * @param options Fixers, level, limits and handlers.
 * @returns The node.
 * @throws TypeError for wrong use: `tools` is not a list of tools, or an option
 *   is unknown. When it runs, what `onUnfixable` throws.
 * @example
 * ```ts
 * new StateGraph(MessagesAnnotation)
 *   .addNode("model", async ({ messages }) => ({ messages: [await model.invoke(settleToolCalls(messages))] }))
 *   .addNode("repair", repairNode(tools))
 *   .addNode("tools", new ToolNode(tools))
 *   .addEdge(START, "model")
 *   .addEdge("model", "repair")
 *   .addConditionalEdges("repair", repairCondition, ["tools", "model", END])
 *   .addEdge("tools", "model")
 * ```
 */
export function repairNode<const Tools extends readonly unknown[]>(
  tools: Tools,
  options: ForTools<Omit<RepairMessageOptions, "history">, Tools> = {},
): (
  state: { readonly messages: readonly BaseMessage[] },
  config?: RunnableConfig,
) => Promise<{ messages: BaseMessage[] }> {
  const { history: _, ...checks } = MESSAGE_CHECKS;
  const repairing = options as Omit<RepairMessageOptions, "history">;
  checkUse("repairNode", tools, repairing, checks);
  return async (state, config) => {
    checkState(state, "The node of repairNode(tools, options)");
    const { messages } = state;
    const at = messages.findLastIndex(isAIMessage);
    const last = messages[at];
    if (!isAIMessage(last)) return { messages: [] };
    const history = messages.slice(0, at);
    const origin = originOf("messages", undefined, repairing);
    const after = messages.slice(at + 1);
    const answered = answersIn(after);
    const { message } = await repairAllCalls(last, tools, {
      ...withProcessListeners(repairing),
      origin,
      history,
      only: ({ id }) => !answered.has(id),
      signal: options.signal ?? config?.signal,
    });
    const completed = completeToolMessages([message, ...after]);
    return {
      messages: completed.filter((each) => !messages.includes(each)),
    };
  };
}

/**
 * Routes a graph after `repairNode`.
 *
 * @param state The graph's state.
 * @returns `"tools"` if a call must run; `"model"` if all calls were rejected
 *   and answered; LangGraph's `END` if there are no calls.
 * @throws TypeError if the state has no messages.
 * @example
 * ```ts
 * const graph = new StateGraph(MessagesAnnotation)
 *   .addNode("repair", repairNode(tools))
 *   .addNode("tools", new ToolNode(tools))
 *   .addEdge(START, "repair")
 *   .addConditionalEdges("repair", repairCondition, { tools: "tools", model: END, [END]: END });
 * ```
 */
export function repairCondition(state: {
  readonly messages: readonly BaseMessage[];
}): "tools" | "model" | "__end__" {
  checkState(state, "repairCondition(state)");
  const { messages } = state;
  const at = messages.findLastIndex(isAIMessage);
  const { tool_calls: calls = [] } = (messages[at] ?? {}) as Partial<AIMessage>;
  if (calls.length === 0) return "__end__";
  const answers = answersIn(messages.slice(at + 1));
  return calls.every(({ id }) => id !== undefined && answers.has(id))
    ? "model"
    : "tools";
}
