import type { Runnable } from "@langchain/core/runnables";
import { partsOf, rebind, sequenceOf } from "./chain-parts.ts";
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
  const { steps, bound, name } = partsOf(chain);
  if (bound !== undefined) {
    const inner = mapToolChain(bound, change);
    return inner && rebind(chain, inner);
  }
  const mapped = steps?.map((step) => mapToolChain(step, change)) ?? [];
  if (steps === undefined || mapped.filter((step) => step !== undefined).length !== 1) {
    return undefined;
  }
  return sequenceOf(
    steps.map((step, index) => mapped[index] ?? step),
    name,
  );
}
