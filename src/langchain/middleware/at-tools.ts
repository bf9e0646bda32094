import type { AIMessage, BaseMessage, ToolCall, ToolMessage } from "@langchain/core/messages";
import { jsonEquals } from "../../repair/json/json-value.ts";
import { unknownToolError } from "../../repair/tool-call.ts";
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
  type MessageCalls,
  offeredTools,
  repairCalls,
  resolveUnknownCall,
} from "../message/repair.ts";
import type { InvocableTool } from "../tool/invoke.ts";
import { viewOf } from "../tool/view-of.ts";

/** The request that LangChain's `wrapToolCall` receives. */
export interface ToolCallRequest {
  readonly toolCall: ToolCall;
  readonly tool?: unknown;
  readonly state: { readonly messages: readonly BaseMessage[] };
}

/** A tool's answer. */
export type ToolAnswer = ToolMessage | CommandLike;

/** How calls are answered at the tools. */
export interface AtToolsOptions extends RepairCallsOptions {
  readonly toolErrors?: "answer" | "throw" | undefined;
}

/** A model's message when its calls run. */
interface Turn extends MessageCalls {
  /** Whether calls were repaired later: a human, or other middleware, had changed them. */
  readonly isRewritten: boolean;
}

/** The known facts of a message in the state, valid while its calls are the same. */
interface KnownTurn {
  readonly calls: AIMessage["tool_calls"];
  readonly args: readonly unknown[];
  readonly tools: readonly unknown[] | undefined;
  /** The ids of the calls that are, or are being, judged. */
  readonly judged: Set<string | undefined>;
  turn: Turn | Promise<Turn>;
}

/**
 * The turns of the runs that are under way. Only a cache: another process decides by the message
 * alone.
 */
export class Turns {
  readonly #known = new WeakMap<AIMessage, KnownTurn>();
  readonly #own: readonly unknown[] | undefined;
  #latest: readonly unknown[] | undefined;

  /** @param own The tools that the options list. */
  constructor(own: readonly unknown[] | undefined) {
    this.#own = own;
  }

  /** Remembers a message that was just repaired, as the state will have it, and the tools of its request. */
  add(message: AIMessage, calls: MessageCalls, tools: readonly unknown[]): void {
    this.#latest = tools;
    const judged = new Set<string | undefined>(calls.calls.map(({ id }) => id));
    this.#keep(message, { tools, judged, turn: { ...calls, isRewritten: false } });
  }

  /** The tools that a message's calls may name; `undefined` if unknown. */
  toolsOf(message: AIMessage | undefined): readonly unknown[] | undefined {
    return (message && this.#known.get(message)?.tools) ?? this.#own ?? this.#latest;
  }

  /**
   * Returns the outcome of each call of a message in the state. If its calls changed since the
   * repair, they are judged again, all at once if the tools are known: parallel tools then write
   * the same message. Otherwise each call is judged alone and added to those before it.
   */
  async of(asked: AIMessage, request: ToolCallRequest, options: AtToolsOptions): Promise<Turn> {
    const { id } = request.toolCall;
    const known = this.#current(asked);
    if (known.judged.has(id)) return known.turn;
    const answers = answersAfter(request.state.messages, asked);
    const answered = new Set<string | undefined>(answers.map((one) => one.tool_call_id));
    const { tools = [request.tool], judged, turn } = known;
    const own = known.tools === undefined ? [id] : (asked.tool_calls ?? []).map((one) => one.id);
    const fresh = new Set(own.filter((one) => !judged.has(one) && !answered.has(one)));
    for (const one of own) judged.add(one);
    const only = (call: { readonly id: string }) => fresh.has(call.id);
    known.turn = Promise.resolve(turn).then((before) => judge(before, tools, { ...options, only }));
    return known.turn;
  }

  /** Returns the message as it runs, with the repairs made meanwhile. */
  async latest(asked: AIMessage): Promise<Turn> {
    return this.#current(asked).turn;
  }

  #current(asked: AIMessage): KnownTurn {
    const known = this.#known.get(asked);
    const { tool_calls = [] } = asked;
    const isSame = known?.calls === asked.tool_calls;
    if (isSame && tool_calls.every(({ args }, index) => args === known?.args[index])) {
      return known as KnownTurn;
    }
    const tools = this.toolsOf(asked);
    const turn = { message: revealNames(asked), calls: [], isRewritten: false };
    return this.#keep(asked, { tools, judged: new Set(), turn });
  }

  #keep(message: AIMessage, more: Omit<KnownTurn, "calls" | "args">): KnownTurn {
    const { tool_calls = [] } = message;
    const args = tool_calls.map((call) => call.args);
    const known = { ...more, calls: message.tool_calls, args };
    this.#known.set(message, known);
    return known;
  }
}

function answersAfter(messages: readonly BaseMessage[], asked: AIMessage): readonly ToolMessage[] {
  return messages.slice(messages.lastIndexOf(asked) + 1).filter(isToolMessage);
}

/** Names are not repaired here: a human was asked about a tool of exactly that name. */
async function judge(
  before: Turn,
  tools: readonly unknown[],
  options: RepairCallsOptions,
): Promise<Turn> {
  const origin = options.origin && { ...options.origin, isAgain: true };
  const again = { ...options, origin, isComplete: false, rescueTextToolCalls: false };
  const { message, calls } = await repairCalls(before.message, tools, again);
  const known = new Map(before.calls.map((call) => [call.id, call]));
  return {
    message,
    calls: calls.map((call) => (options.only?.(call) ? call : (known.get(call.id) ?? call))),
    isRewritten: before.isRewritten || message !== before.message,
  };
}

/**
 * Answers a call at the tools: a refused one with its error, any other with the tool's answer. An
 * error that a tool throws is answered as LangChain does without middleware.
 */
export async function answerAtTools<Request extends ToolCallRequest>(
  request: Request,
  handler: (request: Request) => Promise<ToolAnswer> | ToolAnswer,
  turns: Turns,
  options: AtToolsOptions,
): Promise<ToolAnswer> {
  const { toolCall, state } = request;
  const asked = state.messages.findLast(isAIMessage);
  const turn = asked && (await turns.of(asked, request, options));
  const call = turn?.calls.find(({ id }) => id === toolCall.id);
  const written = asked?.tool_calls?.find(({ id }) => id === toolCall.id);
  const isChanged = !jsonEquals(toolCall.args as JsonValue, written?.args as JsonValue);
  // Outer middleware made another call of it.
  if (turn === undefined || call === undefined || isChanged) {
    return runTool(request, handler, options);
  }
  const { refusal, name, args } = call;
  const answers = answersAfter(state.messages, asked as AIMessage);
  const show = async (answer: ToolAnswer) => {
    const { message, isRewritten } = await turns.latest(asked as AIMessage);
    // A hidden call that other middleware answered does not reach the tools itself.
    const hidden = (asked?.tool_calls ?? []).filter(isHidden);
    const isAnswered = hidden.some(({ id }) => answers.some((one) => one.tool_call_id === id));
    if (!isRewritten && !isAnswered && !isHidden(toolCall)) return answer;
    const revealed = answers.map(revealNames).filter((one) => !answers.includes(one));
    return withMessages(answer, [message, ...revealed]);
  };
  if (refusal !== undefined) {
    return show(errorAnswer(call.id, name, refusal));
  }
  const own = turn.isRewritten ? { ...request, toolCall: { ...toolCall, args } } : request;
  const isUnknown = request.tool === undefined;
  const run = isUnknown ? withStandIn(own as Request, turns.toolsOf(asked), options) : own;
  return show(await runTool(run as Request, handler, options));
}

/**
 * Stands in for a missing tool: inner middleware may replace it by its own; otherwise it answers
 * that the tool does not exist.
 */
function withStandIn<Request extends ToolCallRequest>(
  request: Request,
  tools: readonly unknown[] | undefined,
  options: AtToolsOptions,
): Request {
  const { id = "", name, args } = request.toolCall;
  const { client = [] } = tools ? offeredTools(tools) : {};
  if (tools === undefined || client.some((one) => one.name === name)) return request;
  const { toolCall } = request;
  const invoke = async () => {
    const resolving = { ...options, toolCall };
    const error = unknownToolError(name, args, client, { toolCall });
    const refused = await resolveUnknownCall(args, error, resolving);
    const text = refused.kind === "observation" ? refused.text : error.toModelMessage();
    return errorAnswer(id, name, text);
  };
  return { ...request, tool: { name, description: "", schema: {}, invoke } };
}

async function runTool<Request extends ToolCallRequest>(
  request: Request,
  handler: (request: Request) => Promise<ToolAnswer> | ToolAnswer,
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
    const isTold = error instanceof Error && brandOf(error) === "ToolInvocationError";
    return errorAnswer(id, name, isTold ? error.message : `${error}\n Please fix your mistakes.`);
  }
}

/**
 * Errors that end a run without middleware too, and failures of this agent's own middleware. An
 * error that the tool threw may come from the middleware of an agent inside it.
 */
function isFatal(error: unknown, thrownByTool: unknown): boolean {
  if (error === null) return true;
  const { name } = Object(error) as { name?: unknown };
  const isInterrupt = name === "GraphInterrupt" || name === "NodeInterrupt";
  const isOthers = error !== thrownByTool && error instanceof Error;
  return isInterrupt || (isOthers && brandOf(error) === "MiddlewareError");
}

/** The brand that marks LangChain's errors across copies. */
function brandOf(error: Error): unknown {
  return (error as { "~brand"?: unknown })["~brand"];
}

/**
 * LangGraph's `Command`, in the form that marks it across copies. Its package is LangChain's own
 * dependency, and toolmend cannot always import it.
 */
export interface CommandLike {
  readonly lg_name: "Command";
  readonly graph?: string | undefined;
  readonly update?: unknown;
}

/** Checks for a command, as LangGraph does. */
function isCommand(value: unknown): value is CommandLike {
  return (value as Partial<CommandLike> | null | undefined)?.lg_name === "Command";
}

/**
 * A command that writes messages: of those with a known id, each replaces the one before it. A class, as
 * LangGraph from 1.7 takes no plain object for a command.
 */
class MessagesCommand implements CommandLike {
  readonly lg_name = "Command";
  readonly lc_direct_tool_output = true;
  readonly goto: readonly never[] = [];
  readonly graph = undefined;
  readonly resume = undefined;
  readonly update: { readonly messages: readonly BaseMessage[] };

  constructor(messages: readonly BaseMessage[]) {
    this.update = { messages: [...messages] };
  }

  _updateAsTuples(): [string, unknown][] {
    return Object.entries(this.update);
  }

  toJSON(): object {
    return { lg_name: this.lg_name, update: this.update, goto: this.goto };
  }
}

/** Creates a command that writes messages. */
export function writeMessages(messages: readonly BaseMessage[]): CommandLike {
  return new MessagesCommand(messages);
}

/**
 * Makes a tool's answer also write these messages as they ran. It replaces, by id, a message that
 * the tool itself wrote from the state; in the parent graph, it writes nothing that the tool did
 * not write.
 */
function withMessages(
  answer: BaseMessage | CommandLike,
  messages: readonly BaseMessage[],
): CommandLike {
  if (!isCommand(answer)) return writeMessages([...messages, answer]);
  const { graph, update } = answer;
  const isPairs = Array.isArray(update);
  // A list of anything else is a state without messages.
  if (isPairs && !update.every(Array.isArray)) return answer;
  const entries: readonly [string, unknown][] = isPairs ? update : Object.entries(update ?? {});
  const written = new Set<unknown>();
  const own = entries.map(([key, value]): [string, unknown] => {
    if (key !== "messages") return [key, value];
    const replaced = [value].flat().map((one: unknown) => {
      const found = messages.find(({ id }) => id && id === (one as BaseMessage | null)?.id);
      if (found !== undefined) written.add(found);
      return found ?? one;
    });
    return [key, replaced];
  });
  const missing = graph === undefined ? messages.filter((one) => !written.has(one)) : [];
  const at = own.findIndex(([key]) => key === "messages");
  const [, before = []] = own[at] ?? [];
  const all = ["messages", [...missing, ...(before as unknown[])]] as [string, unknown];
  if (missing.length > 0) own.splice(Math.max(at, 0), at < 0 ? 0 : 1, all);
  const copy = Object.create(
    Object.getPrototypeOf(answer),
    Object.getOwnPropertyDescriptors(answer),
  );
  return Object.assign(copy, { update: isPairs ? own : Object.fromEntries(own) });
}
