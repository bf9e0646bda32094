/** Where an agent, or a runnable in it, may keep its output parser. */
interface Holder {
  readonly outputParser?: object;
  readonly runnable?: Holder;
  /** The last step of a sequence. */
  readonly last?: object;
  /** What a config is bound to. */
  readonly bound?: Holder;
}

/**
 * Finds the output parser of an agent.
 *
 * @param agent The agent.
 * @returns The parser; `{}` where none is found.
 */
export function parserOf(agent: object): object {
  const { outputParser, runnable, last, bound } = agent as Holder;
  const inner = runnable ?? bound;
  return outputParser ?? last ?? (inner === undefined ? {} : parserOf(inner));
}
