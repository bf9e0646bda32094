import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";

/** What is known when a model is called, and wanted after it: LangChain's later hooks lack it. */
export interface ModelTurn {
  /** The tools of the request. */
  readonly tools: readonly unknown[];
  /** The calls as they left the repair. */
  readonly calls: AIMessage["tool_calls"];
  /** Messages before it that were settled for the request, to be kept so. */
  readonly settled: readonly BaseMessage[];
  /** Answers of calls that are to be run again. */
  readonly retried: readonly ToolMessage[];
}

/** The turns of the runs that are under way. */
export interface AgentMemory {
  keep(message: AIMessage, turn: ModelTurn): void;
  /** Gives the turn in which the model gave the message, and forgets it. */
  take(message: AIMessage): ModelTurn | undefined;
}

/** More runs than that at once, or waiting for a human, and the oldest are forgotten. */
const MAX_TURNS = 1_000;

/** Makes a memory. It is lost with the process: whoever resumes a run in another has none. */
export function createAgentMemory(): AgentMemory {
  const turns = new Map<AIMessage, ModelTurn>();
  return {
    keep(message, turn) {
      turns.set(message, turn);
      const [oldest] = turns.keys();
      if (turns.size > MAX_TURNS && oldest !== undefined) turns.delete(oldest);
    },
    take(message) {
      // From a checkpoint comes a copy. The id is looked up late, as LangGraph may have set it.
      const known = turns.has(message)
        ? message
        : [...turns.keys()].find(({ id }) => id !== undefined && id === message.id);
      if (known === undefined) return undefined;
      const turn = turns.get(known);
      turns.delete(known);
      return turn;
    },
  };
}
