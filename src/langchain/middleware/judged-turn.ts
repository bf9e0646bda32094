import type { AIMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { ToolLike } from "../../repair/types.ts";
import { revealNames, withFields } from "../message/messages.ts";
import type { RepairCallsOptions } from "../message/options.ts";
import {
  type JudgedCall,
  type MessageCalls,
  repairAllCalls,
} from "../message/repair.ts";
import {
  type CallId,
  CallingMessage,
  isSameCall,
  MessageSnapshot,
} from "./calling-message.ts";

/** What is known of one call of a message whose calls run. */
type CallState =
  /** It is not judged, or its judging failed. */
  | { readonly kind: "open" }
  /** It is judged at the tools, with others. */
  | { readonly kind: "judging"; readonly batch: Batch }
  /** It has an outcome. */
  | { readonly kind: "judged" };

const OPEN: CallState = { kind: "open" };
const JUDGED: CallState = { kind: "judged" };

/** Calls that are judged in one pass. */
class Batch {
  readonly ids = new Set<CallId>();
  readonly tools: Set<unknown>;
  readonly options: RepairCallsOptions;
  hasBegun = false;

  constructor(tools: readonly unknown[], options: RepairCallsOptions) {
    this.tools = new Set(tools);
    this.options = options;
  }

  /** Whether calls that are judged with these tools and options may join. */
  takes(tools: readonly unknown[], options: RepairCallsOptions): boolean {
    const { origin, leavesUnknown, signal } = this.options;
    const isAlike =
      options.origin?.isAgain === origin?.isAgain &&
      options.leavesUnknown === leavesUnknown &&
      options.signal === signal;
    if (this.hasBegun || !isAlike) return false;
    // LangChain lists the same tools in each answer; outer middleware may have
    // another for each call.
    return !leavesUnknown || isOnlyTool(tools.at(-1), this.tools);
  }

  get isAborted(): boolean {
    return this.options.signal?.aborted === true;
  }
}

/**
 * The tools that a message's calls may name, and the signal that aborts its
 * agent's runs.
 */
interface TurnSetUp {
  /** `undefined` if unknown, as in another process. */
  readonly tools: readonly unknown[] | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * The calls of one message of a model, from its answer until all of them have
 * answers.
 */
export class JudgedTurn {
  readonly tools: readonly unknown[] | undefined;
  readonly signal: AbortSignal | undefined;
  /**
   * The message with the repairs made at the tools, which they write in place
   * of the state's.
   */
  written: AIMessage | undefined;
  readonly #snapshot: MessageSnapshot;
  readonly #states = new Map<CallId, CallState>();
  readonly #unanswered: Set<CallId>;
  readonly #running = new Map<Batch, Promise<void>>();
  #outcome: MessageCalls;
  #callsById: ReadonlyMap<CallId, JudgedCall>;
  #lastBatch: Batch | undefined;

  /**
   * @param message The message as the state will have it.
   * @param outcome The outcome of each judged call, and the message with the
   *   true names of its calls.
   */
  constructor(
    message: AIMessage,
    outcome: MessageCalls,
    { tools, signal }: TurnSetUp,
  ) {
    this.tools = tools;
    this.signal = signal;
    this.#snapshot = new MessageSnapshot(message);
    this.#unanswered = new Set(message.tool_calls?.map(({ id }) => id));
    this.#outcome = outcome;
    this.#callsById = byId(outcome.calls);
    for (const { id, isUnknown } of outcome.calls)
      if (!isUnknown) this.#states.set(id, JUDGED);
  }

  /** The characters that it keeps in memory, more or less. */
  get size(): number {
    const { message, calls } = this.#outcome;
    // A rejected call keeps what the model wrote, too.
    const rejected = calls.filter(({ args, read }) => read.raw !== args);
    return sizeOf([
      message.content,
      message.tool_calls,
      rejected.map(({ read }) => read.raw),
    ]);
  }

  get isAnswered(): boolean {
    return this.#unanswered.size === 0;
  }

  /** Whether a message says the same as when it was judged. */
  isOf(calling: CallingMessage, id: CallId): boolean {
    return this.#snapshot.isOf(calling, id);
  }

  outcomeOf(id: CallId): JudgedCall | undefined {
    return this.#callsById.get(id);
  }

  /** Returns the outcomes that another state of the message leaves valid. */
  outcomesIn(message: AIMessage): readonly JudgedCall[] {
    const calling = CallingMessage.of(message);
    return this.#outcome.calls.filter((outcome) => {
      const call = calling.callOf(outcome.id);
      return call !== undefined && isSameCall(call, outcome);
    });
  }

  markAnswered(id: CallId): void {
    this.#unanswered.delete(id);
  }

  /** Selects the calls that are not judged, nor being judged. */
  openAmong(ids: readonly CallId[]): readonly CallId[] {
    return ids.filter((id) => {
      const state = this.#stateOf(id);
      // What another run began may end with it.
      return (
        state.kind === "open" ||
        (state.kind === "judging" && state.batch.isAborted)
      );
    });
  }

  /**
   * Begins to judge calls: parallel ones in one pass, so that their tools begin
   * together. A human was asked about a tool of exactly that name, so names
   * stay.
   */
  judge(
    ids: readonly CallId[],
    tools: readonly unknown[],
    options: RepairCallsOptions,
  ): void {
    const batch = this.#batchFor(tools, options);
    for (const id of ids) {
      batch.ids.add(id);
      this.#states.set(id, { kind: "judging", batch });
    }
  }

  /** Waits until a call, and those that should begin with it, are judged. */
  async whenJudged(id: CallId, parallel: readonly CallId[]): Promise<void> {
    if (this.#running.size > 0) {
      const batches = new Set(
        [id, ...parallel].map((each) => this.#batchOf(each)),
      );
      await Promise.all(
        [...batches].map((batch) => batch && this.#running.get(batch)),
      );
    }
  }

  #stateOf(id: CallId): CallState {
    return this.#states.get(id) ?? OPEN;
  }

  #batchOf(id: CallId): Batch | undefined {
    const state = this.#stateOf(id);
    return state.kind === "judging" ? state.batch : undefined;
  }

  #batchFor(tools: readonly unknown[], options: RepairCallsOptions): Batch {
    const last = this.#lastBatch;
    if (last?.takes(tools, options)) {
      if (options.leavesUnknown) last.tools.add(tools.at(-1));
      return last;
    }
    const batch = new Batch(tools, options);
    this.#lastBatch = batch;
    this.#running.set(batch, this.#runAfter(last, batch));
    return batch;
  }

  /** Judges a batch once the one before it is done, or has failed. */
  #runAfter(before: Batch | undefined, batch: Batch): Promise<void> {
    const judgeBatch = () => this.#judgeBatch(batch);
    const previous = before && this.#running.get(before);
    const running = Promise.resolve(previous).then(judgeBatch, judgeBatch);
    // After a failure, a run that goes on judges the calls again.
    running.then(
      () => this.#end(batch, JUDGED),
      () => this.#end(batch, OPEN),
    );
    return running;
  }

  #end(batch: Batch, state: CallState): void {
    for (const id of batch.ids)
      if (this.#batchOf(id) === batch) this.#states.set(id, state);
    this.#running.delete(batch);
  }

  async #judgeBatch(batch: Batch): Promise<void> {
    batch.hasBegun = true;
    const before = this.#outcome;
    const isOfBatch = ({ id }: Pick<JudgedCall, "id">) => batch.ids.has(id);
    const { message, calls } = await repairAllCalls(
      before.message,
      [...batch.tools],
      {
        ...batch.options,
        isInState: true,
        isComplete: false,
        rescueTextToolCalls: false,
        only: isOfBatch,
      },
    );
    const unchanged = before.calls.filter((call) => !isOfBatch(call));
    this.#outcome = {
      message,
      calls: [...unchanged, ...calls.filter(isOfBatch)],
    };
    this.#callsById = byId(this.#outcome.calls);
    if (message !== before.message) this.#write(message);
  }

  /**
   * LangGraph keeps the last call's message: parallel calls write one, which
   * stays up to date (langgraph 1.7.3; apart.test).
   */
  #write(message: AIMessage): void {
    this.written ??= withFields(message, {});
    Object.assign(this.written, message);
  }
}

function byId(calls: readonly JudgedCall[]): ReadonlyMap<CallId, JudgedCall> {
  return new Map(calls.map((call) => [call.id, call]));
}

/** Whether none of these tools is another of the same name. */
function isOnlyTool(tool: unknown, tools: Iterable<unknown> = []): boolean {
  const { name } = Object(tool) as Partial<ToolLike>;
  if (!name) return true;
  for (const each of tools)
    if (each !== tool && Object(each).name === name) return false;
  return true;
}

/**
 * The characters of a value's texts, and a little for each of its other parts;
 * at most `MAX_SIZE`.
 */
function sizeOf(value: unknown): number {
  const parts = [value];
  let size = 0;
  while (parts.length > 0 && size < MAX_SIZE) {
    const part = parts.pop();
    size += typeof part === "string" ? part.length : 8;
    if (part === null || typeof part !== "object") continue;
    for (const inner of Object.values(part)) parts.push(inner);
  }
  return size;
}

/**
 * The most turns that are kept: more runs than that are hardly under way at
 * once.
 */
const MAX_TURNS = 1_000;

/** The most characters that they keep together. */
const MAX_SIZE = 8_000_000;

const numbers = new WeakMap<object, number>();
let count = 0;

/**
 * Caches give one message to several runs, or agents of one: this tells them
 * apart.
 */
export function keyOf(
  { id }: AIMessage,
  runtime: RunnableConfig | undefined,
): string {
  const { thread_id, checkpoint_ns, __pregel_checkpointer } =
    runtime?.configurable ?? {};
  // A thread goes on in other runs; without a checkpointer, only a run's writer
  // is its own.
  const owner = Object(
    __pregel_checkpointer ?? (runtime as { writer?: object })?.writer,
  );
  if (!numbers.has(owner)) numbers.set(owner, ++count);
  // `tools:…|model_request:…`: the last node is the agent's own.
  const path = `${checkpoint_ns}`.replace(/[^|]*$/, "");
  return JSON.stringify([numbers.get(owner), thread_id, path, id]);
}

/**
 * The turns under way, by thread and message. Only a cache: another process has
 * none.
 */
export class Turns {
  readonly #turns = new Map<
    string,
    { readonly turn: JudgedTurn; readonly size: number }
  >();
  #size = 0;

  /**
   * Keeps a turn, in place of another of its key. The oldest ones go if there
   * are too many.
   */
  add(key: string, message: AIMessage, turn: JudgedTurn): JudgedTurn {
    // Without an id, another message could be taken for it.
    if (!message.id || turn.isAnswered) return turn;
    this.#delete(key);
    const { size } = turn;
    this.#turns.set(key, { turn, size });
    this.#size += size;
    for (const oldest of this.#turns.keys()) {
      const isTooMuch = this.#turns.size > MAX_TURNS || this.#size > MAX_SIZE;
      if (!isTooMuch || oldest === key) break;
      this.#delete(oldest);
    }
    return turn;
  }

  /**
   * Returns the turn of a message in the state. If the message changed since,
   * only its tools and the calls that are the same are known. Another agent's
   * message may have the same id; then its tools are not those that LangChain
   * runs.
   *
   * @param tool The tool that LangChain runs.
   * @param ownTools The tools that the options list.
   */
  of(
    key: string,
    calling: CallingMessage,
    id: CallId,
    {
      tool,
      ownTools,
    }: { tool: unknown; ownTools: readonly unknown[] | undefined },
  ): JudgedTurn {
    const known = this.#turns.get(key)?.turn;
    const isOfAgent = known !== undefined && isOnlyTool(tool, known.tools);
    if (isOfAgent && known.isOf(calling, id)) return known;
    const knownTools = isOfAgent ? known.tools : undefined;
    const listedTools = isOnlyTool(tool, ownTools) ? ownTools : undefined;
    const message = revealNames(calling.message);
    const calls = isOfAgent ? known.outcomesIn(message) : [];
    const setUp = { tools: knownTools ?? listedTools, signal: known?.signal };
    const turn = new JudgedTurn(calling.message, { message, calls }, setUp);
    return this.add(key, calling.message, turn);
  }

  /**
   * Notes that a call has its answer. A turn whose calls are all answered is
   * over.
   */
  close(key: string, turn: JudgedTurn, id: CallId): void {
    turn.markAnswered(id);
    if (turn.isAnswered) this.#delete(key);
  }

  #delete(key: string): void {
    this.#size -= this.#turns.get(key)?.size ?? 0;
    this.#turns.delete(key);
  }
}
