import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Correction } from "../../repair/events/report.ts";
import { isJsonObject, sharesValue } from "../../repair/json.ts";
import type { JsonValue, ToolLike } from "../../repair/types.ts";
import {
  answersIn,
  isAIMessage,
  isEdited,
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
  const answers = answersIn(since);
  const turns = since.filter(isAIMessage).map((earlier) => readTurn(earlier, answers));
  const ran = turns.flatMap((turn) => turn.filter(({ hasRun }) => hasRun));
  const known = new Set(ran.map(keyOf));
  // Calls that toolmend let pass are about to run.
  const passed = readTurn(message, new Map()).filter(({ isRefused }) => !isRefused);
  const fresh = passed.filter((call) => !known.has(keyOf(call)));
  const corrections: Correction[] = [];
  for (const [refused, by] of turns.flatMap((_, at) => pairCalls(turns, at, fresh))) {
    const tool = tools.find(({ name }) => name === refused.name);
    if (tool === undefined) continue;
    const error = await refusedInput(refused, tool);
    corrections.push({ error, tool, source: "later-call", by: by.id, toolInput: by.input });
  }
  return corrections;
}

/** Pairs the rejected calls of a turn that no later turn has corrected with new calls. */
function pairCalls(
  turns: readonly (readonly TurnCall[])[],
  at: number,
  fresh: readonly TurnCall[],
): readonly (readonly [TurnCall, TurnCall])[] {
  const later = turns.slice(at + 1).flatMap((turn) => turn.filter(({ hasRun }) => hasRun));
  const refused = turns[at]?.filter(({ isRefused }) => isRefused) ?? [];
  const open = refused.filter((call) => !later.some((ran) => corrects(ran, call)));
  const pairs: [TurnCall, TurnCall][] = [];
  for (const call of open) {
    const candidates = fresh.filter((candidate) => corrects(candidate, call));
    const [by] = candidates;
    if (by === undefined || candidates.length > 1) continue;
    const corrected = open.filter((rejected) => corrects(by, rejected));
    if (corrected.length === 1) pairs.push([call, by]);
  }
  return pairs;
}

function keyOf({ name, input }: TurnCall): string {
  return callKey(name, input);
}

function corrects({ name, input }: TurnCall, refused: TurnCall): boolean {
  return name === refused.name && refused.raw !== undefined && sharesValue(refused.raw, input);
}

/** Reads the outcome of each call of a model's message; leaves out calls that were edited since. */
function readTurn(
  message: AIMessage,
  answers: ReadonlyMap<string, ToolMessage>,
): readonly TurnCall[] {
  const { tool_calls = [], invalid_tool_calls = [] } = message;
  const records = new Map(recordsOf(message).map((record) => [record.id, record]));
  const calls: TurnCall[] = [];
  for (const { id, name, args } of [...tool_calls, ...invalid_tool_calls]) {
    if (!id || !name) continue;
    const record = records.get(id);
    const isHandled = record?.repairs.some(({ fixer }) => fixer === "onUnfixable");
    const isRefused = record?.error !== undefined;
    const isChanged = isRefused && isEdited({ name, args: writtenArgs(args) ?? {} }, record);
    if (isHandled || isChanged) continue;
    const answer = answers.get(id);
    const hasRun = !isRefused && answer !== undefined && answer.status !== "error";
    const raw = (record === undefined ? args : record.rawToolInput) as JsonValue | undefined;
    calls.push({ id, name, raw, input: args as JsonValue, isRefused, hasRun });
  }
  return calls;
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
  const fields = Object.entries(value)
    .map(([key, field]) => [key, plain(field)] as const)
    .filter(([, field]) => field !== null && field !== "")
    .sort(([left], [right]) => (left < right ? -1 : 1));
  // A list, because an object puts keys that are numbers first.
  return { fields };
}
