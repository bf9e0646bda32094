import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { isJsonObject, jsonEquals } from "../../repair/json.ts";
import type { AgentAction, JsonObject } from "../../repair/types.ts";
import { type LocatedCall, takeFirst } from "../message/locate.ts";
import { isAIMessage } from "../message/messages.ts";
import type { HistoryCall } from "../message/provider-forms.ts";
import { readCalls, standsFor } from "../message/read.ts";
import { rewriteLocatedCalls, rewriteMessage } from "../message/rewrite.ts";
import { isCutOff } from "../message/stop-reason.ts";
import {
  type ActionOutcome,
  type PlannedAction,
  type PreparedAction,
  type RawCall,
  toText,
} from "./run.ts";

/** An action made from a message: LangChain's two forms of it. */
interface CallAction extends AgentAction {
  readonly toolCallId?: string | undefined;
  readonly messageLog?: BaseMessage[];
}

interface PlannedCall extends PlannedAction {
  readonly action: CallAction;
}

/** The calls to plan among those that LangChain made no action of. */
type Unplanned = "none" | "dropped" | "all";

const IS_PLANNED: Readonly<Record<Unplanned, (call: RawCall) => boolean>> = {
  none: () => false,
  dropped: ({ located }) => located?.invalid === true,
  all: () => true,
};

/**
 * Plans the calls of a model that calls tools: those that LangChain made into
 * actions, each with what the model wrote; and none of the others, those that
 * LangChain could not read and would drop (classic 1.0.50; tool-calls.test), or
 * all.
 */
export function planCalls(
  actions: readonly CallAction[],
  message: BaseMessage | undefined,
  unplanned: Unplanned,
): readonly PlannedCall[] {
  const calls = rawCallsOf(message);
  const free = [...calls];
  const planned = actions.map((action) => planAction(action, free));
  for (const call of free.filter(IS_PLANNED[unplanned]))
    planned.push(planUnread(call, message));
  return withMessageFirst(inModelOrder(planned, calls), message);
}

/**
 * Plans an action with the call that it was made of, which it takes from the
 * free ones.
 */
function planAction(action: CallAction, free: RawCall[]): PlannedCall {
  const { toolCallId = "", tool } = action;
  const call = takeFirst(
    free,
    (candidate) =>
      writtenIdOf(candidate) === toolCallId && candidate.name === tool,
  );
  if (call === undefined) return { action, raw: action.toolInput };
  return planRead(action, call);
}

/**
 * Sorts what is planned as the model wrote its calls, if they are all known.
 */
function inModelOrder(
  planned: readonly PlannedCall[],
  calls: readonly RawCall[],
): readonly PlannedCall[] {
  if (planned.some(({ call }) => call === undefined)) return planned;
  const place = ({ call }: PlannedCall) => calls.indexOf(call as RawCall);
  return planned.toSorted((left, right) => place(left) - place(right));
}

/** The id of a call as the model wrote it. */
function writtenIdOf({ located, id }: RawCall): string {
  return (located ? located.call.id : id) ?? "";
}

function planRead(action: CallAction, call: RawCall): PlannedCall {
  const hasId = action.toolCallId !== undefined;
  const raw = rawInput(action.toolInput, call);
  return {
    action: hasId ? { ...action, toolCallId: call.id } : action,
    raw,
    parsed: raw === action.toolInput,
    truncated: call.truncated && raw === call.raw,
    call,
  };
}

/** As LangChain's parsers make them. */
function planUnread(
  call: RawCall,
  message: BaseMessage | undefined,
): PlannedCall {
  const { name, id, raw, truncated } = call;
  const action: CallAction = {
    tool: name,
    toolInput: raw as AgentAction["toolInput"],
    ...(id !== undefined && { toolCallId: id }),
    log: `Invoking "${name}" with ${toText(raw)}\n${toText(message?.content)}`,
    messageLog: [],
  };
  return { action, raw, truncated, call };
}

/**
 * What LangChain parsed, if it is all that the model wrote; else the text:
 * LangChain's streaming completes what was cut off (core 1.4.0;
 * tool-calls.test).
 */
function rawInput(parsed: unknown, { raw, truncated }: RawCall): unknown {
  if (typeof raw !== "string") return parsed;
  if (!isJsonObject(parsed)) return parsed;
  // LangChain's form of a string tool's text.
  if (jsonEquals(parsed, { input: raw })) return parsed;
  return standsFor(raw, parsed, truncated) ? parsed : raw;
}

/**
 * LangChain keeps the message with the first of its calls (classic 1.0.50;
 * tool-calls.test).
 */
function withMessageFirst(
  planned: readonly PlannedCall[],
  message: BaseMessage | undefined,
): readonly PlannedCall[] {
  if (planned[0]?.action.messageLog?.length) return planned;
  const kept = planned.flatMap(({ action }) => action.messageLog ?? []);
  const log = kept.length > 0 || message === undefined ? kept : [message];
  return planned.map((plan, index) => {
    const messageLog = index === 0 ? log : [];
    return { ...plan, action: { ...plan.action, messageLog } };
  });
}

/**
 * Every call in a message, the readable ones and those that were not, in the
 * model's order.
 */
function rawCallsOf(message: BaseMessage | undefined): readonly RawCall[] {
  if (message === undefined) return [];
  const answer = message as AIMessage;
  const { function_call, tool_calls = [] } = answer.additional_kwargs;
  if (function_call !== undefined)
    return [fromKwargs(function_call, undefined, answer)];
  const calls = readCalls(answer);
  if (calls.length > 0) return calls;
  return tool_calls.map(({ id, function: called }) =>
    fromKwargs(called, id, answer),
  );
}

/** A call in OpenAI's form, as it is kept in `additional_kwargs`. */
function fromKwargs(
  called: { readonly name?: string; readonly arguments?: string } | undefined,
  id: string | undefined,
  message: AIMessage,
): RawCall {
  const raw = called?.arguments || "{}";
  return { name: called?.name ?? "", id, raw, truncated: isCutOff(message) };
}

/**
 * Makes the model's next prompt show the repaired inputs: the message that
 * LangChain keeps with the first of the calls made at once is replaced by one
 * with all of them as they were run.
 */
export function rewriteHistory(
  planned: readonly PlannedAction[],
  outcomes: readonly ActionOutcome[],
): void {
  const first = outcomes[0]?.action;
  // A custom agent may keep anything there.
  if (!Array.isArray(first?.messageLog)) return;
  const steps = outcomes.map(({ action }, index) =>
    writeStep(planned[index] as PlannedAction, action),
  );
  if (steps.every(({ isUnchanged }) => isUnchanged)) return;
  first.messageLog = first.messageLog.map((kept) =>
    isAIMessage(kept) ? rewriteSteps(kept, steps) : kept,
  );
}

function rewriteSteps(
  message: AIMessage,
  steps: readonly WrittenStep[],
): AIMessage {
  const located = new Map<LocatedCall, HistoryCall>();
  for (const { place, call } of steps)
    if (place !== undefined) located.set(place, call);
  if (located.size === steps.length)
    return rewriteLocatedCalls(message, [...located.keys()], located);
  // Calls in `additional_kwargs` alone are located once they are calls of the
  // message.
  const calls = steps.map(({ call }) => call);
  return rewriteMessage(rewriteMessage(message, calls), calls);
}

/** What the history says of an action. */
interface WrittenStep {
  readonly call: HistoryCall;
  /** Where the model's message holds the call. */
  readonly place: LocatedCall | undefined;
  /** Whether the message says so already. */
  readonly isUnchanged: boolean;
}

function writeStep(
  { action: before, call: rawCall }: PlannedAction,
  action: PreparedAction,
): WrittenStep {
  const input = action.valid ? action.toolInput : before.toolInput;
  // In a message, the arguments are an object: a string tool's text and unread
  // text go into one.
  const args = isJsonObject(input)
    ? input
    : { input: (input ?? "") as JsonObject[string] };
  const call: HistoryCall = { id: action.toolCallId, name: action.tool, args };
  const isSame = input === before.toolInput && action.tool === before.tool;
  const isUnchanged = isSame && isAsWritten(rawCall);
  return { call, place: rawCall?.located, isUnchanged };
}

/**
 * Whether LangChain could read a call, and it has the id that the model wrote.
 */
function isAsWritten(call: RawCall | undefined): boolean {
  if (call === undefined) return true;
  if (call.located?.invalid) return false;
  return writtenIdOf(call) === (call.id ?? "");
}
