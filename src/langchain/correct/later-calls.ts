import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import {
  correctionsBy,
  type TurnCall,
  type TurnCalls,
} from "../../repair/events/later-calls.ts";
import type { Correction } from "../../repair/events/report.ts";
import type { JsonValue, ToolLike } from "../../repair/types.ts";
import {
  answersIn,
  type CallRecord,
  isAIMessage,
  isEdited,
  recordsById,
  writtenArgs,
} from "../message/messages.ts";

/**
 * Finds which calls of a model's message correct calls that were rejected since
 * the user's last message.
 */
export function findLaterCorrections(
  message: AIMessage,
  since: readonly BaseMessage[],
  tools: readonly ToolLike[],
): Promise<readonly Correction[]> {
  const answers = answersIn(since);
  const hasRun = (id: string) =>
    answers.has(id) && answers.get(id)?.status !== "error";
  const turns = since
    .filter(isAIMessage)
    .map((earlier) => readTurn(earlier, hasRun));
  // Calls that toolmend let pass are about to run.
  return correctionsBy(
    readTurn(message, () => true),
    turns,
    tools,
  );
}

/**
 * Reads the outcome of each call of a model's message; leaves out calls that a
 * handler answered, and those that were edited since.
 */
function readTurn(
  message: AIMessage,
  hasRun: (id: string) => boolean,
): TurnCalls {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const records = recordsById(message);
  const calls: Record<OutcomeOfCall, TurnCall[]> = {
    refused: [],
    accepted: [],
    ignored: [],
  };
  for (const { id, name, args } of [...tool_calls, ...invalid_tool_calls]) {
    if (!id || !name) continue;
    const record = records.get(id);
    const written = record === undefined ? args : record.rawToolInput;
    const call: TurnCall = {
      id,
      toolName: name,
      rawToolInput: written as JsonValue | undefined,
      toolInput: args as JsonValue,
    };
    calls[outcomeOf(call, record, hasRun(id))].push(call);
  }
  return calls;
}

type OutcomeOfCall = "refused" | "accepted" | "ignored";

function outcomeOf(
  { toolName, toolInput }: TurnCall,
  record: CallRecord | undefined,
  hasRun: boolean,
): OutcomeOfCall {
  if (record?.repairs.some(({ fixer }) => fixer === "onUnfixable"))
    return "ignored";
  if (record?.error === undefined) return hasRun ? "accepted" : "ignored";
  const current = { name: toolName, args: writtenArgs(toolInput) ?? {} };
  return isEdited(current, record) ? "ignored" : "refused";
}
