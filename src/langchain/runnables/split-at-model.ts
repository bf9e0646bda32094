import { type Runnable, RunnableBinding, RunnableSequence } from "@langchain/core/runnables";
import { hasTools, isChatModel } from "./chat-models.ts";

/** A chain, taken apart at the model that calls tools. */
export interface SplitChain {
  readonly model: Runnable;
  /** The chain with another model in its place. */
  withModel(model: Runnable): Runnable;
  /** From the model on: what takes messages. */
  fromModel(model: Runnable): Runnable;
}

/** The parts of LangChain's Runnables that are looked at, of whichever copy. */
interface Parts {
  readonly steps?: readonly Runnable[];
  readonly bound?: Runnable;
  readonly config?: object;
  readonly name?: string;
}

/**
 * Takes a chain apart at the model that calls tools: the first in a sequence that has tools bound to
 * it, or else the only chat model in it.
 *
 * @param chain A chat model, a sequence, or one of these with a config.
 * @returns `undefined` when the chain is none, or no model stands out.
 */
export function splitAtModel(chain: Runnable): SplitChain | undefined {
  if (isChatModel(chain)) {
    return { model: chain, withModel: (model) => model, fromModel: (model) => model };
  }
  const { steps, bound, config = {}, name } = chain as unknown as Parts;
  if (bound !== undefined) {
    const inner = splitAtModel(bound);
    if (inner === undefined) return undefined;
    const bind = (runnable: Runnable) => new RunnableBinding({ bound: runnable, config });
    return {
      model: inner.model,
      withModel: (model) => bind(inner.withModel(model)),
      fromModel: (model) => bind(inner.fromModel(model)),
    };
  }
  // A map of Runnables has steps too, but not in a row.
  return Array.isArray(steps) ? splitSequence(steps, name) : undefined;
}

function splitSequence(
  steps: readonly Runnable[],
  name: string | undefined,
): SplitChain | undefined {
  const splits = steps.map(splitAtModel);
  const found = splits.filter((split) => split !== undefined);
  const split =
    found.find(({ model }) => hasTools(model)) ?? (found.length === 1 ? found[0] : undefined);
  if (split === undefined) return undefined;
  const at = splits.indexOf(split);
  return {
    model: split.model,
    withModel: (model) => sequence(steps.with(at, split.withModel(model)), name),
    fromModel: (model) => sequence([split.fromModel(model), ...steps.slice(at + 1)], name),
  };
}

function sequence(steps: readonly Runnable[], name: string | undefined): Runnable {
  const [first, ...rest] = steps;
  const last = rest.pop();
  if (first === undefined || last === undefined) return first as Runnable;
  return new RunnableSequence({ first, middle: rest, last, ...(name !== undefined && { name }) });
}
