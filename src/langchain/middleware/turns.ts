import type { AIMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { revealNames } from "../message/messages.ts";
import type { CallId, CallingMessage } from "./calling-message.ts";
import { isOnlyTool, JudgedTurn } from "./judged-turn.ts";

/**
 * The most turns that are kept: more runs than that are hardly under way at
 * once.
 */
const MAX_TURNS = 1_000;

/** The most characters that they keep together. */
const MAX_SIZE = 8_000_000;

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
    const size = sizeOf(turn.textsKept);
    this.#turns.set(key, { turn, size });
    this.#size += size;
    for (const oldest of this.#turns.keys()) {
      if (oldest === key || !this.#isOverfull) break;
      this.#delete(oldest);
    }
    return turn;
  }

  get #isOverfull(): boolean {
    return this.#turns.size > MAX_TURNS || this.#size > MAX_SIZE;
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
    const own = isOnlyTool(tool, known?.tools) ? known : undefined;
    if (own?.isOf(calling, id)) return own;
    const listedTools = isOnlyTool(tool, ownTools) ? ownTools : undefined;
    const message = revealNames(calling.message);
    const calls = own?.outcomesIn(message) ?? [];
    const setUp = {
      tools: own?.tools ?? listedTools,
      signal: known?.signal,
    };
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
    const before = this.#turns.get(key);
    if (before === undefined) return;
    this.#size -= before.size;
    this.#turns.delete(key);
  }
}

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
 * The characters of a value's texts, and a little for each of its other parts;
 * at most `MAX_SIZE`.
 */
function sizeOf(value: unknown): number {
  const parts = [value];
  let size = 0;
  while (parts.length > 0 && size < MAX_SIZE) {
    const part = parts.pop();
    if (typeof part === "string") {
      size += part.length;
      continue;
    }
    size += 8;
    for (const inner of Object.values(Object(part))) parts.push(inner);
  }
  return size;
}
