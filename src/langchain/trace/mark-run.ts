import type { CallbackManager } from "@langchain/core/callbacks/manager";
import type { RunMarks } from "./marks-of.ts";

/** A run as tracers keep it until it ends. */
interface TracedRun {
  tags?: string[];
  extra?: { metadata?: Record<string, unknown> };
}

/** A tracer, as far as it keeps runs. */
interface Tracer {
  /** LangSmith's. */
  getRun?(id: string): TracedRun | undefined;
  /** Others. */
  readonly runMap?: ReadonlyMap<string, TracedRun>;
}

/**
 * Marks a run that is under way, in the tracers that keep it: that of the model whose calls were
 * repaired. Where it made several, each outcome, fixer and fault is named.
 *
 * @param manager The callbacks of the run.
 * @param runId The id of the run.
 * @param marks The marks.
 */
export function markRun(manager: CallbackManager, runId: string, marks: RunMarks): void {
  for (const handler of manager.handlers) {
    const { getRun, runMap } = handler as Tracer;
    const run = getRun?.call(handler, runId) ?? runMap?.get(runId);
    if (run === undefined) continue;
    run.tags = [...new Set([...(run.tags ?? []), ...marks.tags])];
    const metadata = { ...run.extra?.metadata };
    for (const [key, value] of Object.entries(marks.metadata)) {
      metadata[key] = joinMarks(metadata[key], value);
    }
    run.extra = { ...run.extra, metadata };
  }
}

function joinMarks(before: unknown, value: unknown): unknown {
  if (typeof before !== "string" || typeof value !== "string") return value;
  return [...new Set([...before.split(","), ...value.split(",")])].join(",");
}
