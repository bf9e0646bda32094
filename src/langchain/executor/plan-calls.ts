import type { BaseMessage } from "@langchain/core/messages";
import { isJsonObject, jsonEquals } from "../../repair/json/json-value.ts";
import { parseExactly } from "../../repair/read/parse-exactly.ts";
import type { AgentAction } from "../../repair/types.ts";
import type { PlannedAction } from "./prepare-action.ts";
import { type RawCall, rawCallsOf } from "./raw-calls.ts";
import { toObservation } from "./to-observation.ts";

/** An action made from a message: LangChain's two forms of it. */
export interface CallAction extends AgentAction {
  readonly toolCallId?: string | undefined;
  readonly messageLog?: BaseMessage[];
}

interface PlannedCall extends PlannedAction {
  readonly action: CallAction;
}

/**
 * Plans the calls of a model that calls tools: those that LangChain read, each with what the model
 * wrote, and those that it could not read and would drop.
 *
 * @param actions What LangChain made of the message.
 * @param message The message.
 * @param rescue Whether calls that could not be read are planned too.
 */
export function planCalls(
  actions: readonly CallAction[],
  message: BaseMessage | undefined,
  rescue: boolean,
): readonly PlannedCall[] {
  const calls = rawCallsOf(message);
  const free = [...calls];
  const read = actions.map((action) => {
    const isIts = ({ writtenId = "" }: RawCall) => writtenId === (action.toolCallId ?? "");
    const found = free.findIndex((call) => isIts(call) && call.name === action.tool);
    const [call] = found < 0 ? [] : free.splice(found, 1);
    return call === undefined ? { action, raw: action.toolInput } : planRead(action, call);
  });
  const dropped = rescue ? free.filter((call) => call.dropped) : [];
  const planned = [...read, ...dropped.map((call) => planDropped(call, message))];
  return withMessageFirst(inCallOrder(planned, calls), message);
}

/**
 * Plans calls of which LangChain made no actions.
 *
 * @param calls The calls.
 * @param message The message that holds them.
 */
export function planDroppedCalls(
  calls: readonly RawCall[],
  message: BaseMessage | undefined,
): readonly PlannedCall[] {
  return withMessageFirst(
    calls.map((call) => planDropped(call, message)),
    message,
  );
}

function planRead(action: CallAction, call: RawCall): PlannedCall {
  const isNumbered = action.toolCallId === undefined || action.toolCallId === call.id;
  const raw = rawInput(action.toolInput, call);
  const truncated = call.truncated && raw === call.raw;
  return {
    action: isNumbered ? action : { ...action, toolCallId: call.id },
    raw,
    parsed: raw === action.toolInput,
    truncated,
    call,
  };
}

/** As LangChain's parsers make them. */
function planDropped(call: RawCall, message: BaseMessage | undefined): PlannedCall {
  const { name, id, raw, truncated } = call;
  const action: CallAction = {
    tool: name,
    toolInput: raw as AgentAction["toolInput"],
    ...(id !== undefined && { toolCallId: id }),
    log: `Invoking "${name}" with ${toObservation(raw)}\n${toObservation(message?.content)}`,
    messageLog: [],
  };
  return { action, raw, truncated, call };
}

/**
 * What LangChain parsed, by reference, if it is all that the model wrote; else the text, so that
 * what a lenient parser closed is known to be cut off.
 */
function rawInput(parsed: unknown, { raw, truncated }: RawCall): unknown {
  if (typeof raw !== "string" || !isJsonObject(parsed) || jsonEquals(parsed, { input: raw })) {
    return parsed;
  }
  return truncated || parseExactly(raw) === undefined ? raw : parsed;
}

/** The order in which the model wrote the calls. */
function inCallOrder(
  planned: readonly PlannedCall[],
  calls: readonly RawCall[],
): readonly PlannedCall[] {
  if (planned.some(({ call }) => call === undefined)) return planned;
  const place = ({ call }: PlannedCall) => calls.indexOf(call as RawCall);
  return [...planned].sort((left, right) => place(left) - place(right));
}

/** LangChain keeps the message with the first of its calls. */
function withMessageFirst(
  planned: readonly PlannedCall[],
  message: BaseMessage | undefined,
): readonly PlannedCall[] {
  const kept = planned.flatMap(({ action }) => action.messageLog ?? []);
  const messageLog = kept.length > 0 || message === undefined ? kept : [message];
  if (planned[0]?.action.messageLog?.length) return planned;
  return planned.map((one, index) => {
    const action: CallAction = { ...one.action, messageLog: index === 0 ? messageLog : [] };
    return { ...one, action };
  });
}
