import {
  type AIMessage,
  type BaseMessage,
  type ToolCall,
  ToolMessage,
} from "@langchain/core/messages";
import { callRecordsOf } from "../calls/call-records.ts";
import { isAIMessage } from "../calls/is-ai-message.ts";
import { isAsRefused } from "../calls/is-as-refused.ts";
import { completeToolMessages, type SettleOptions } from "../calls/settle-tool-calls.ts";
import type { InvocableTool } from "../tool/invocable-tool.ts";
import { viewOf } from "../tool/view-of.ts";
import { marksOf } from "../trace/marks-of.ts";
import type { TraceOptions } from "../trace/trace-options.ts";
import { withMarks } from "../trace/with-marks.ts";

/**
 * Makes a model's message such that refused calls are tool calls as all others, in the model's order:
 * the agent goes on to its tools by itself, and `answerAtTools` answers for them.
 *
 * @param message The message, repaired.
 * @param options Whether calls that LangChain could not read are among them.
 */
export function withRefusedCalls(message: AIMessage, options: SettleOptions): AIMessage {
  const [settled] = completeToolMessages([message], { ...options, isOver: false });
  return settled as AIMessage;
}

/** What LangChain's `wrapToolCall` is given. */
export interface ToolCallRequest {
  readonly toolCall: ToolCall;
  readonly tool?: unknown;
  readonly state: { readonly messages: readonly BaseMessage[] };
}

/**
 * Answers a call that was refused, and says in the metadata of a tool's run that its input was
 * repaired. All other calls are handed on as they are.
 *
 * @param request The call.
 * @param options What tracers are shown.
 * @returns The answer; or the request that is to be handed on.
 */
export function answerAtTools<Request extends ToolCallRequest>(
  request: Request,
  { trace }: TraceOptions,
): ToolMessage | Request {
  const { toolCall, tool, state } = request;
  const asked = state.messages.findLast(isAIMessage);
  const record = asked && callRecordsOf(asked).find(({ id }) => id === toolCall.id);
  if (record === undefined) return request;
  if (record.error !== undefined && isAsRefused(toolCall, record)) {
    const { id = "", name } = toolCall;
    return new ToolMessage({ content: record.error, tool_call_id: id, name, status: "error" });
  }
  const { repairs, nameRepair } = record;
  if (tool === undefined || repairs.length === 0 || trace === false) return request;
  const invocable = tool as InvocableTool;
  const marks = marksOf({ outcome: "repaired", repairs, nameRepair });
  const invoke: InvocableTool["invoke"] = (input, config) =>
    invocable.invoke(input, withMarks(config, marks));
  return { ...request, tool: viewOf(invocable, { invoke }) };
}
