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
  const refused: TurnCall[] = [];
  const accepted: TurnCall[] = [];
  for (const { id, name, args } of [...tool_calls, ...invalid_tool_calls]) {
    if (!id || !name) continue;
    const record = records.get(id);
    if (record?.repairs.some(({ fixer }) => fixer === "onUnfixable")) continue;
    const written = record === undefined ? args : record.rawToolInput;
    const call = {
      id,
      toolName: name,
      rawToolInput: written as JsonValue | undefined,
      toolInput: args as JsonValue,
    };
    if (record?.error === undefined) {
      if (hasRun(id)) accepted.push(call);
      continue;
    }
    const current = { name, args: writtenArgs(args) ?? {} };
    if (!isEdited(current, record)) refused.push(call);
  }
  return { refused, accepted };
}
