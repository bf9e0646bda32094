import type { AgentLike } from "./executor-like.ts";
import { inheritingView } from "./inheriting-view.ts";
import { viewParser } from "./view-parser.ts";

/** Where an agent may keep its output parser. */
interface Holder {
  readonly outputParser?: unknown;
  readonly runnable?: Sequence;
}

/** A runnable sequence, or one bound to a config. */
interface Sequence {
  readonly last?: unknown;
  readonly bound?: Sequence;
}

/**
 * Makes the view of an agent that plans with a parser that tries `recover` before it asks a model
 * again.
 *
 * @param agent The agent; it stays as it was.
 * @param recover Reads text that the parser refused; `undefined` when it cannot.
 * @returns The view; the agent itself when its parser asks no model.
 */
export function viewPlanner(
  agent: AgentLike,
  recover: (error: Error, text: string) => Promise<unknown>,
): AgentLike {
  const { outputParser, runnable } = agent as Holder;
  const parser = viewParser(outputParser, recover);
  if (parser !== undefined) return inheritingView(agent, { outputParser: parser });
  const sequence = viewSequence(runnable, recover);
  return sequence === undefined ? agent : inheritingView(agent, { runnable: sequence });
}

function viewSequence(
  sequence: Sequence | undefined,
  recover: (error: Error, text: string) => Promise<unknown>,
): object | undefined {
  if (sequence?.bound !== undefined) {
    const bound = viewSequence(sequence.bound, recover);
    return bound && inheritingView(sequence, { bound });
  }
  const parser = viewParser(sequence?.last, recover);
  return parser && inheritingView(sequence as object, { last: parser });
}
