import {
  type AIMessage,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from "@langchain/core/messages";
import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { shownArgs } from "../calls/args.ts";
import type { LocatedCall } from "../calls/call-sites.ts";
import { type HistoryCall, rewriteLocatedCalls } from "../calls/rewrite-message.ts";

/** One call of a message, and what the model is told of it. */
export interface AnsweredCall {
  readonly id: string;
  readonly located: LocatedCall;
  /** What the model wrote as its arguments: text, or a parsed value. */
  readonly raw: unknown;
  /** What is wrong with it; `undefined` when it is accepted and waits for the others. */
  readonly error?: ToolInputError | undefined;
  /** The answer in the tool's stead, where there is one. */
  readonly text?: string | undefined;
}

/** What the model is told of a call that is accepted and waits for the others. */
export const HELD =
  "Accepted. It runs as soon as the other calls are accepted too. Do not make this call again.";

/**
 * Makes the messages with which a model is asked to correct its calls: its own message with the
 * malformed call, an answer to each of its calls (providers insist on it), and the request. Calls
 * that LangChain leaves out are in it, and arguments are JSON objects, so that any provider takes
 * them.
 *
 * @param message What the model answered. It is not changed.
 * @param calls Every call in it.
 * @param request What the model is asked to do.
 */
export function correctionMessages(
  message: AIMessage,
  calls: readonly AnsweredCall[],
  request: string,
): readonly BaseMessage[] {
  const rewritten = new Map(calls.map((call) => [call.located, asHistoryCall(call)]));
  const located = calls.map((call) => call.located);
  const shown = rewriteLocatedCalls(message, located, rewritten);
  return [shown, ...calls.map(toCorrectionAnswer), new HumanMessage(request)];
}

function asHistoryCall({ id, located, raw }: AnsweredCall): HistoryCall {
  return { id, name: located.call.name ?? "", args: shownArgs(raw) };
}

function toCorrectionAnswer({ id, located, error, text }: AnsweredCall): ToolMessage {
  return new ToolMessage({
    content: text ?? error?.toModelMessage() ?? HELD,
    tool_call_id: id,
    name: located.call.name ?? "",
    status: error === undefined ? "success" : "error",
  });
}
