import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Correction } from "../../repair/events/report.ts";
import { isJsonObject, sharesValue } from "../../repair/json.ts";
import type { JsonValue, ToolLike } from "../../repair/types.ts";
import {
  isAIMessage,
  isEdited,
  isToolMessage,
  recordsOf,
  refusedInput,
  writtenArgs,
} from "../message/messages.ts";

/** A call of a model's turn, as the history shows it. */
interface TurnCall {
  readonly id: string;
  readonly name: string;
  /** What the model wrote; `undefined` if the message no longer has it. */
  readonly raw: JsonValue | undefined;
  /** Its present input; if it ran, the one it ran with. */
  readonly input: JsonValue;
  /** Whether it was rejected as the model wrote it. */
  readonly isRefused: boolean;
  /** Whether it ran without an error. */
  readonly hasRun: boolean;
}

/**
 * Finds which calls of a model's message correct calls that were rejected since the user's last
 * message: calls of the same tool that share a value with the rejected one. If two rejected calls
 * of one turn, or two new calls, match, the pairing is ambiguous and none is taken.
 */
export async function findLaterCorrections(
  message: AIMessage,
  since: readonly BaseMessage[],
  tools: readonly ToolLike[],
): Promise<readonly Correction[]> {
  const answers = since.filter(isToolMessage);
  const turns = since.filter(isAIMessage).map((one) => readTurn(one, answers));
  const hasRun = (turn: readonly TurnCall[]) => turn.filter((call) => call.hasRun);
  const open = turns.map((turn, index) => {
    const later = turns.slice(index + 1).flatMap(hasRun);
    return turn.filter((one) => one.isRefused && !later.some((call) => corrects(call, one)));
  });
  const held = new Set(turns.flatMap(hasRun).map(({ name, input }) => callKey(name, input)));
  // Calls that toolmend let pass are about to run.
  const made = readTurn(message, []).filter(({ isRefused }) => !isRefused);
  const fresh = made.filter(({ name, input }) => !held.has(callKey(name, input)));
  const found = open.flatMap((calls) =>
    calls.flatMap((refused) => {
      const [by, ...others] = fresh.filter((one) => corrects(one, refused));
      if (by === undefined || others.length > 0) return [];
      return calls.filter((one) => corrects(by, one)).length === 1 ? [{ refused, by }] : [];
    }),
  );
  const corrections: Correction[] = [];
  for (const { refused, by } of found) {
    const tool = tools.find(({ name }) => name === refused.name);
    if (tool === undefined) continue;
    const error = await refusedInput(refused, tool);
    corrections.push({ error, tool, source: "later-call", by: by.id, toolInput: by.input });
  }
  return corrections;
}

function corrects({ name, input }: TurnCall, refused: TurnCall): boolean {
  return name === refused.name && refused.raw !== undefined && sharesValue(refused.raw, input);
}

/** Reads the outcome of each call of a model's message; leaves out calls that were edited since. */
function readTurn(message: AIMessage, answers: readonly ToolMessage[]): readonly TurnCall[] {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const records = new Map(recordsOf(message).map((record) => [record.id, record]));
  return [...tool_calls, ...invalid_tool_calls].flatMap((call): readonly TurnCall[] => {
    const { id, name, args } = call;
    if (!id || !name) return [];
    const record = records.get(id);
    const isRefused = record?.error !== undefined;
    const isHandled = record?.repairs.some(({ fixer }) => fixer === "onUnfixable") ?? false;
    if (isHandled || (isRefused && isEdited({ name, args: writtenArgs(args) ?? {} }, record)))
      return [];
    const answer = answers.find(({ tool_call_id }) => tool_call_id === id);
    const hasRun = !isRefused && answer !== undefined && answer.status !== "error";
    const raw = (record === undefined ? args : record.rawToolInput) as JsonValue | undefined;
    return [{ id, name, raw, input: args as JsonValue, isRefused, hasRun }];
  });
}

/** One text for all calls that do the same, regardless of key order, spacing and empty fields. */
export function callKey(name: string, args: unknown): string {
  return JSON.stringify([name, plain(args)]);
}

function plain(value: unknown): unknown {
  if (typeof value === "string") return value.trim().replace(/\s+/g, " ");
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isJsonObject(value)) return value;
  const isGiven = ([, field]: [string, unknown]) => field !== null && field !== "";
  const fields = Object.entries(value)
    .map(([key, field]): [string, unknown] => [key, plain(field)])
    .filter(isGiven)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  // A list, because an object puts keys that are numbers first.
  return { fields };
}
