import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { isJsonObject, jsonEquals, parseExactly } from "../../repair/json.ts";
import type { AgentAction, JsonObject } from "../../repair/types.ts";
import type { LocatedCall } from "../message/locate.ts";
import { isAIMessage } from "../message/messages.ts";
import type { HistoryCall } from "../message/provider-forms.ts";
import { isEditOf, readCalls } from "../message/read.ts";
import { rewriteLocatedCalls, rewriteMessage } from "../message/rewrite.ts";
import { isCutOff } from "../message/stop-reason.ts";
import { type Outcome, type PlannedAction, type RawCall, toText } from "./run.ts";

/** An action made from a message: LangChain's two forms of it. */
interface CallAction extends AgentAction {
  readonly toolCallId?: string | undefined;
  readonly messageLog?: BaseMessage[];
}

interface PlannedCall extends PlannedAction {
  readonly action: CallAction;
}

/**
 * Plans the calls of a model that calls tools: those that LangChain made into actions, each with what
 * the model wrote; and none of the others, those that LangChain could not read and would drop, or all.
 */
export function planCalls(
  actions: readonly CallAction[],
  message: BaseMessage | undefined,
  others: "none" | "dropped" | "all",
): readonly PlannedCall[] {
  const calls = rawCallsOf(message);
  const free = [...calls];
  const read = actions.map((action) => {
    const { toolCallId = "", tool } = action;
    const found = free.findIndex((call) => writtenIdOf(call) === toolCallId && call.name === tool);
    const [call] = found < 0 ? [] : free.splice(found, 1);
    return call === undefined ? { action, raw: action.toolInput } : planRead(action, call);
  });
  const isTaken = ({ located }: RawCall) => others === "all" || located?.invalid;
  const more = others === "none" ? [] : free.filter(isTaken);
  const planned = [...read, ...more.map((call) => planUnread(call, message))];
  // In the model's order, where it is known.
  const place = ({ call }: PlannedCall) => calls.indexOf(call as RawCall);
  const isKnown = planned.every(({ call }) => call !== undefined);
  return withMessageFirst(
    isKnown ? planned.sort((left, right) => place(left) - place(right)) : planned,
    message,
  );
}

/** The id of a call as the model wrote it. */
function writtenIdOf({ located, id }: RawCall): string {
  return (located ? located.call.id : id) ?? "";
}

function planRead(action: CallAction, call: RawCall): PlannedCall {
  const isNumbered = action.toolCallId === undefined || action.toolCallId === call.id;
  const raw = rawInput(action.toolInput, call);
  return {
    action: isNumbered ? action : { ...action, toolCallId: call.id },
    raw,
    parsed: raw === action.toolInput,
    truncated: call.truncated && raw === call.raw,
    call,
  };
}

/** As LangChain's parsers make them. */
function planUnread(call: RawCall, message: BaseMessage | undefined): PlannedCall {
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

/** What LangChain parsed, if it is all that the model wrote; else the text. */
function rawInput(parsed: unknown, { raw, truncated }: RawCall): unknown {
  if (typeof raw !== "string" || !isJsonObject(parsed) || jsonEquals(parsed, { input: raw })) {
    return parsed;
  }
  const isComplete = !truncated && parseExactly(raw) !== undefined;
  return isComplete || isEditOf(raw, parsed) ? parsed : raw;
}

/** LangChain keeps the message with the first of its calls. */
function withMessageFirst(
  planned: readonly PlannedCall[],
  message: BaseMessage | undefined,
): readonly PlannedCall[] {
  if (planned[0]?.action.messageLog?.length) return planned;
  const kept = planned.flatMap(({ action }) => action.messageLog ?? []);
  const first = kept.length > 0 || message === undefined ? kept : [message];
  return planned.map((one, index) => {
    return { ...one, action: { ...one.action, messageLog: index === 0 ? first : [] } };
  });
}

/** Every call in a message, the readable ones and those that were not, in the model's order. */
export function rawCallsOf(message: BaseMessage | undefined): readonly RawCall[] {
  if (message === undefined) return [];
  const given = message as AIMessage;
  const { function_call, tool_calls = [] } = given.additional_kwargs;
  if (function_call !== undefined) return [fromKwargs(function_call, undefined, given)];
  const calls = readCalls(given);
  if (calls.length > 0) return calls;
  return tool_calls.map(({ id, function: called }) => fromKwargs(called, id, given));
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
 * Makes the model's next prompt show the repaired inputs: the message that LangChain keeps with the
 * first of the calls made at once is replaced by one with all of them as they were run.
 */
export function rewriteHistory(
  planned: readonly PlannedAction[],
  outcomes: readonly Outcome[],
): void {
  const [first] = outcomes;
  const log = first?.action.messageLog as BaseMessage[] | undefined;
  if (first === undefined || log === undefined) return;
  const calls: HistoryCall[] = [];
  const located = new Map<LocatedCall, HistoryCall>();
  let isUnchanged = true;
  for (const [index, { action }] of outcomes.entries()) {
    const { action: before, call } = planned[index] as PlannedAction;
    const input = action.valid ? action.toolInput : before.toolInput;
    // In a message, the arguments are an object: a string tool's text and unread text go into one.
    const args = isJsonObject(input) ? input : { input: (input ?? "") as JsonObject[string] };
    const made: HistoryCall = { id: action.toolCallId, name: action.tool, args };
    calls.push(made);
    if (call?.located) located.set(call.located, made);
    const isSame = input === before.toolInput && action.tool === before.tool;
    const isAsWritten = !call || (!call.located?.invalid && writtenIdOf(call) === (call.id ?? ""));
    isUnchanged &&= isSame && isAsWritten;
  }
  if (isUnchanged) return;
  // Calls in `additional_kwargs` alone are located once they are calls of the message.
  const rewrite = (message: AIMessage) =>
    located.size < calls.length
      ? rewriteMessage(rewriteMessage(message, calls), calls)
      : rewriteLocatedCalls(message, [...located.keys()], located);
  first.action.messageLog = log.map((one) => (isAIMessage(one) ? rewrite(one) : one));
}
