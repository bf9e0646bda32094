import type { AIMessage, BaseMessage, ToolCall, ToolMessage } from "@langchain/core/messages";
import { jsonEquals } from "../../repair/json.ts";
import { unknownToolError } from "../../repair/pipeline.ts";
import type { JsonValue } from "../../repair/types.ts";
import {
  errorAnswer,
  isAIMessage,
  isHidden,
  isToolMessage,
  revealNames,
} from "../message/messages.ts";
import type { RepairCallsOptions } from "../message/options.ts";
import {
  type JudgedCall,
  type MessageCalls,
  offeredTools,
  repairCalls,
  resolveUnknownCall,
} from "../message/repair.ts";
import type { InvocableTool } from "../tool/invoke.ts";
import { viewOf } from "../tool/view-of.ts";

interface ToolCallRequest {
  readonly toolCall: ToolCall;
  readonly tool?: unknown;
  readonly state: { readonly messages: readonly BaseMessage[] };
}

type ToolAnswer = ToolMessage | CommandLike;
type Handler = (request: ToolCallRequest) => Promise<ToolAnswer> | ToolAnswer;

interface AtToolsOptions extends RepairCallsOptions {
  /** The tools that the options list. */
  readonly tools: readonly unknown[] | undefined;
  readonly toolErrors?: "answer" | "throw" | undefined;
}

/** What is known of a message whose calls run. */
interface Turn {
  /** The list of its calls, and each call's arguments, by reference. */
  readonly calls: readonly unknown[];
  /** The tools that its calls may name; `undefined` if unknown, as in another process. */
  readonly tools: readonly unknown[] | undefined;
  /** The message with the true names of its calls. */
  readonly shown: AIMessage;
  /** The ids of the calls that are, or are being, judged. */
  readonly judged: Set<string | undefined>;
  /** The outcome of each judged call, and the message with the repairs made at the tools. */
  outcome: MessageCalls | Promise<MessageCalls>;
}

/** The turns under way. Only a cache: another process decides by the message alone. */
export class Turns {
  readonly #known = new WeakMap<AIMessage, Turn>();
  /** The tools of the latest requests, by the id of the message: a checkpoint gives a copy of it. */
  readonly #tools = new Map<string, readonly unknown[]>();

  /** Remembers a message as the state will have it, and the tools of its request. */
  add(message: AIMessage, outcome: MessageCalls, tools: readonly unknown[] | undefined): Turn {
    const judged = new Set<string | undefined>(outcome.calls.map(({ id }) => id));
    const turn = { calls: callsIn(message), tools, shown: outcome.message, judged, outcome };
    this.#known.set(message, turn);
    if (message.id !== undefined && tools !== undefined) this.#tools.set(message.id, tools);
    const [oldest = ""] = this.#tools.keys();
    if (this.#tools.size > MAX_TURNS) this.#tools.delete(oldest);
    return turn;
  }

  /**
   * Returns what is known of a message in the state: nothing if its calls changed since. Another
   * agent's message may have the same id; then its tools are not those that LangChain runs.
   */
  of(message: AIMessage, tool: unknown, ownTools: readonly unknown[] | undefined): Turn {
    const known = this.#known.get(message);
    const calls = callsIn(message);
    if (known !== undefined && calls.every((one, at) => one === known.calls[at])) return known;
    const outcome = { message: revealNames(message), calls: [] };
    const tools = this.#tools.get(message.id ?? "");
    const isOurs = tool === undefined || tools?.includes(tool);
    return this.add(message, outcome, isOurs ? (tools ?? ownTools) : ownTools);
  }
}

const MAX_TURNS = 1_000;

function callsIn({ tool_calls = [] }: AIMessage): readonly unknown[] {
  return [tool_calls, ...tool_calls.map(({ args }) => args)];
}

/** Answers a call at the tools: a refused one with its error, any other with the tool's answer. */
export async function answerAtTools(
  request: ToolCallRequest,
  handler: Handler,
  turns: Turns,
  options: AtToolsOptions,
): Promise<ToolAnswer> {
  const { toolCall, state } = request;
  const asked = state.messages.findLast(isAIMessage);
  const written = asked?.tool_calls?.find(({ id }) => id === toolCall.id);
  const isAsked = jsonEquals(toolCall.args as JsonValue, written?.args as JsonValue);
  // Outer middleware made another call of it.
  if (asked === undefined || !isAsked) return runTool(request, handler, options);
  const turn = turns.of(asked, request.tool, options.tools);
  const answers = state.messages.slice(state.messages.lastIndexOf(asked) + 1).filter(isToolMessage);
  const answered = new Set<string | undefined>(answers.map((one) => one.tool_call_id));
  if (!turn.judged.has(toolCall.id)) judge(turn, asked, answered, request, options);
  const { calls } = await turn.outcome;
  // The run may have been aborted meanwhile, and gone on in another.
  options.signal?.throwIfAborted();
  const call = calls.find(({ id }) => id === toolCall.id);
  if (call === undefined) return runTool(request, handler, options);
  const { id, name, args, refusal } = call;
  const judged = { ...toolCall, name, args: args as ToolCall["args"] };
  let answer: ToolAnswer = errorAnswer(id, name, refusal ?? "");
  if (refusal === undefined || isUnoffered(call)) {
    const given = await runTool({ ...request, toolCall: judged }, handler, options);
    const text = isNoTool(given, name)
      ? (refusal ?? (turn.tools && (await refuseUnknown(judged, turn.tools, options))))
      : undefined;
    answer = text === undefined ? given : errorAnswer(id, name, text);
  }
  const { message } = await turn.outcome;
  // A hidden call that other middleware answered does not reach the tools itself.
  const isShown =
    isHidden(toolCall) ||
    (asked.tool_calls ?? []).some((one) => isHidden(one) && answered.has(one.id));
  if (message === turn.shown && !isShown) return answer;
  const revealed = answers.map(revealNames).filter((one) => !answers.includes(one));
  return withMessages(answer, [message, ...revealed]);
}

/**
 * Judges a call that was changed since the repair; if the tools are known, all such calls at once,
 * so that parallel tools write the same message. A human was asked about a tool of exactly that
 * name, so names stay.
 */
function judge(
  turn: Turn,
  asked: AIMessage,
  answered: ReadonlySet<string | undefined>,
  { toolCall, tool }: ToolCallRequest,
  options: RepairCallsOptions,
): void {
  const { judged, tools = [tool] } = turn;
  const ids = turn.tools ? (asked.tool_calls ?? []).map(({ id }) => id) : [toolCall.id];
  const fresh = new Set(ids.filter((id) => !judged.has(id) && !answered.has(id)));
  for (const id of ids) judged.add(id);
  const again: RepairCallsOptions = {
    ...options,
    ...(options.origin && { origin: { ...options.origin, isAgain: true } }),
    isComplete: false,
    rescueTextToolCalls: false,
    only: ({ id }) => fresh.has(id),
  };
  turn.outcome = Promise.resolve(turn.outcome).then(async (before) => {
    const { message, calls } = await repairCalls(before.message, tools, again);
    const known = new Map(before.calls.map((call) => [call.id, call]));
    for (const call of calls) if (fresh.has(call.id)) known.set(call.id, call);
    return { message, calls: calls.map((call) => known.get(call.id) ?? call) };
  });
}

/** Whether a call was rejected only because its tool was not offered: other middleware may have it. */
function isUnoffered({ error, read, args }: JudgedCall): boolean {
  return error?.reason === "unknown_tool" && read.raw === args;
}

/** Whether LangChain answers that there is no such tool. */
function isNoTool(answer: ToolAnswer, name: string): boolean {
  const { content, status } = answer as Partial<ToolMessage>;
  return status === "error" && `${content}`.startsWith(`Error: ${name} is not a valid tool`);
}

/** Reports a call of a tool that does not exist, and returns the text for the model. */
async function refuseUnknown(
  toolCall: ToolCall,
  tools: readonly unknown[],
  options: AtToolsOptions,
): Promise<string | undefined> {
  const { name, args } = toolCall;
  const { client } = offeredTools(tools);
  if (client.some((one) => one.name === name)) return undefined;
  const error = unknownToolError(name, args, client, { toolCall });
  const refused = await resolveUnknownCall(args, error, { ...options, toolCall });
  return refused.kind === "observation" ? refused.text : error.toModelMessage();
}

/** Runs a tool. An error that it throws is answered as LangChain does without middleware. */
async function runTool(
  request: ToolCallRequest,
  handler: Handler,
  { toolErrors = "answer" }: AtToolsOptions,
): Promise<ToolAnswer> {
  const tool = request.tool as InvocableTool | undefined;
  // ToolNode passes createAgent's signal to the tool, and to no one else.
  let signal: AbortSignal | undefined;
  let own: unknown;
  const invoke: InvocableTool["invoke"] = async (input, config) => {
    signal = config?.signal;
    try {
      return await (tool?.invoke(input, config) as Promise<unknown>);
    } catch (error) {
      own = error;
      throw error;
    }
  };
  const isViewed = tool !== undefined && toolErrors === "answer";
  const seen = isViewed ? { ...request, tool: viewOf(tool, { invoke }) } : request;
  try {
    return await handler(seen);
  } catch (error) {
    if (toolErrors === "throw" || isFatal(error, own) || signal?.aborted) throw error;
    const { id = "", name } = request.toolCall;
    const isInput = brandOf(error) === "ToolInvocationError";
    const text = isInput ? (error as Error).message : `${error}\n Please fix your mistakes.`;
    return errorAnswer(id, name, text);
  }
}

/** Errors that end a run without middleware too, and failures of this agent's own middleware. */
function isFatal(error: unknown, thrownByTool: unknown): boolean {
  const { name } = Object(error) as { name?: unknown };
  const isInterrupt = name === "GraphInterrupt" || name === "NodeInterrupt";
  // The tool's may come from the middleware of an agent inside it.
  const isOthers = error !== thrownByTool && brandOf(error) === "MiddlewareError";
  return error === null || isInterrupt || isOthers;
}

/** The brand that marks LangChain's errors across copies. */
function brandOf(error: unknown): unknown {
  return error instanceof Error && (error as { "~brand"?: unknown })["~brand"];
}

/** LangGraph's `Command`: its package is LangChain's dependency, and cannot always be imported. */
interface CommandLike {
  readonly lg_name: "Command";
  readonly graph?: string | undefined;
  readonly update?: unknown;
}

/** Writes messages, by id. A class, as LangGraph from 1.7 takes no plain object for a command. */
class MessagesCommand implements CommandLike {
  readonly lg_name = "Command";
  readonly lc_direct_tool_output = true;
  readonly goto: readonly never[] = [];
  readonly update: { readonly messages: readonly BaseMessage[] };

  constructor(messages: readonly BaseMessage[]) {
    this.update = { messages };
  }

  _updateAsTuples(): [string, unknown][] {
    return Object.entries(this.update);
  }

  toJSON(): object {
    return { lg_name: this.lg_name, update: this.update, goto: this.goto };
  }
}

export function writeMessages(messages: readonly BaseMessage[]): CommandLike {
  return new MessagesCommand(messages);
}

/**
 * Makes a tool's answer also write these messages. They replace those that the tool itself wrote
 * from the state; in the parent graph, nothing is added.
 */
function withMessages(answer: ToolAnswer, messages: readonly BaseMessage[]): CommandLike {
  if (!("lg_name" in answer)) return writeMessages([...messages, answer]);
  const { graph, update } = answer;
  const isPairs = Array.isArray(update);
  // A list of anything else is a state without messages.
  if (isPairs && !update.every(Array.isArray)) return answer;
  const entries: readonly [string, unknown][] = isPairs ? update : Object.entries(update ?? {});
  const written = entries
    .flatMap(([key, value]) => (key === "messages" ? [value].flat() : []))
    .map((one) => messages.find(({ id }) => id && id === (one as BaseMessage | null)?.id) ?? one);
  const missing = graph === undefined ? messages.filter((one) => !written.includes(one)) : [];
  const own = entries.filter(([key]) => key !== "messages");
  if (written.length + missing.length > 0) own.push(["messages", [...missing, ...written]]);
  const fields = Object.getOwnPropertyDescriptors(answer);
  const copy: CommandLike = Object.create(Object.getPrototypeOf(answer), fields);
  return Object.assign(copy, { update: isPairs ? own : Object.fromEntries(own) });
}
