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
 * Takes a chain apart at the model that calls tools: the first step of a sequence that has tools
 * bound to it, or else the only chat model among its steps.
 *
 * @param chain A `RunnableSequence`, or one with a config.
 * @returns `undefined` when the chain is none, or no model stands out.
 */
export function splitAtModel(chain: Runnable): SplitChain | undefined {
  if (isChatModel(chain)) {
    return { model: chain, withModel: (model) => model, fromModel: (model) => model };
  }
  const { steps, bound, config = {}, name } = chain as unknown as Parts;
  if (steps === undefined || !RunnableSequence.isRunnableSequence(chain)) {
    const inner = bound && splitAtModel(bound);
    if (inner === undefined) return undefined;
    const bind = (runnable: Runnable) => new RunnableBinding({ bound: runnable, config });
    return {
      model: inner.model,
      withModel: (model) => bind(inner.withModel(model)),
      fromModel: (model) => bind(inner.fromModel(model)),
    };
  }
  const at = findModel(steps);
  const model = steps[at];
  if (model === undefined) return undefined;
  return {
    model,
    withModel: (other) => sequence(steps.with(at, other), name),
    fromModel: (other) => sequence([other, ...steps.slice(at + 1)], name),
  };
}

function findModel(steps: readonly Runnable[]): number {
  const withTools = steps.findIndex((step) => isChatModel(step) && hasTools(step));
  if (withTools >= 0) return withTools;
  const isOnly = steps.filter(isChatModel).length === 1;
  return isOnly ? steps.findIndex(isChatModel) : -1;
}

function sequence(steps: readonly Runnable[], name: string | undefined): Runnable {
  const [first, ...rest] = steps;
  const last = rest.pop();
  if (first === undefined || last === undefined) return first as Runnable;
  return new RunnableSequence({ first, middle: rest, last, ...(name !== undefined && { name }) });
}
