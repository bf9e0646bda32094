import {
  type AIMessage,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
  type UsageMetadata,
} from "@langchain/core/messages";
import type { ToolInputError } from "../../repair/errors.ts";
import { emitCorrections } from "../../repair/events/emit.ts";
import { canonicalJson } from "../../repair/json/canonical-json.ts";
import { digestOf } from "../../repair/json/digest.ts";
import { isJsonObject } from "../../repair/json/json-value.ts";
import type { JsonValue } from "../../repair/types.ts";
import { isAIMessage, shownArgs, sinceSpoken, withFields } from "../message/messages.ts";
import type { RepairCallsOptions } from "../message/options.ts";
import { locateCalls } from "../message/read.ts";
import { ownMetadata, recordsAsMetadata, withMetadata } from "../message/records.ts";
import { type JudgedCall, type MessageCalls, repairCalls } from "../message/repair.ts";
import { type HistoryCall, rewriteLocatedCalls } from "../message/rewrite.ts";
import { pairCorrections } from "./pair-corrections.ts";

// Exported from here because a second lazily loaded chunk makes the bundle larger.
export { findLaterCorrections } from "./later-calls.ts";

/** The question to a model, and how to repeat it. */
export interface ModelQuestion {
  readonly messages: readonly BaseMessage[];
  readonly tools: readonly unknown[];
  /** Asks again. The answer may be a state update of LangChain's own. */
  ask(messages: readonly BaseMessage[]): Promise<unknown>;
}

/** A mistake that the model was shown, and the call that replaces it. Kept with the message. */
interface KeptMistake {
  readonly toolName: string;
  /** Hash of what the model wrote. */
  readonly hash: string;
  /** The id of the call that was rejected. */
  readonly of: string;
  /** The id of the call in the message that replaces it; absent if none does. */
  readonly by?: string;
}

/**
 * Lets a model correct the rejected calls of its message. The exchange does not become part of the
 * history, and no tool runs meanwhile. It ends when the model repeats a mistake that it was shown
 * since the user's last message.
 */
export async function correctAnswer(
  response: AIMessage,
  first: MessageCalls,
  { messages, tools, ask }: ModelQuestion,
  repairing: RepairCallsOptions,
  { maxAttempts = 2 }: { readonly maxAttempts?: number | undefined },
): Promise<MessageCalls | { readonly other: unknown }> {
  const kept: (Omit<KeptMistake, "by"> & { readonly call: JudgedCall; by?: string })[] = [];
  const past = sinceSpoken(messages).filter(isAIMessage).flatMap(keptMistakesOf);
  const seen = new Set(past.map(mistakeKey));
  let [asked, answer, last, fresh] = [messages, first, response, first];
  let usage = response.usage_metadata;
  for (let attempt = 1; attempt < maxAttempts; attempt++) {
    const refused = answer.calls.filter(({ error }) => error !== undefined);
    const mistakes = fresh.calls.flatMap(({ error }) =>
      error ? [mistakeKey(toMistake(error))] : [],
    );
    if (refused.length === 0 || mistakes.some((one) => seen.has(one))) break;
    for (const one of mistakes) seen.add(one);
    asked = [...asked, ...correctionMessages(last, fresh, refused)];
    const next = await ask(asked);
    if (!isAIMessage(next)) return { other: next };
    for (const call of refused) {
      kept.push({ ...toMistake(call.error as ToolInputError), of: call.id, call });
    }
    last = next;
    usage = addUsage(usage, next.usage_metadata);
    fresh = await repairCalls(next, tools, { ...repairing, history: asked });
    const merged = mergeAnswers(answer, fresh);
    answer = merged.answer;
    const corrected = merged.corrected.filter(({ made }) => made.refusal === undefined);
    for (const { call, by } of corrected) {
      for (const one of kept) if (one.call === call) one.by = by.id;
    }
    const find = () => corrected.map(toCorrection);
    await emitCorrections(find, repairing);
    if (fresh.calls.length === 0) break;
  }
  if (kept.length === 0) return answer;
  // The history lacks the mistakes; these records identify them later.
  const corrections = kept.map(({ call: _, ...mistake }) => mistake);
  const message = withFields(answer.message, {
    response_metadata: withMetadata(answer.message, { corrections }),
    ...(usage && { usage_metadata: usage }),
  });
  return { ...answer, message };
}

/**
 * Makes the messages that ask a model to correct its calls: its own message with the malformed
 * call, an answer to each of its calls (providers insist on it), and the request. Includes calls
 * that LangChain leaves out, and writes arguments as JSON objects, so that any provider accepts
 * them.
 */
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

/** Tells the model that a call is accepted and waits for the others. */
const HELD =
  "Accepted. It runs as soon as the other calls are accepted too. Do not make this call again.";

function toRequest(refused: readonly JudgedCall[]): string {
  const names = [...new Set(refused.map(({ error }) => `"${error?.toolName}"`))];
  return refused.length === 1
    ? [
        `The last call of the tool ${names[0]} was not accepted, and nothing was run.`,
        "Call it again with corrected arguments. Do not repeat the mistake.",
      ].join(" ")
    : [
        `${refused.length} of the last tool calls were not accepted: of ${names.join(", ")}.`,
        "Make those calls again with corrected arguments. Do not repeat the mistakes.",
      ].join(" ");
}

function toMistake({ toolName, causingData }: ToolInputError) {
  return { toolName, hash: digestOf(canonicalJson(causingData ?? null)).hash };
}

function mistakeKey({ toolName, hash }: Pick<KeptMistake, "toolName" | "hash">): string {
  return `${toolName} ${hash}`;
}

function keptMistakesOf(message: AIMessage): readonly KeptMistake[] {
  const { corrections } = ownMetadata(message);
  return Array.isArray(corrections) ? (corrections as unknown as readonly KeptMistake[]) : [];
}

/** A rejected call, its replacement, and the call that stands for both. */
interface Corrected {
  readonly call: JudgedCall;
  readonly made: JudgedCall;
  readonly by: JudgedCall;
}

function toCorrection({ call, made }: Corrected) {
  const error = call.error as ToolInputError;
  return {
    error,
    source: "self-correct" as const,
    by: made.id,
    toolInput: made.args as JsonValue,
  };
}

/**
 * Merges a model's message and its corrected answer. If the first has no valid calls, the new one
 * stands alone, provided that it has enough calls. Otherwise each corrected call takes the place of
 * a rejected one. Any further call is left out, for the model's next turn: it was not asked for.
 */
function mergeAnswers(
  before: MessageCalls,
  next: MessageCalls,
): { readonly answer: MessageCalls; readonly corrected: readonly Corrected[] } {
  const refused = before.calls.filter(({ error }) => error !== undefined);
  const held = before.calls.filter(({ error }) => error === undefined);
  if (held.length === 0 && next.calls.length === 0) return { answer: next, corrected: [] };
  const made = next.calls;
  const pairs = pairCorrections({ held, refused, made }, ({ name, args }) => {
    return { name, input: args };
  });
  if (held.length === 0 && made.length >= refused.length) {
    return {
      answer: next,
      corrected: [...pairs].map(([call, one]) => ({ call, made: one, by: one })),
    };
  }
  const located = locateCalls(before.message);
  const rewritten = new Map<(typeof located)[number], HistoryCall>();
  const corrected: Corrected[] = [];
  const calls = before.calls.map((call) => {
    const one = pairs.get(call);
    const place = located.find(({ call: { id } }) => id === call.id);
    if (one === undefined || place === undefined) return call;
    const { id } = call;
    const by = { ...one, id, record: { repairs: [], ...one.record, id } };
    rewritten.set(place, { id, name: one.name, args: one.args as HistoryCall["args"] });
    corrected.push({ call, made: one, by });
    return by;
  });
  const records = corrected.map(({ by }) => by.record as NonNullable<JudgedCall["record"]>);
  const metadata = recordsAsMetadata(before.message, records);
  const message = rewriteLocatedCalls(before.message, located, rewritten, { metadata });
  return { answer: { message, calls }, corrected };
}

/** Adds up the usage of two attempts; details are objects of numbers whose keys differ by provider. */
function addUsage(
  one: UsageMetadata | undefined,
  other: UsageMetadata | undefined,
): UsageMetadata | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return addNumbers({ ...one }, { ...other }) as unknown as UsageMetadata;
}

function addNumbers(one: Record<string, unknown>, other: Record<string, unknown>) {
  const sum = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const mine = sum[key];
    if (typeof value === "number" && typeof mine === "number") sum[key] = mine + value;
    else if (isJsonObject(value) && isJsonObject(mine)) sum[key] = addNumbers(mine, value);
    else sum[key] = value ?? mine;
  }
  return sum;
}
