import type { AIMessage, ToolMessage } from "@langchain/core/messages";

/** What is known when a model is called, and of use after it: LangChain's later hooks lack it. */
export interface ModelTurn {
  /** The tools of the request. */
  readonly tools: readonly unknown[];
  /** The calls as they left the repair, where the message is known to be the very one. */
  readonly calls?: AIMessage["tool_calls"];
  /** By the id of LangChain's answer: what the model was told in its stead. */
  readonly replaced?: ReadonlyMap<string, ReplacedAnswer>;
}

/** An answer of LangChain's, and what the model was told in its stead. */
export interface ReplacedAnswer {
  readonly before: ToolMessage;
  readonly after: ToolMessage;
}

/** The turns of the runs that are under way. */
export interface AgentMemory {
  keep(message: AIMessage, turn: ModelTurn): void;
  /** Returns what is known of the turn in which the model gave the message. */
  recall(message: AIMessage): ModelTurn | undefined;
  /**
   * Checks whether an answer is seen for the first time: a model that fails is asked again, and what
   * was told of the calls that it is asked about is not told again.
   */
  isFirst(answer: ToolMessage): boolean;
}

/** More messages than that, and the oldest are forgotten. */
const MAX_MESSAGES = 1_000;

/**
 * Creates a memory. It only spares work: what is to be done is decided from the state alone, as a
 * run may be resumed in another process. Nothing of it becomes part of a state that does not have
 * it already.
 */
export function createAgentMemory(): AgentMemory {
  const turns = new WeakMap<AIMessage, ModelTurn>();
  const open = new Map<AIMessage, readonly unknown[]>();
  const seen = new Map<string, true>();
  return {
    keep(message, turn) {
      turns.set(message, turn);
      keepLatest(open, message, turn.tools);
    },
    recall(message) {
      const turn = turns.get(message);
      // From a checkpoint comes a copy. The id is looked up late, as LangGraph may have set it.
      const same = turn
        ? message
        : [...open.keys()].find(({ id }) => id !== undefined && id === message.id);
      const tools = same && open.get(same);
      if (same !== undefined) open.delete(same);
      return turn ?? (tools && { tools });
    },
    isFirst({ id }) {
      if (id === undefined) return true;
      const isFirst = !seen.has(id);
      if (isFirst) keepLatest(seen, id, true);
      return isFirst;
    },
  };
}

function keepLatest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > MAX_MESSAGES && oldest !== undefined) map.delete(oldest);
}
