/** The parts of LangChain's Runnables that are looked at, of whichever copy. */
interface Parts {
  /** The steps of a sequence; a map of Runnables has steps too, but not in a row. */
  readonly steps?: unknown;
  /** What a config is bound to. */
  readonly bound?: Parts;
  readonly config?: { readonly tools?: unknown };
  readonly kwargs?: { readonly tools?: unknown };
}

/**
 * Finds the model of an agent that tools are bound to.
 *
 * @param runnable What the agent plans with.
 * @returns The model, with its tools; `undefined` where none is found: then it cannot be made to call
 * a tool.
 */
export function planningModel(runnable: unknown): object | undefined {
  const { steps, bound, config, kwargs } = (runnable ?? {}) as Parts;
  if (config?.tools !== undefined || kwargs?.tools !== undefined) return runnable as object;
  if (bound !== undefined) return planningModel(bound);
  if (!Array.isArray(steps)) return undefined;
  return steps.map(planningModel).find((model) => model !== undefined);
}
