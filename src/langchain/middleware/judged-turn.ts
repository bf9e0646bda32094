import type { AIMessage } from "@langchain/core/messages";
import type { ToolLike } from "../../repair/types.ts";
import { withFields } from "../message/messages.ts";
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
  | "open"
  /** It is being judged at the tools, with others. */
  | Batch
  /** It has an outcome. */
  | "judged";

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
  rewritten: AIMessage | undefined;
  readonly #snapshot: MessageSnapshot;
  readonly #states = new Map<CallId, CallState>();
  readonly #unanswered: Set<CallId>;
  /** The batches that are being judged, or wait for the one before. */
  readonly #running = new Map<Batch, Promise<void>>();
  readonly #outcomes = new Map<CallId, JudgedCall>();
  /** The message with the true names of its calls. */
  #message: AIMessage;
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
    this.#message = outcome.message;
    for (const call of outcome.calls) {
      this.#outcomes.set(call.id, call);
      if (call.kind !== "unknown") this.#states.set(call.id, "judged");
    }
  }

  /** What it keeps in memory of what the model wrote, more or less. */
  get textsKept(): unknown {
    const { content, tool_calls } = this.#message;
    // A rejected call keeps what the model wrote, too.
    const rejected = [...this.#outcomes.values()].filter(
      ({ args, read }) => read.raw !== args,
    );
    return [content, tool_calls, rejected.map(({ read }) => read.raw)];
  }

  get isAnswered(): boolean {
    return this.#unanswered.size === 0;
  }

  /** Whether a message says the same as when it was judged. */
  isOf(calling: CallingMessage, id: CallId): boolean {
    return this.#snapshot.isOf(calling, id);
  }

  outcomeOf(id: CallId): JudgedCall | undefined {
    return this.#outcomes.get(id);
  }

  /** Returns the outcomes that another state of the message leaves valid. */
  outcomesIn(message: AIMessage): readonly JudgedCall[] {
    const calling = CallingMessage.of(message);
    return [...this.#outcomes.values()].filter((outcome) => {
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
      return state instanceof Batch ? state.isAborted : state === "open";
    });
  }

  /**
   * Begins to judge calls: parallel ones in one pass, so that their tools begin
   * together.
   */
  judge(
    ids: readonly CallId[],
    tools: readonly unknown[],
    options: RepairCallsOptions,
  ): void {
    const batch = this.#batchFor(tools, options);
    for (const id of ids) {
      batch.ids.add(id);
      this.#states.set(id, batch);
    }
  }

  /** Waits until a call, and those that should begin with it, are judged. */
  async whenJudged(id: CallId, parallel: readonly CallId[]): Promise<void> {
    if (this.#running.size === 0) return;
    const states = [id, ...parallel].map((each) => this.#stateOf(each));
    const batches = new Set(states.filter((state) => state instanceof Batch));
    await Promise.all([...batches].map((batch) => this.#running.get(batch)));
  }

  #stateOf(id: CallId): CallState {
    return this.#states.get(id) ?? "open";
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
      () => this.#end(batch, "judged"),
      () => this.#end(batch, "open"),
    );
    return running;
  }

  #end(batch: Batch, state: CallState): void {
    for (const id of batch.ids)
      if (this.#stateOf(id) === batch) this.#states.set(id, state);
    this.#running.delete(batch);
  }

  async #judgeBatch(batch: Batch): Promise<void> {
    batch.hasBegun = true;
    const before = this.#message;
    const isOfBatch = ({ id }: Pick<JudgedCall, "id">) => batch.ids.has(id);
    const { message, calls } = await repairAllCalls(before, [...batch.tools], {
      ...batch.options,
      isInState: true,
      // A human was asked about a tool of exactly that name: names stay.
      isComplete: false,
      rescueTextToolCalls: false,
      only: isOfBatch,
    });
    for (const id of batch.ids) this.#outcomes.delete(id);
    for (const call of calls.filter(isOfBatch))
      this.#outcomes.set(call.id, call);
    this.#message = message;
    if (message !== before) this.#write(message);
  }

  /**
   * LangGraph keeps the last call's message: parallel calls write one, which
   * stays up to date (langgraph 1.7.3; apart.test).
   */
  #write(message: AIMessage): void {
    this.rewritten ??= withFields(message, {});
    Object.assign(this.rewritten, message);
  }
}

/** Whether none of these tools is another of the same name. */
export function isOnlyTool(
  tool: unknown,
  tools: Iterable<unknown> = [],
): boolean {
  const { name } = Object(tool) as Partial<ToolLike>;
  if (!name) return true;
  for (const each of tools)
    if (each !== tool && Object(each).name === name) return false;
  return true;
}
