import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { isJsonObject } from "../../repair/json/json-value.ts";
import type { JsonObject } from "../../repair/types.ts";
import type { LocatedCall } from "../calls/call-sites.ts";
import { isAIMessage } from "../calls/is-ai-message.ts";
import { type HistoryCall, rewriteLocatedCalls, rewriteMessage } from "../calls/rewrite-message.ts";
import type { PlannedAction } from "./prepare-action.ts";
import type { Outcome } from "./run.ts";

/** A call as it is to stand in the message, and where it stood. */
interface Change {
  readonly located: LocatedCall | undefined;
  readonly call: HistoryCall;
  readonly isAsWritten: boolean;
}

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
  const changes = outcomes.map(({ action }, index): Change => {
    const { action: before, call } = planned[index] as PlannedAction;
    const input = action.valid ? action.toolInput : before.toolInput;
    const isSame = input === before.toolInput && action.tool === before.tool;
    return {
      located: call?.located,
      call: { id: action.toolCallId, name: action.tool, args: argsOf(input) },
      isAsWritten: isSame && call?.dropped !== true && (call?.writtenId ?? "") === (call?.id ?? ""),
    };
  });
  if (changes.every(({ isAsWritten }) => isAsWritten)) return;
  first.action.messageLog = log.map((one) => (isAIMessage(one) ? rewrite(one, changes) : one));
}

function rewrite(message: AIMessage, changes: readonly Change[]): AIMessage {
  const calls = changes.map(({ call }) => call);
  const located = changes.flatMap((change) => change.located ?? []);
  // Calls in `additional_kwargs` alone are located once they are calls of the message.
  if (located.length < changes.length) return rewriteMessage(rewriteMessage(message, calls), calls);
  const entries = changes.flatMap(({ located, call }) =>
    located ? [[located, call] as const] : [],
  );
  return rewriteLocatedCalls(message, located, new Map(entries));
}

/** In a message, the arguments are an object: a string tool's text and unread text go into one. */
function argsOf(input: unknown): JsonObject {
  return isJsonObject(input) ? input : { input: (input ?? "") as JsonObject[string] };
}
