import type { CallbackManager } from "@langchain/core/callbacks/manager";
import { ensureConfig, type RunnableConfig } from "@langchain/core/runnables";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { loadOnce } from "../../repair/drive.ts";
import type { Origin, RunIds, Seam } from "../../repair/events/event.ts";
import type { TraceOptions } from "./trace-options.ts";

/**
 * Returns where the calls of a seam come from, and how they are shown there.
 *
 * @param seam The seam.
 * @param config The config of the run that they are made in. Default: that of the run under way.
 * @param options What LangChain is shown.
 */
export function originOf(
  seam: Seam,
  config: RunnableConfig | undefined,
  { trace = "full" }: TraceOptions,
): Origin {
  // Looked up at once: who asks for ids later, a sink that writes in batches say, does so in another run.
  const own: RunnableConfig | undefined =
    config ?? AsyncLocalStorageProviderSingleton.getRunnableConfig();
  const ids = () => runIdsOf(ensureConfig(own));
  if (trace === false) return { seam, ids };
  return {
    seam,
    ids,
    async show(event) {
      try {
        const within = ensureConfig(own);
        return await (await loadShow()).showEvent(event, within, trace);
      } catch {
        return undefined;
      }
    },
  };
}

/** Most inputs are right as they are, and never need it. */
const loadShow = loadOnce(() => import("./show-event.ts"));

/** A tracer, as far as it knows which run is the outermost. */
interface Tracer {
  getRunById?(id: string): { readonly trace_id?: string } | undefined;
}

function runIdsOf({ callbacks, configurable, metadata }: RunnableConfig): RunIds {
  const { handlers = [], getParentRunId } = (callbacks ?? {}) as Partial<CallbackManager>;
  const parentId = getParentRunId?.call(callbacks);
  const traced = handlers.map((handler) =>
    parentId === undefined ? undefined : (handler as Tracer).getRunById?.(parentId)?.trace_id,
  );
  const known = [...traced, metadata?.run_id, configurable?.run_id, parentId];
  const isId = (id: unknown): id is string => typeof id === "string" && id !== "";
  const threads: unknown[] = [configurable?.thread_id, metadata?.thread_id];
  return { runId: known.find(isId), threadId: threads.find(isId) };
}
