import type { AIMessage, BaseMessage, ToolCall, ToolMessage } from "@langchain/core/messages";
import { jsonEquals } from "../../repair/json/json-value.ts";
import { repairToolInput } from "../../repair/pipeline.ts";
import type { JsonValue, ToolLike } from "../../repair/types.ts";
import { isAIMessage, isToolMessage } from "../calls/is-ai-message.ts";
import { isToolRefusal, TOOL_REFUSAL } from "../calls/is-tool-refusal.ts";
import { offeredTools } from "../calls/offered-tools.ts";
import { withAnswerFields } from "../calls/with-fields.ts";
import type { ModelTurn } from "./agent-memory.ts";

/** A tool's refusal of its input, with the call. */
export interface InputError {
  readonly answer: ToolMessage;
  readonly call: ToolCall;
  /** The message that made the call. */
  readonly asked: AIMessage;
}

/**
 * Finds the answers by which LangChain told a model that a tool refused its input: the tool itself, or
 * one that it called when it ran.
 *
 * @param messages The history.
 */
export function findInputErrors(messages: readonly BaseMessage[]): readonly InputError[] {
  return messages.flatMap((answer, index) => {
    if (!isToolMessage(answer)) return [];
    const asked = messages.slice(0, index).findLast(isAIMessage);
    const call = asked?.tool_calls?.find(({ id }) => id === answer.tool_call_id);
    if (asked === undefined || call === undefined || !isErrorOf(answer, call)) return [];
    return [{ answer, call, asked }];
  });
}

/**
 * Tells whether an answer says that a tool refused the input of a message's call, as it is now.
 *
 * @param answer A message.
 * @param asked The message with the calls.
 */
export function isCurrentError(answer: BaseMessage, asked: AIMessage): boolean {
  const call = callOf(answer, asked);
  return call !== undefined && isErrorOf(answer as ToolMessage, call);
}

/**
 * Tells whether an answer says that a tool refused an input that the call does not have any more.
 *
 * @param answer A message.
 * @param asked The message with the calls.
 */
export function isStaleError(answer: BaseMessage, asked: AIMessage): boolean {
  const call = callOf(answer, asked);
  if (call === undefined || isErrorOf(answer as ToolMessage, call)) return false;
  if (!isToolRefusal(answer as ToolMessage)) return false;
  const content = answer.content as string;
  const args = argsIn(content);
  const isSame =
    content.startsWith(`${TOOL_REFUSAL}${call.name}'`) && jsonEquals(args, call.args as JsonValue);
  return args !== undefined && !isSame;
}

const ARGS = "' with kwargs ";
const END = " with error: ";

/** The arguments that such an answer names. */
function argsIn(content: string): JsonValue | undefined {
  const from = content.indexOf(ARGS);
  if (from < 0) return undefined;
  const text = content.slice(from + ARGS.length);
  // The arguments may hold the words that follow them.
  for (let to = text.indexOf(END), tries = 0; to >= 0 && tries < MAX_TRIES; tries++) {
    try {
      return JSON.parse(text.slice(0, to));
    } catch {
      to = text.indexOf(END, to + 1);
    }
  }
  return undefined;
}

const MAX_TRIES = 10;

function callOf(answer: BaseMessage, { tool_calls = [] }: AIMessage): ToolCall | undefined {
  if (!isToolMessage(answer)) return undefined;
  return tool_calls.find(({ id }) => id === answer.tool_call_id);
}

/** How the message begins that LangChain sends the model where a tool refuses its input. */
function isErrorOf(answer: ToolMessage, { name, args }: ToolCall): boolean {
  const begin = `${TOOL_REFUSAL}${name}${ARGS}${JSON.stringify(args)}${END}`;
  return isToolRefusal(answer) && (answer.content as string).startsWith(begin);
}

/**
 * Replaces LangChain's messages of refused inputs by what the model was told, or is told next.
 *
 * @param messages The messages.
 * @param turn What is known of the model's turn; without it, nothing is replaced.
 */
export async function withoutStacks(
  messages: readonly BaseMessage[],
  turn: ModelTurn | undefined,
): Promise<readonly BaseMessage[]> {
  const errors = turn === undefined ? [] : findInputErrors(messages);
  if (turn === undefined || errors.length === 0) return messages;
  const { client } = offeredTools(turn.tools);
  const plain = new Map<BaseMessage, ToolMessage>();
  for (const error of errors) {
    const told = turn.replaced?.get(error.answer.id ?? "");
    const isSame = told !== undefined && told.before.content === error.answer.content;
    plain.set(error.answer, isSame ? told.after : await withoutStack(error, client));
  }
  return messages.map((message) => plain.get(message) ?? message);
}

/**
 * Replaces LangChain's message, which holds a stack trace with absolute paths, by what a model can
 * act on.
 *
 * @param error The refusal.
 * @param tools The tools; without the one that was called, only the stack trace is left out.
 * @returns A new answer.
 */
export async function withoutStack(
  { answer, call }: InputError,
  tools: readonly ToolLike[],
): Promise<ToolMessage> {
  const tool = tools.find(({ name }) => name === call.name);
  const result = tool && (await repairToolInput(call.args, tool, { level: "strict" }));
  const text =
    result?.ok === false
      ? result.error.toModelMessage()
      : (answer.content as string).replace(/\n\s+at [^\n]*/g, "");
  return withAnswerFields(answer, { content: text });
}
