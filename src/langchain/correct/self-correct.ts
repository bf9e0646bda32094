import {
  type AIMessage,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from "@langchain/core/messages";
import type { ToolInputError } from "../../repair/errors.ts";
import { emitCall, emitCorrections } from "../../repair/events/report.ts";
import type { JsonObject, JsonValue } from "../../repair/types.ts";
import { boundRecord, isAIMessage, recordsAsMetadata, shownArgs } from "../message/messages.ts";
import type { RepairCallsOptions } from "../message/options.ts";
import { type JudgedCall, type MessageCalls, repairAllCalls } from "../message/repair.ts";
import { rewriteLocatedCalls, rewriteMessage } from "../message/rewrite.ts";
import { callKey } from "./later-calls.ts";

interface SelfCorrecting {
  readonly messages: readonly BaseMessage[];
  readonly tools: readonly unknown[];
  readonly maxAttempts?: number | undefined;
  /** Asks the model. The answer may be a state update of LangChain's own. */
  ask(messages: readonly BaseMessage[]): Promise<unknown>;
}

/** Lets a model correct the rejected calls of its message, outside of the history, while no tool runs. */
export async function correctAnswer(
  response: AIMessage,
  first: MessageCalls,
  { messages, tools, ask, maxAttempts = 2 }: SelfCorrecting,
  repairing: RepairCallsOptions,
): Promise<MessageCalls | { readonly other: unknown }> {
  const seen = new Set<string>();
  let [asked, answer, last, fresh] = [messages, first, response, first];
  for (let attempt = 1; attempt < maxAttempts; attempt++) {
    const refused = answer.calls.filter(isRefused);
    const mistakes = fresh.calls.flatMap(({ error }) =>
      error === undefined ? [] : callKey(error.toolName, error.causingData),
    );
    if (refused.length === 0 || mistakes.some((one) => seen.has(one))) break;
    for (const one of mistakes) seen.add(one);
    asked = [...asked, ...correctionMessages(last, fresh, refused)];
    const next = await ask(asked);
    if (!isAIMessage(next)) return { other: next };
    last = next;
    const reports: Parameters<typeof emitCall>[] = [];
    const report = (...one: Parameters<typeof emitCall>) => void reports.push(one);
    const history = [...(repairing.history ?? []), ...asked.slice(messages.length)];
    fresh = await repairAllCalls(next, tools, { ...repairing, history, report });
    const merged = mergeAnswers(answer, fresh);
    answer = merged.answer;
    const taken = new Set<unknown>(merged.pairs.map(({ made }) => made.id));
    for (const [outcome, context] of reports) {
      const isLeftOut = answer !== fresh && !taken.has(context.toolCall?.id);
      if (!isLeftOut || outcome.resolution.kind !== "run") await emitCall(outcome, context);
    }
    const corrected = merged.pairs.filter(isAccepted);
    const corrections = corrected.map(({ call, made }) => {
      const [error, toolInput] = [call.error as ToolInputError, made.args as JsonValue];
      const { tool } = call;
      return { error, tool, source: "self-correct" as const, by: made.id, toolInput };
    });
    await emitCorrections(() => corrections, repairing);
    if (fresh.calls.length === 0) break;
  }
  return answer;
}

/** Makes the messages that ask a model to correct its calls, in a form that any provider accepts. */
function correctionMessages(
  message: AIMessage,
  { calls }: MessageCalls,
  refused: readonly JudgedCall[],
): readonly BaseMessage[] {
  const located = calls.map(({ read }) => read.located);
  const rewritten = calls.map(({ read: { located: one, id, name, raw, record } }) => {
    return [one, { id, name, args: shownArgs(record?.rawToolInput ?? raw) }] as const;
  });
  const answers = calls.map(({ read: { id, name }, error, refusal }) => {
    const status = error === undefined ? "success" : "error";
    return new ToolMessage({ content: refusal ?? HELD, tool_call_id: id, name, status });
  });
  const shown = rewriteLocatedCalls(message, located, new Map(rewritten));
  return [shown, ...answers, new HumanMessage(toRequest(refused))];
}

const HELD =
  "Accepted. It runs as soon as the other calls are accepted too. Do not make this call again.";

function toRequest(refused: readonly JudgedCall[]): string {
  const names = [...new Set(refused.map(({ error }) => `"${error?.toolName}"`))].join(", ");
  const those = refused.length === 1 ? "that call" : "those calls";
  const what = `Not accepted, and not run: ${refused.length} of the last tool calls (${names}).`;
  return `${what} Make ${those} again with corrected arguments. Do not repeat the mistakes.`;
}

const isRefused = ({ error }: JudgedCall) => error !== undefined;
const isAccepted = ({ made }: Pair) => made.refusal === undefined && !made.isUnknown;

/** A rejected call, and the new one that replaces it. */
interface Pair {
  readonly call: JudgedCall;
  readonly made: JudgedCall;
}

/**
 * Merges a model's message and its corrected answer. If the first has no valid calls, the new one
 * stands alone. Otherwise each corrected call takes the place of a rejected one, and further calls
 * are left out, because the correction did not ask for them.
 */
function mergeAnswers(
  before: MessageCalls,
  next: MessageCalls,
): { readonly answer: MessageCalls; readonly pairs: readonly Pair[] } {
  const pairs = pairCalls(before.calls, next.calls);
  if (before.calls.every(isRefused)) return { answer: next, pairs };
  const replaced = pairs.map(({ call: { id }, made }) => {
    const record = { rawToolInput: made.read.raw as JsonValue, repairs: [], ...made.record, id };
    return { ...made, id, record: boundRecord(record, made) };
  });
  const calls = before.calls.map((call) => replaced.find(({ id }) => id === call.id) ?? call);
  const records = replaced.map(({ record }) => record);
  const message = rewriteMessage(
    before.message,
    replaced.map(({ id, name, args }) => ({ id, name, args: args as JsonObject })),
    recordsAsMetadata(before.message, records),
  );
  return { answer: { message, calls }, pairs };
}

/**
 * Pairs rejected calls with their corrections, which are calls of the same tool. Repeated calls never
 * run again. Of more candidates than calls to correct none is taken: their order never decides.
 */
function pairCalls(before: readonly JudgedCall[], made: readonly JudgedCall[]): readonly Pair[] {
  const refused = before.filter(isRefused);
  const keyOf = ({ name, args }: JudgedCall) => callKey(name, args);
  const waiting = new Set(before.filter((call) => !isRefused(call)).map(keyOf));
  const fresh = made.filter((call) => !waiting.has(keyOf(call)));
  return [...new Set(refused.map(({ name }) => name))].flatMap((name) => {
    const calls = refused.filter((call) => call.name === name);
    const candidates = fresh.filter((call) => call.name === name);
    if (candidates.length !== calls.length) return [];
    return candidates.map((one, index) => ({ call: calls[index] as JudgedCall, made: one }));
  });
}
