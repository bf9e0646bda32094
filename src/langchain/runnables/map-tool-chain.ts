import { type Runnable, RunnableBinding, RunnableSequence } from "@langchain/core/runnables";
import { toolChain, toolChainSpecOf } from "./tool-chain.ts";
import type { ToolChainSpec } from "./tool-chain-types.ts";

/**
 * Makes a tool chain into another: one by itself, one with a config, or the only one in a sequence
 * (`prompt.pipe(toolChain(…))`).
 *
 * @param chain The chain; it stays as it was.
 * @param change Says what is different, given what it was made of.
 * @returns `undefined` when there is no tool chain in it.
 */
export function mapToolChain(
  chain: Runnable,
  change: (spec: ToolChainSpec) => Partial<ToolChainSpec>,
): Runnable | undefined {
  const spec = toolChainSpecOf(chain);
  if (spec !== undefined) {
    const { model, tools, ...options } = { ...spec, ...change(spec) };
    return toolChain(model, tools, options) as unknown as Runnable;
  }
  const {
    steps,
    bound,
    config = {},
    name,
  } = chain as unknown as {
    readonly steps?: readonly Runnable[];
    readonly bound?: Runnable;
    readonly config?: object;
    readonly name?: string;
  };
  if (bound !== undefined) {
    const inner = mapToolChain(bound, change);
    return inner && new RunnableBinding({ bound: inner, config });
  }
  if (!Array.isArray(steps)) return undefined;
  const mapped = steps.map((step) => mapToolChain(step, change));
  if (mapped.filter((step) => step !== undefined).length !== 1) return undefined;
  const all = steps.map((step, index) => mapped[index] ?? step);
  return RunnableSequence.from(all as never, name);
}
