import type { AIMessage, BaseMessage, ToolCall, ToolMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { ToolCallHandler, ToolCallRequest } from "langchain";
import { emitCall } from "../../repair/events/report.ts";
import { jsonEquals } from "../../repair/json.ts";
import type { JsonValue, ToolLike } from "../../repair/types.ts";
import {
  errorAnswer,
  isAIMessage,
  isHidden,
  isMalformed,
  isToolMessage,
  ownMetadata,
  recordsOf,
  revealNames,
  withFields,
} from "../message/messages.ts";
import type { RepairCallsOptions } from "../message/options.ts";
import { type JudgedCall, type MessageCalls, repairAllCalls } from "../message/repair.ts";

type ToolAnswer = Awaited<ReturnType<ToolCallHandler>>;

interface AtToolsOptions extends RepairCallsOptions {
  /** The tools that the options list. */
  readonly tools: readonly unknown[] | undefined;
  readonly toolErrors?: "answer" | "throw" | undefined;
}

/** What is known of a message whose calls run. */
interface Turn {
  /** The tools that its calls may name; `undefined` if unknown, as in another process. */
  readonly tools: readonly unknown[] | undefined;
  /** Aborts its agent's runs. */
  readonly signal: AbortSignal | undefined;
  /** What the state says of it. */
  readonly fields: readonly unknown[];
  /** The ids of the calls that are, or are being, judged. */
  readonly judged: Map<string | undefined, Batch | undefined>;
  /** The ids of the calls that have no answer yet. */
  readonly open: Set<string | undefined>;
  /** The outcome of each judged call, and the message, with the true names of its calls. */
  outcome: MessageCalls;
  /** The message with the repairs made at the tools, which they write in place of the state's. */
  written?: AIMessage;
  /** The calls that are judged last. */
  last?: Batch;
}

/** Calls that are judged in one pass. */
interface Batch {
  /** Known calls, unknown ones, and those that no tool took are judged otherwise. */
  readonly kind: string;
  readonly signal: AbortSignal | undefined;
  readonly ids: Set<string | undefined>;
  readonly tools: Set<unknown>;
  hasBegun?: boolean;
  done?: Promise<void>;
}

type Given = Pick<Turn, "tools" | "signal">;

/** The turns under way, by thread and message. Only a cache: another process has none. */
export class Turns {
  readonly known: Map<string, Turn> = new Map();

  /** Remembers a message as the state will have it, and the tools of its request. */
  add(key: string, message: AIMessage, outcome: MessageCalls, given: Given): Turn {
    const judged: Turn["judged"] = new Map();
    for (const { id, isUnknown } of outcome.calls) if (!isUnknown) judged.set(id, undefined);
    const open = new Set(message.tool_calls?.map(({ id }) => id));
    const fields = fieldsOf(message);
    const turn: Turn = { ...given, fields, judged, open, outcome };
    if (message.id && open.size > 0) this.known.set(key, turn);
    const [oldest = ""] = this.known.keys();
    if (this.known.size > MAX_TURNS) this.known.delete(oldest);
    return turn;
  }

  /**
   * Returns what is known of a message in the state; if it changed since, its tools alone. Another
   * agent's message may have the same id; then its tools are not those that LangChain runs.
   */
  of(key: string, message: AIMessage, tool: unknown, ownTools?: readonly unknown[]): Turn {
    const known = this.known.get(key);
    const [tools, own] = [known?.tools, ownTools].map((of) => (isOnly(tool, of) ? of : undefined));
    const isSame = jsonEquals(known?.fields as JsonValue, fieldsOf(message) as JsonValue);
    if (known !== undefined && tools === known.tools && isSame) return known;
    const shown = revealNames(message);
    const isKept = (call: JudgedCall) => shown.tool_calls?.some((one) => areSame(one, call));
    const calls = tools === known?.tools ? (known?.outcome.calls.filter(isKept) ?? []) : [];
    const given = { tools: tools ?? own, signal: known?.signal };
    return this.add(key, message, { message: shown, calls }, given);
  }
}

const NOT_RUN = "It was not accepted, and was not run.";
const MAX_TURNS = 1_000;
const numbers = new WeakMap<object, number>();
let count = 0;

/** Whether none of these tools is another of the same name. */
function isOnly(tool: unknown, tools: Iterable<unknown> = []): boolean {
  const { name } = Object(tool) as Partial<ToolLike>;
  return !name || [...tools].every((one) => one === tool || Object(one).name !== name);
}

/** Caches give one message to several runs, or agents of one: this tells them apart. */
export function keyOf({ id }: AIMessage, runtime: RunnableConfig | undefined): string {
  const { thread_id, checkpoint_ns, __pregel_checkpointer } = runtime?.configurable ?? {};
  // A thread goes on in other runs; without a checkpointer, only a run's writer is its own.
  const owner = Object(__pregel_checkpointer ?? (runtime as { writer?: object })?.writer);
  if (!numbers.has(owner)) numbers.set(owner, ++count);
  // `tools:…|model_request:…`: the last node is the agent's own.
  const path = `${checkpoint_ns}`.replace(/[^|]*$/, "");
  return JSON.stringify([numbers.get(owner), thread_id, path, id]);
}

type Call = Pick<JudgedCall, "name" | "args"> & { readonly id?: string | undefined };
const partsOf = ({ id, name, args }: Call) => [id, name, args] as JsonValue;
const areSame = (one: Call, other: Call) => jsonEquals(partsOf(one), partsOf(other));

/** Other middleware may change calls in place. */
function fieldsOf(message: AIMessage): readonly unknown[] {
  const { content, tool_calls = [] } = message;
  return [content, tool_calls.map(partsOf), ownMetadata(message)];
}

/** Answers a call at the tools: a refused one with its error, any other with the tool's answer. */
export async function answerAtTools(
  request: ToolCallRequest,
  handler: ToolCallHandler,
  turns: Turns,
  options: AtToolsOptions,
): Promise<ToolAnswer> {
  const { toolCall, state } = request;
  const asked = state.messages.findLast(isAIMessage);
  const written = asked?.tool_calls?.find(({ id }) => id === toolCall.id);
  if (asked === undefined || written === undefined) return runTool(request, handler, options);
  const isSame = areSame(toolCall, written);
  const key = keyOf(asked, request.runtime);
  const turn = turns.of(key, asked, isSame ? request.tool : undefined, options.tools);
  const records = new Map(recordsOf(asked).map((one) => [one.id, one] as const));
  const isRefused = records.get(toolCall.id ?? "")?.error !== undefined;
  // Outer middleware made another call of it; of a refused one it may not.
  const isOthers = !isSame && !isRefused && !isMalformed(written.args) && !isHidden(toolCall);
  if (isOthers) return runTool(request, handler, options, turn.signal);
  const answers = state.messages.slice(state.messages.lastIndexOf(asked) + 1).filter(isToolMessage);
  const answered = new Set<string | undefined>(answers.map((one) => one.tool_call_id));
  const isKnown = (id = "") => !records.get(id)?.isUnknown;
  const ids = (asked.tool_calls ?? []).map(({ id }) => id);
  // All known calls at once: LangGraph may store what one writes before another is judged.
  const known = turn.tools ? ids.filter((id) => isKnown(id) && !answered.has(id)) : [];
  for (const some of [known, [toolCall.id]]) {
    // What another run began may end with it.
    const open = some.filter((id) => !turn.judged.has(id) || turn.judged.get(id)?.signal?.aborted);
    if (open.length === 0) continue;
    const origin = options.origin && { ...options.origin, isAgain: isKnown(open[0]) };
    const tools = [...(turn.tools ?? []), request.tool];
    judge(turn, open, tools, { ...options, origin, leavesUnknown: true });
  }
  // Parallel tools begin together, in the model's order.
  const [done, ...others] = [toolCall.id, ...known].map((id) => turn.judged.get(id)?.done);
  if (others.some(Boolean)) await Promise.all(new Set(others));
  await done;
  // The run may have been aborted meanwhile, and gone on in another.
  options.signal?.throwIfAborted();
  const call = turn.outcome.calls.find(({ id }) => id === toolCall.id);
  if (call === undefined) return runTool(request, handler, options, turn.signal);
  const { id, name, args, isUnknown } = call;
  let { refusal } = call;
  const judged = { ...toolCall, name, args: args as ToolCall["args"] };
  // A human was not asked about a hidden call: it never runs.
  const runs = refusal === undefined && !isHidden(toolCall);
  const given =
    runs && (await runTool({ ...request, toolCall: judged }, handler, options, turn.signal));
  const listed = given && isUnknown && toolsInstead(given, name);
  if (listed) {
    judge(turn, [id], listed, options);
    await turn.judged.get(id)?.done;
    refusal = turn.outcome.calls.find((one) => one.id === id)?.refusal;
  } else if (runs && isUnknown && !isKnown(id)) {
    const toolInput = args as JsonValue;
    const run = { kind: "run", toolInput, parsed: args, repairs: [], undeclared: [] } as const;
    const tool = { name } as ToolLike;
    await emitCall({ raw: args, tool, resolution: run }, { ...options, toolCall: judged });
  }
  const text = refusal ?? call.record?.error ?? NOT_RUN;
  const answer = given && refusal === undefined ? given : errorAnswer(id, name, text);
  turn.open.delete(toolCall.id);
  if (turn.open.size === 0) turns.known.delete(key);
  // A hidden call that other middleware answered does not reach the tools itself.
  const isShown =
    isHidden(toolCall) ||
    (asked.tool_calls ?? []).some((one) => isHidden(one) && answered.has(one.id));
  if (turn.written === undefined && !isShown) return answer;
  const revealed = answers.map(revealNames).filter((one) => !answers.includes(one));
  return withMessages(answer, [turn.written ?? revealNames(asked), ...revealed]) as ToolAnswer;
}

/**
 * Judges calls that are not judged, or were changed since: parallel ones in one pass, so that their tools
 * begin together. A human was asked about a tool of exactly that name, so names stay.
 */
function judge(
  turn: Turn,
  ids: readonly (string | undefined)[],
  tools: readonly unknown[],
  given: RepairCallsOptions,
): void {
  const { signal, leavesUnknown } = given;
  const kind = `${given.origin?.isAgain} ${leavesUnknown}`;
  const { last } = turn;
  const isOpen = last?.kind === kind && last.signal === signal && !last.hasBegun;
  // LangChain lists the same tools in each answer; outer middleware may have another for each call.
  const mayJoin = isOpen && (!leavesUnknown || isOnly(tools.at(-1), last.tools));
  const batch: Batch = mayJoin ? last : { kind, signal, ids: new Set(), tools: new Set(tools) };
  for (const id of ids) {
    batch.ids.add(id);
    turn.judged.set(id, batch);
  }
  if (mayJoin && leavesUnknown) batch.tools.add(tools.at(-1));
  if (mayJoin) return;
  turn.last = batch;
  const only = ({ id }: Pick<JudgedCall, "id">) => batch.ids.has(id);
  const own = { ...given, isInState: true, isComplete: false, rescueTextToolCalls: false, only };
  const judgeAll = async () => {
    batch.hasBegun = true;
    const before = turn.outcome;
    const { message, calls } = await repairAllCalls(before.message, [...batch.tools], own);
    const others = before.calls.filter((call) => !only(call));
    turn.outcome = { message, calls: [...others, ...calls.filter(only)] };
    // LangChain keeps the last call's message: parallel calls write one, which stays up to date.
    if (message !== before.message)
      turn.written = Object.assign(turn.written ?? withFields(message, {}), message);
  };
  batch.done = Promise.resolve(last?.done).then(judgeAll, judgeAll);
  // After a failure, a run that goes on judges them again.
  batch.done.catch(() => {
    for (const id of batch.ids) if (turn.judged.get(id) === batch) turn.judged.delete(id);
  });
}

/** The tools that LangChain lists where it answers that there is no such tool. */
function toolsInstead(answer: ToolAnswer, name: string): readonly object[] | undefined {
  const { content, status } = answer as Partial<ToolMessage>;
  const [before, list] = `${content}`.split(" is not a valid tool, try one of [");
  if (status !== "error" || list === undefined || before !== `Error: ${name}`) return undefined;
  const names = list.slice(0, list.indexOf("]")).split(", ");
  return names.filter(Boolean).map((one) => ({ name: one, schema: {} }));
}

/** Runs a tool. An error that it throws is answered as LangChain does without middleware. */
async function runTool(
  request: ToolCallRequest,
  handler: ToolCallHandler,
  { toolErrors = "answer", signal }: AtToolsOptions,
  agentSignal?: AbortSignal,
): Promise<ToolAnswer> {
  const { id = "", name, args } = request.toolCall;
  if (isMalformed(args)) return errorAnswer(id, name, NOT_RUN);
  try {
    return await handler(request);
  } catch (error) {
    const isAborted = signal?.aborted || agentSignal?.aborted;
    if (toolErrors === "throw" || isFatal(error) || isAborted) throw error;
    const isInput = brandOf(error) === "ToolInvocationError";
    const text = isInput ? (error as Error).message : `${error}\n Please fix your mistakes.`;
    return errorAnswer(id, name, text);
  }
}

/** Errors that end a run without middleware too, and failures of this agent's own middleware. */
function isFatal(error: unknown): boolean {
  const { name } = Object(error) as { name?: unknown };
  const isInterrupt = name === "GraphInterrupt" || name === "NodeInterrupt";
  // A tool's comes from the middleware of an agent inside it: LangGraph marks what ends a task.
  const isOthers = brandOf(error) === "MiddlewareError" && !("pregelTaskId" in (error as Error));
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

export function isCommand(answer: unknown): answer is CommandLike {
  return Object(answer).lg_name === "Command";
}

/** What a command writes, by the keys of the state; a list of anything but pairs is another state. */
const entriesOf = ({ update }: CommandLike): readonly [string, unknown][] =>
  Array.isArray(update) ? update : Object.entries(update ?? {});

/** Returns the messages that a command writes. */
export const messagesIn = (command: CommandLike): readonly unknown[] =>
  entriesOf(command).flatMap((entry) => (entry[0] === "messages" ? [entry[1]].flat() : []));

/** Writes messages, by id. A class, as LangGraph from 1.7 takes no plain object for a command. */
export class MessagesCommand implements CommandLike {
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
}

/** Makes a tool's answer write these messages too, in place of its own with their ids. */
function withMessages(
  answer: BaseMessage | CommandLike,
  messages: readonly BaseMessage[],
): BaseMessage | CommandLike {
  if (!isCommand(answer)) return new MessagesCommand([...messages, answer]);
  const { graph, update } = answer;
  const isPairs = Array.isArray(update);
  const before = messagesIn(answer);
  // A list of anything else is a state without messages; what overwrites them needs none of these.
  const isOther = isPairs && !update.every(Array.isArray);
  if (isOther || before.some((one) => "__overwrite__" in Object(one))) return answer;
  const isOwn = (one: unknown) => isAIMessage(one) || isToolMessage(one);
  const written = before.map((one) => {
    return (isOwn(one) && messages.find(({ id }) => id && id === (one as BaseMessage).id)) || one;
  });
  const missing = graph === undefined ? messages.filter((one) => !written.includes(one)) : [];
  const own = entriesOf(answer).filter(([key]) => key !== "messages");
  if (written.length + missing.length > 0) own.push(["messages", [...missing, ...written]]);
  const copy: CommandLike = Object.create(Object.getPrototypeOf(answer));
  return Object.assign(copy, answer, { update: isPairs ? own : Object.fromEntries(own) });
}
