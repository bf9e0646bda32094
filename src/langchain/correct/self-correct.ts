import {
  type AIMessage,
  type BaseMessage,
  HumanMessage,
  ToolMessage,
} from "@langchain/core/messages";
import type { ToolInputError } from "../../repair/errors.ts";
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
  type JudgedCall,
  type MessageCalls,
  repairAllCalls,
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
    const refused = answer.calls.filter(isRefused);
    if (refused.length === 0 || isRepeated(mistakesIn(fresh), mistakes)) break;
    asked = [...asked, ...correctionMessages(last, fresh, refused)];
    const next = await ask(asked);
    if (!isAIMessage(next)) return { other: next };
    last = next;
    const reports: CallReport[] = [];
    const report = (...call: CallReport) => void reports.push(call);
    const history = [
      ...(repairing.history ?? []),
      ...asked.slice(messages.length),
    ];
    fresh = await repairAllCalls(next, tools, {
      ...repairing,
      history,
      report,
    });
    const merged = mergeAnswers(answer, fresh);
    answer = merged.answer;
    const leftOut = answer === fresh ? [] : idsLeftOut(fresh, merged.pairs);
    await emitCalls(reports, leftOut);
    const corrections = merged.pairs.filter(isAccepted).map(toCorrection);
    await emitCorrections(() => corrections, repairing);
    if (fresh.calls.length === 0) break;
  }
  return answer;
}

function mistakesIn({ calls }: MessageCalls): readonly string[] {
  const errors = calls.flatMap(({ error }) => error ?? []);
  return errors.map(({ toolName, causingData }) =>
    callKey(toolName, causingData),
  );
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

/** The ids of new calls that correct none, and so do not run. */
function idsLeftOut(
  { calls }: MessageCalls,
  pairs: readonly CorrectedCall[],
): readonly unknown[] {
  const taken = pairs.map(({ corrected }) => corrected.id);
  return calls.map(({ id }) => id).filter((id) => !taken.includes(id));
}

/** Reports the new calls, without those that would run, and are left out. */
async function emitCalls(
  reports: readonly CallReport[],
  leftOut: readonly unknown[],
): Promise<void> {
  for (const [outcome, context] of reports) {
    const isLeftOut = leftOut.includes(context.toolCall?.id);
    if (!isLeftOut || outcome.resolution.kind !== "run")
      await emitCall(outcome, context);
  }
}

function toCorrection({ call, corrected }: CorrectedCall) {
  return {
    error: call.error as ToolInputError,
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
  refused: readonly JudgedCall[],
): readonly BaseMessage[] {
  const located = calls.map(({ read }) => read.located);
  const rewritten = calls.map(({ read }) => {
    const { id, name, raw, record } = read;
    return [
      read.located,
      { id, name, args: shownArgs(record?.rawToolInput ?? raw) },
    ] as const;
  });
  const answers = calls.map(({ read: { id, name }, error, refusal }) => {
    const status = error === undefined ? "success" : "error";
    return new ToolMessage({
      content: refusal ?? HELD,
      tool_call_id: id,
      name,
      status,
    });
  });
  const shown = rewriteLocatedCalls(message, located, new Map(rewritten));
  return [shown, ...answers, new HumanMessage(toRequest(refused))];
}

const HELD =
  "Accepted. It runs as soon as the other calls are accepted too. Do not make this call again.";

function toRequest(refused: readonly JudgedCall[]): string {
  const names = [
    ...new Set(refused.map(({ error }) => `"${error?.toolName}"`)),
  ].join(", ");
  const those = refused.length === 1 ? "that call" : "those calls";
  const what = `Not accepted, and not run: ${refused.length} of the last tool calls (${names}).`;
  return `${what} Make ${those} again with corrected arguments. Do not repeat the mistakes.`;
}

const isRefused = ({ error }: JudgedCall) => error !== undefined;

/** A rejected call, and the new one that replaces it. */
interface CorrectedCall {
  readonly call: JudgedCall;
  readonly corrected: JudgedCall;
}

function isAccepted({ corrected }: CorrectedCall): boolean {
  return corrected.refusal === undefined && !corrected.isUnknown;
}

/**
 * Merges a model's message and its corrected answer. If the first has no valid
 * calls, the new one stands alone. Otherwise each corrected call takes the
 * place of a rejected one, and further calls are left out, because the
 * correction did not ask for them.
 */
function mergeAnswers(
  before: MessageCalls,
  next: MessageCalls,
): { readonly answer: MessageCalls; readonly pairs: readonly CorrectedCall[] } {
  const pairs = pairCalls(before.calls, next.calls);
  if (before.calls.every(isRefused)) return { answer: next, pairs };
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
  return { answer: { message, calls }, pairs };
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
  const refused = before.filter(isRefused);
  const keyOf = ({ name, args }: JudgedCall) => callKey(name, args);
  const waiting = new Set(before.filter((call) => !isRefused(call)).map(keyOf));
  const fresh = next.filter((call) => !waiting.has(keyOf(call)));
  const names = new Set(refused.map(({ name }) => name));
  return [...names].flatMap((name) => {
    const calls = refused.filter((call) => call.name === name);
    const candidates = fresh.filter((call) => call.name === name);
    if (candidates.length !== calls.length) return [];
    return calls.map((call, index) => ({
      call,
      corrected: candidates[index] as JudgedCall,
    }));
  });
}
