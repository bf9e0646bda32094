import type { BaseMessage } from "@langchain/core/messages";
import { isJsonObject, jsonEquals } from "../../json-value.ts";
import type { AgentAction, JsonValue } from "../../types.ts";
import type { HeardGeneration } from "./hear-generation.ts";
import { isCutOff } from "./is-cut-off.ts";
import type { PlannedAction } from "./prepare-action.ts";
import { type RawCall, rawCallsOf, unreadableCallsOf } from "./raw-calls.ts";
import { toText } from "./to-text.ts";

/** An action made from a message: LangChain's two forms of it. */
export interface CallAction extends AgentAction {
  readonly toolCallId?: string | undefined;
  readonly messageLog?: BaseMessage[];
}

/**
 * Plans the calls of a model that calls tools: those that LangChain read, each with the text that
 * the model wrote, and those that it could not read and would drop.
 *
 * @param actions What LangChain made of the message.
 * @param generation The message.
 * @param rescue Whether calls that could not be read are planned too.
 */
export function planCalls(
  actions: readonly CallAction[],
  generation: HeardGeneration | undefined,
  rescue: boolean,
): readonly PlannedAction[] {
  const message = generation?.message;
  const calls = rawCallsOf(message);
  const read = actions.map((action, index) => {
    const call = calls.find(({ id }) => id !== undefined && id === action.toolCallId);
    const text = (call ?? (calls.length === actions.length ? calls[index] : undefined))?.raw;
    return { action, raw: rawInput(action.toolInput, text) };
  });
  const dropped = rescue
    ? unreadableCallsOf(message).filter(
        (call) => !actions.some((one) => one.toolCallId === call.id),
      )
    : [];
  const planned = inOrder([...read, ...planRescue(dropped, message)], calls);
  return withCutOff(withMessageFirst(planned), generation);
}

/**
 * Plans every call of a message of which LangChain made no action.
 *
 * @param calls The calls.
 * @param generation The message.
 */
export function planDropped(
  calls: readonly RawCall[],
  generation: HeardGeneration | undefined,
): readonly PlannedAction[] {
  const message = generation?.message;
  const log = message === undefined ? [] : [message];
  const [first, ...rest] = inOrder(planRescue(calls, message), rawCallsOf(message));
  if (first === undefined) return [];
  const action: CallAction = { ...first.action, messageLog: log };
  return withCutOff([{ ...first, action }, ...rest], generation);
}

/** As LangChain's parsers make them. */
function planRescue(
  calls: readonly RawCall[],
  message: BaseMessage | undefined,
): readonly (PlannedAction & { readonly action: CallAction })[] {
  return calls.map(({ name, id, raw, form }, index) => {
    const action: CallAction = {
      tool: name,
      toolInput: raw as AgentAction["toolInput"],
      ...(form === "tool" && { toolCallId: id ?? `call_${message?.id ?? "unread"}_${index}` }),
      log: `Invoking "${name}" with ${toText(raw)}\n${toText(message?.content)}`,
      messageLog: [],
    };
    return { action, raw };
  });
}

/**
 * What LangChain parsed, by reference, if it is all that the model wrote; else the text, so that
 * what a lenient parser closed is known to be cut off.
 */
function rawInput(parsed: unknown, text: unknown): unknown {
  if (typeof text !== "string" || !isJsonObject(parsed)) return parsed;
  if (text.trim() === "" || jsonEquals(parsed, { input: text })) return parsed;
  try {
    return jsonEquals(JSON.parse(text) as JsonValue, parsed) ? parsed : text;
  } catch {
    return text;
  }
}

/** The order in which the model wrote the calls; without ids, the one given. */
function inOrder<Planned extends { readonly action: CallAction }>(
  planned: readonly Planned[],
  calls: readonly RawCall[],
): readonly Planned[] {
  const place = ({ action }: Planned) => calls.findIndex(({ id }) => id === action.toolCallId);
  return planned.some((one) => place(one) < 0)
    ? planned
    : [...planned].sort((left, right) => place(left) - place(right));
}

/** LangChain keeps the message with the first of its calls. */
function withMessageFirst<Planned extends { readonly action: CallAction }>(
  planned: readonly Planned[],
): readonly Planned[] {
  const messageLog = planned.flatMap(({ action }) => action.messageLog ?? []);
  if (messageLog.length === 0 || planned[0]?.action.messageLog?.length) return planned;
  return planned.map((one, index) => {
    const action: CallAction = { ...one.action, messageLog: index === 0 ? messageLog : [] };
    return { ...one, action };
  });
}

/** Output that was cut off is cut off in its last call. */
function withCutOff(
  planned: readonly PlannedAction[],
  generation: HeardGeneration | undefined,
): readonly PlannedAction[] {
  if (!isCutOff(generation)) return planned;
  return planned.map((one, index) =>
    index === planned.length - 1 && typeof one.raw === "string" ? { ...one, truncated: true } : one,
  );
}
