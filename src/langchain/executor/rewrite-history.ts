import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { isJsonObject } from "../../json-value.ts";
import type { JsonObject } from "../../types.ts";
import type { PlannedAction } from "./prepare-action.ts";
import { rewriteMessage } from "./rewrite-message.ts";
import type { Outcome } from "./run.ts";

/**
 * Makes the model's next prompt show the repaired inputs: the message that LangChain keeps with the
 * first of the calls made at once is replaced by one with all of them as they were run.
 *
 * @param planned The actions as they were planned.
 * @param outcomes What was made of them, in the same order.
 */
export function rewriteHistory(
  planned: readonly PlannedAction[],
  outcomes: readonly Outcome[],
): void {
  const [first] = outcomes;
  const log = first?.action.messageLog as BaseMessage[] | undefined;
  if (first === undefined || log === undefined) return;
  const isAsWritten = outcomes.every(({ action }, index) => {
    const before = planned[index]?.action;
    return before?.toolInput === action.toolInput && before?.tool === action.tool;
  });
  const calls = outcomes.map(({ action }, index) => ({
    id: action.toolCallId,
    name: action.tool,
    args: argsOf(action.valid ? action.toolInput : planned[index]?.action.toolInput),
  }));
  first.action.messageLog = log.map((message) => {
    const isUnread = ((message as AIMessage).invalid_tool_calls?.length ?? 0) > 0;
    if (message._getType() !== "ai" || (isAsWritten && !isUnread)) return message;
    return rewriteMessage(message as AIMessage, calls);
  });
}

/** In a message, the arguments are an object: a string tool's text and unread text go into one. */
function argsOf(input: unknown): JsonObject {
  return isJsonObject(input) ? input : { input: (input ?? "") as JsonObject[string] };
}
