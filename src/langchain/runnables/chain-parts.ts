import { type Runnable, RunnableBinding, RunnableSequence } from "@langchain/core/runnables";

/** The parts of LangChain's Runnables that are looked at, of whichever copy. */
export interface ChainParts {
  /** The steps of a sequence. */
  readonly steps?: readonly Runnable[];
  /** What a config is bound to. */
  readonly bound?: Runnable;
  readonly name?: string;
}

/** Gives the parts of a chain; a map of Runnables has steps too, but not in a row. */
export function partsOf(chain: Runnable): ChainParts {
  const { steps, bound, name } = chain as unknown as ChainParts;
  return {
    ...(Array.isArray(steps) && { steps: steps as readonly Runnable[] }),
    ...(bound !== undefined && { bound }),
    ...(name !== undefined && { name }),
  };
}

/**
 * Binds another Runnable to the config, and to the listeners, that one was bound to.
 *
 * @param binding The one.
 * @param bound The other.
 */
export function rebind(binding: Runnable, bound: Runnable): Runnable {
  const { config, kwargs, configFactories } = binding as unknown as Partial<
    ConstructorParameters<typeof RunnableBinding>[0]
  >;
  return new RunnableBinding({
    bound,
    config: config ?? {},
    ...(kwargs && { kwargs }),
    ...(configFactories && { configFactories }),
  });
}

/**
 * Puts steps into a sequence; a single one is that step itself.
 *
 * @param steps The steps: at least one.
 * @param name The name of the sequence.
 */
export function sequenceOf(steps: readonly Runnable[], name: string | undefined): Runnable {
  const [first, ...middle] = steps;
  const last = middle.pop();
  if (first === undefined || last === undefined) return first as Runnable;
  return new RunnableSequence({ first, middle, last, ...(name !== undefined && { name }) });
}
