import type { InvocableTool } from "./invocable-tool.ts";
import type { AcceptedInvocation } from "./invoke-original.ts";
import {
  type Invocation,
  type ResolvedInvocation,
  resolveInvocation,
  type ToolConfig,
} from "./resolve-invocation.ts";

/** A tool that has a `batch` of its own. */
type BatchTool = InvocableTool & {
  batch(
    inputs: readonly unknown[],
    config?: ToolConfig | readonly (ToolConfig | undefined)[],
    more?: { readonly returnExceptions?: boolean },
  ): Promise<readonly unknown[]>;
};

/**
 * Makes the `batch` of a tool that has one of its own: it gets the repaired inputs at once, without
 * those that are answered in its stead. Where each input has a config, that of a repaired one holds
 * the repairs.
 *
 * @param about The tool, and how its inputs are repaired.
 * @returns It throws as `invoke` does, before anything is run.
 */
export function batchRepaired(about: Pick<Invocation, "tool" | "options">): BatchTool["batch"] {
  const tool = about.tool as BatchTool;
  return async function batch(inputs, config, more) {
    const configOf = (index: number) =>
      Array.isArray(config) ? config[index] : (config as ToolConfig | undefined);
    const resolving = inputs.map(async (input, index) =>
      resolveInvocation({ ...about, input, config: configOf(index) }),
    );
    const resolved = await Promise.allSettled(resolving);
    const failed = resolved.find((one) => one.status === "rejected");
    if (failed !== undefined && !more?.returnExceptions) throw failed.reason;
    const uses = resolved.flatMap(usesOf);
    const given = Array.isArray(config) ? uses.map((use) => use.config as ToolConfig) : config;
    const answers =
      uses.length === 0
        ? []
        : await tool.batch(
            uses.map(({ input }) => input),
            given,
            more,
          );
    const rest = answers[Symbol.iterator]();
    return resolved.map((one) => {
      if (one.status === "rejected") return one.reason;
      return one.value.kind === "run" ? rest.next().value : one.value.answer;
    });
  };
}

function usesOf(settled: PromiseSettledResult<ResolvedInvocation>): readonly AcceptedInvocation[] {
  if (settled.status === "rejected" || settled.value.kind !== "run") return [];
  return [settled.value.use];
}
