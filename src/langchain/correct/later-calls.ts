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
 * Reads the outcome of each call of a model's message; leaves out calls that
 * were edited since.
 */
function readTurn(
  message: AIMessage,
  hasRun: (id: string) => boolean,
): TurnCalls {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const records = recordsById(message);
  const refused: TurnCall[] = [];
  const accepted: TurnCall[] = [];
  for (const { id, name: toolName, args } of [
    ...tool_calls,
    ...invalid_tool_calls,
  ]) {
    if (!id || !toolName) continue;
    const record = records.get(id);
    const isHandled = record?.repairs.some(
      ({ fixer }) => fixer === "onUnfixable",
    );
    const isRefused = record?.error !== undefined;
    const isChanged =
      isRefused &&
      isEdited({ name: toolName, args: writtenArgs(args) ?? {} }, record);
    if (isHandled || isChanged) continue;
    const rawToolInput = (record === undefined ? args : record.rawToolInput) as
      | JsonValue
      | undefined;
    const call = { id, toolName, rawToolInput, toolInput: args as JsonValue };
    if (isRefused) refused.push(call);
    else if (hasRun(id)) accepted.push(call);
  }
  return { refused, accepted };
}
