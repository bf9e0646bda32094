import type { AIMessage, BaseMessage, ToolCall, ToolMessage } from "@langchain/core/messages";
import { repairToolInput } from "../../repair/repair-tool-input.ts";
import type { ToolLike } from "../../repair/types.ts";
import { isAIMessage, isToolMessage } from "../calls/is-ai-message.ts";
import { withAnswerFields } from "../calls/with-fields.ts";

/** A tool's refusal of its input, with the call. */
export interface InputError {
  readonly answer: ToolMessage;
  readonly call: ToolCall;
  /** The message that made the call. */
  readonly asked: AIMessage;
}

/**
 * Finds the answers by which LangChain told a model that a tool refused its input. No tool has run
 * where there is one.
 *
 * @param messages The history.
 */
export function findInputErrors(messages: readonly BaseMessage[]): readonly InputError[] {
  return messages.flatMap((answer, index) => {
    if (!isToolMessage(answer)) return [];
    const asked = messages.slice(0, index).findLast(isAIMessage);
    const call = asked?.tool_calls?.find(({ id }) => id === answer.tool_call_id);
    if (asked === undefined || call === undefined || !isInputRefusal(answer, call)) return [];
    return [{ answer, call, asked }];
  });
}

/** How the message begins that LangChain sends the model where a tool refuses its input. */
function isInputRefusal({ content, status }: ToolMessage, { name, args }: ToolCall): boolean {
  const begin = `Error invoking tool '${name}' with kwargs ${JSON.stringify(args)} with error: `;
  // LangChain 1.0 says nothing of the status.
  return status !== "success" && typeof content === "string" && content.startsWith(begin);
}

/**
 * Replaces LangChain's message, which holds a stack trace with absolute paths, by what a model can
 * act on.
 *
 * @param error The refusal.
 * @param tools The tools; without the one that was called, only the stack trace is left out.
 * @returns A new answer.
 */
export async function withoutStack(
  { answer, call }: InputError,
  tools: readonly ToolLike[],
): Promise<ToolMessage> {
  const tool = tools.find(({ name }) => name === call.name);
  const result = tool && (await repairToolInput(call.args, tool, { level: "strict" }));
  const text =
    result?.ok === false
      ? result.error.toModelMessage()
      : (answer.content as string).replace(/\n\s+at [^\n]*/g, "");
  return withAnswerFields(answer, { content: text });
}
