import type { Runnable } from "@langchain/core/runnables";
import { partsOf, rebind, sequenceOf } from "./chain-parts.ts";
import { hasTools, isChatModel } from "./chat-models.ts";

/** A chain, taken apart at the model that calls tools. */
export interface SplitChain {
  readonly model: Runnable;
  /** The chain with another model in its place. */
  withModel(model: Runnable): Runnable;
  /** From the model on: what takes messages. */
  fromModel(model: Runnable): Runnable;
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
  const { steps, bound, name } = partsOf(chain);
  if (bound === undefined) return steps && splitSequence(steps, name);
  const inner = splitAtModel(bound);
  if (inner === undefined) return undefined;
  return {
    model: inner.model,
    withModel: (model) => rebind(chain, inner.withModel(model)),
    fromModel: (model) => rebind(chain, inner.fromModel(model)),
  };
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
    withModel: (model) => sequenceOf(steps.with(at, split.withModel(model)), name),
    fromModel: (model) => sequenceOf([split.fromModel(model), ...steps.slice(at + 1)], name),
  };
}
