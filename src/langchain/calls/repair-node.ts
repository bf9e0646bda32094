import type { BaseMessage } from "@langchain/core/messages";
import { checkOptions, checkToolList, type OptionsUsage } from "../../repair/usage.ts";
import { originOf } from "../trace/origin-of.ts";
import { checkState } from "./check-messages.ts";
import { isAIMessage, isToolMessage } from "./is-ai-message.ts";
import { repairCalls } from "./repair-ai-message.ts";
import { MESSAGE_CHECKS, type RepairMessageOptions } from "./repair-message-options.ts";
import { completeToolMessages } from "./settle-tool-calls.ts";

const { history: _history, ...NODE_CHECKS } = MESSAGE_CHECKS;

const NODE_USAGE: OptionsUsage = {
  of: "repairNode",
  example: "repairNode(tools, { fixers })",
  checks: NODE_CHECKS,
};

/** A graph's state with messages, under LangGraph's reducer of messages. */
export interface MessagesState {
  readonly messages: readonly BaseMessage[];
}

/**
 * Creates a node for a graph of your own, to stand between the model and the tools: it repairs the
 * calls of the model's message, and answers those that cannot be repaired with what is wrong.
 * LangGraph's `ToolNode` leaves calls alone that have an answer. It also serves as `postModelHook` of
 * `createReactAgent`.
 *
 * @param tools The tools that the model was offered.
 * @param options Fixers, level, limits and handlers.
 * @returns The node.
 * @throws TypeError for a wrong use: what is not a list of tools, an unknown option. When it runs, what
 * `repairAIMessage` throws.
 * @example
 * ```ts
 * new StateGraph(MessagesAnnotation)
 *   .addNode("model", async ({ messages }) => ({ messages: [await model.invoke(settleToolCalls(messages))] }))
 *   .addNode("repair", repairNode(tools))
 *   .addNode("tools", new ToolNode(tools))
 *   .addEdge(START, "model")
 *   .addEdge("model", "repair")
 *   .addConditionalEdges("repair", afterRepair, ["tools", "model", END])
 *   .addEdge("tools", "model")
 * ```
 */
export function repairNode(
  tools: readonly unknown[],
  options: Omit<RepairMessageOptions, "history"> = {},
): (state: MessagesState) => Promise<{ messages: BaseMessage[] }> {
  checkToolList(tools, "repairNode(tools, options)");
  checkOptions(options, NODE_USAGE);
  return async (state) => {
    checkState(state, "The node of repairNode(tools, options)");
    const { messages } = state;
    const at = messages.findLastIndex(isAIMessage);
    const last = messages[at];
    if (last === undefined || !isAIMessage(last)) return { messages: [] };
    const history = messages.slice(0, at);
    const origin = originOf("messages", undefined, options);
    const message = await repairCalls(last, tools, { ...options, origin, history });
    const completed = completeToolMessages([message, ...messages.slice(at + 1)], options);
    return { messages: completed.filter((one) => !messages.includes(one)) };
  };
}

/**
 * Says where a graph goes on after `repairNode`.
 *
 * @param state The graph's state.
 * @returns `"tools"` where a call is to be run; `"model"` where all calls were refused and have been
 * answered; LangGraph's `END` where there are no calls.
 * @throws TypeError for what has no messages.
 * @example
 * ```ts
 * const graph = new StateGraph(MessagesAnnotation)
 *   .addNode("repair", repairNode(tools))
 *   .addNode("tools", new ToolNode(tools))
 *   .addEdge(START, "repair")
 *   .addConditionalEdges("repair", afterRepair, { tools: "tools", model: END, [END]: END });
 * ```
 */
export function afterRepair(state: MessagesState): "tools" | "model" | "__end__" {
  checkState(state, "afterRepair(state)");
  const { messages } = state;
  const at = messages.findLastIndex(isAIMessage);
  const last = messages[at];
  const calls = last !== undefined && isAIMessage(last) ? (last.tool_calls ?? []) : [];
  if (calls.length === 0) return "__end__";
  const answers = messages.slice(at + 1).filter(isToolMessage);
  const answered = new Set(answers.map(({ tool_call_id }) => tool_call_id));
  return calls.every(({ id }) => id !== undefined && answered.has(id)) ? "model" : "tools";
}
