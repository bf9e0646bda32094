import {
  type AIMessage,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { callKey } from "../../repair/events/later-calls.ts";
import { emitCall, emitCorrections } from "../../repair/events/report.ts";
import type { JsonObject, JsonValue } from "../../repair/types.ts";
import {
  boundRecord,
  isAIMessage,
  recordsAsMetadata,
  shownArgs,
} from "../message/messages.ts";
import type { RepairCallsOptions } from "../message/options.ts";
import {
  isUnhandled,
  type JudgedCall,
  type MessageCalls,
  repairAllCalls,
  type UnhandledOutcome,
} from "../message/repair.ts";
import { rewriteLocatedCalls, rewriteMessage } from "../message/rewrite.ts";

interface SelfCorrecting {
  readonly messages: readonly BaseMessage[];
  readonly tools: readonly unknown[];
  readonly maxAttempts?: number | undefined;
  /** Asks the model. The answer may be a state update of LangChain's own. */
  ask(messages: readonly BaseMessage[]): Promise<unknown>;
}

/**
 * Lets a model correct the rejected calls of its message, outside of the
 * history, while no tool runs.
 */
export async function correctAnswer(
  response: AIMessage,
  first: MessageCalls,
  { messages, tools, ask, maxAttempts = 2 }: SelfCorrecting,
  repairing: RepairCallsOptions,
): Promise<MessageCalls | { readonly other: unknown }> {
  const mistakes = new Set<string>();
  let asked = messages;
  let answer = first;
  // The model's last message, as it wrote it, and its calls.
  let last = response;
  let fresh = first;
  for (let attempt = 1; attempt < maxAttempts; attempt++) {
    const rejected = answer.calls.filter(isUnhandled);
    if (rejected.length === 0) return answer;
    if (isRepeated(mistakesIn(fresh), mistakes)) return answer;
    asked = [...asked, ...correctionMessages(last, fresh, rejected)];
    const next = await ask(asked);
    if (!isAIMessage(next)) return { other: next };
    last = next;
    const questions = asked.slice(messages.length);
    const judged = await judgeAgain(next, questions, tools, repairing);
    fresh = judged.repaired;
    const merged = mergeAnswers(answer, fresh);
    answer = merged.answer;
    await emitCalls(judged.reports, merged.leftOut);
    const corrections = merged.pairs.filter(isAccepted).map(toCorrection);
    await emitCorrections(() => corrections, repairing);
    if (fresh.calls.length === 0) return answer;
  }
  return answer;
}

/** Repairs the model's new answer, and keeps the reports of its calls. */
async function judgeAgain(
  message: AIMessage,
  questions: readonly BaseMessage[],
  tools: readonly unknown[],
  repairing: RepairCallsOptions,
): Promise<{ repaired: MessageCalls; reports: readonly CallReport[] }> {
  const reports: CallReport[] = [];
  const { history = [] } = repairing;
  const repaired = await repairAllCalls(message, tools, {
    ...repairing,
    history: [...history, ...questions],
    report: (...call) => void reports.push(call),
  });
  return { repaired, reports };
}

function mistakesIn({ calls }: MessageCalls): readonly string[] {
  return calls
    .filter(isUnhandled)
    .map(({ error }) => callKey(error.toolName, error.causingData));
}

/**
 * Whether one of these mistakes was made before; if not, they are remembered.
 */
function isRepeated(mistakes: readonly string[], before: Set<string>): boolean {
  if (mistakes.some((mistake) => before.has(mistake))) return true;
  for (const mistake of mistakes) before.add(mistake);
  return false;
}

type CallReport = Parameters<typeof emitCall>;

/** Reports the new calls, without those that would run, and are left out. */
async function emitCalls(
  reports: readonly CallReport[],
  leftOut: ReadonlySet<unknown>,
): Promise<void> {
  for (const [outcome, context] of reports) {
    const wouldRun = outcome.resolution.kind === "run";
    if (wouldRun && leftOut.has(context.toolCall?.id)) continue;
    await emitCall(outcome, context);
  }
}

function toCorrection({ call, corrected }: CorrectedCall) {
  return {
    error: call.error,
    tool: call.tool,
    source: "self-correct" as const,
    by: corrected.id,
    toolInput: corrected.args as JsonValue,
  };
}

/**
 * Makes the messages that ask a model to correct its calls, in a form that any
 * provider accepts.
 */
function correctionMessages(
  message: AIMessage,
  { calls }: MessageCalls,
  rejected: readonly UnhandledOutcome[],
): readonly BaseMessage[] {
  const located = calls.map(({ read }) => read.located);
  const rewritten = calls.map(({ read }) => {
    const { id, name, raw, record } = read;
    return [
      read.located,
      { id, name, args: shownArgs(record?.rawToolInput ?? raw) },
    ] as const;
  });
  const answers = calls.map((call) => {
    const { id, name } = call.read;
    return new ToolMessage({
      content: call.kind === "rejected" ? call.refusal : HELD,
      tool_call_id: id,
      name,
      status: isUnhandled(call) ? "error" : "success",
    });
  });
  const shown = rewriteLocatedCalls(message, located, new Map(rewritten));
  return [shown, ...answers, new HumanMessage(toRequest(rejected))];
}

const HELD =
  "Accepted. It runs as soon as the other calls are accepted too. Do not make this call again.";

function toRequest(rejected: readonly UnhandledOutcome[]): string {
  const quoted = rejected.map(({ error }) => `"${error.toolName}"`);
  const names = [...new Set(quoted)].join(", ");
  const those = rejected.length === 1 ? "that call" : "those calls";
  const what = `Not accepted, and not run: ${rejected.length} of the last tool calls (${names}).`;
  return `${what} Make ${those} again with corrected arguments. Do not repeat the mistakes.`;
}

/** A rejected call, and the new one that replaces it. */
interface CorrectedCall {
  readonly call: UnhandledOutcome;
  readonly corrected: JudgedCall;
}

function isAccepted({ corrected }: CorrectedCall): boolean {
  return corrected.kind === "accepted";
}

/** A model's message, and its corrected answer, in one. */
interface MergedAnswers {
  readonly answer: MessageCalls;
  readonly pairs: readonly CorrectedCall[];
  /** The ids of new calls that correct none, and so do not run. */
  readonly leftOut: ReadonlySet<unknown>;
}

/**
 * Merges a model's message and its corrected answer. If the first has no valid
 * calls, the new one stands alone. Otherwise each corrected call takes the
 * place of a rejected one, and further calls are left out, because the
 * correction did not ask for them.
 */
function mergeAnswers(before: MessageCalls, next: MessageCalls): MergedAnswers {
  const pairs = pairCalls(before.calls, next.calls);
  if (before.calls.every(isUnhandled))
    return { answer: next, pairs, leftOut: new Set() };
  const replaced = new Map(
    pairs.map((pair) => [pair.call.id, replacementOf(pair)]),
  );
  const calls = before.calls.map((call) => replaced.get(call.id) ?? call);
  const replacements = [...replaced.values()];
  const message = rewriteMessage(
    before.message,
    replacements.map(({ id, name, args }) => ({
      id,
      name,
      args: args as JsonObject,
    })),
    recordsAsMetadata(
      before.message,
      replacements.map(({ record }) => record),
    ),
  );
  const leftOut = new Set(next.calls.map(({ id }) => id));
  for (const { corrected } of pairs) leftOut.delete(corrected.id);
  return { answer: { message, calls }, pairs, leftOut };
}

/** The new call under the id of the rejected one. */
function replacementOf({ call: { id }, corrected }: CorrectedCall) {
  const rawToolInput = corrected.read.raw as JsonValue;
  const record = { rawToolInput, repairs: [], ...corrected.record, id };
  return { ...corrected, id, record: boundRecord(record, corrected) };
}

/**
 * Pairs rejected calls with their corrections, which are calls of the same
 * tool. Repeated calls never run again. Of more candidates than calls to
 * correct none is taken: their order never decides.
 */
function pairCalls(
  before: readonly JudgedCall[],
  next: readonly JudgedCall[],
): readonly CorrectedCall[] {
  const rejected = before.filter(isUnhandled);
  const keyOf = ({ name, args }: JudgedCall) => callKey(name, args);
  const held = before.filter((call) => !isUnhandled(call));
  const waiting = new Set(held.map(keyOf));
  const fresh = next.filter((call) => !waiting.has(keyOf(call)));
  const names = new Set(rejected.map(({ name }) => name));
  return [...names].flatMap((name) => {
    const calls = rejected.filter((call) => call.name === name);
    const candidates = fresh.filter((call) => call.name === name);
    if (candidates.length !== calls.length) return [];
    return calls.map((call, index) => ({
      call,
      corrected: candidates[index] as JudgedCall,
    }));
  });
}
