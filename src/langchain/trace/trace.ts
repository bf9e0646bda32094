import type { CallbackManager } from "@langchain/core/callbacks/manager";
import type { BaseMessage } from "@langchain/core/messages";
import { ensureConfig, type RunnableConfig } from "@langchain/core/runnables";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import type { Origin, RunIds, Seam } from "../../repair/events/event.ts";
import { aContentLevel } from "../../repair/events/plain-event.ts";
import {
  aFunction,
  type Check,
  either,
  oneOf,
  optionsOf,
} from "../../repair/usage.ts";
import { showEvent, type TraceDetail } from "./show-event.ts";

/**
 * What LangChain's streams and tracers are shown of inputs that were not valid
 * at first.
 *
 * - `"full"`: custom events (`toolmend.repair`, `toolmend.refusal`,
 *   `toolmend.correction`), tags and metadata; and a rejected call appears as a
 *   failed run of its tool.
 * - `"quiet"`: the same without such runs, for a user interface that shows
 *   every run as a working tool.
 * - `false`: nothing.
 * - an object: also sets how much of what models write is shown.
 */
export type Trace = "full" | "quiet" | false | TraceDetail;

/** Options of every wrapper for LangChain. */
export interface TraceOptions {
  /** What LangChain's streams and tracers are shown. Default: `"full"`. */
  readonly trace?: Trace | undefined;
}

const MODE = oneOf("full", "quiet");
const DETAIL = optionsOf({
  mode: MODE,
  content: aContentLevel,
  redact: aFunction,
});

/** What the option `trace` must be. */
export const aTrace: Check = {
  ...either(MODE, {
    ...DETAIL,
    isMet: (value) => value === false || DETAIL.isMet(value),
  }),
  ...(DETAIL.parts && { parts: DETAIL.parts }),
  must: `${MODE.must}, false, or ${DETAIL.must}`,
};

/** Returns where calls come from, and how LangChain shows them there. */
export function originOf(
  seam: Seam,
  config: RunnableConfig | undefined,
  { trace = "full" }: TraceOptions,
): Origin {
  // Looked up at once: a later reader of the ids, such as a sink that writes in
  // batches, is in another run.
  const current =
    config ?? AsyncLocalStorageProviderSingleton.getRunnableConfig();
  const ids = () => runIdsOf(ensureConfig(current));
  if (trace === false) return { seam, ids };
  const detail: TraceDetail =
    typeof trace === "object" ? trace : { mode: trace };
  return {
    seam,
    ids,
    async show(event) {
      try {
        return await showEvent(event, ensureConfig(current), detail);
      } catch {
        return undefined;
      }
    },
  };
}

/** A tracer that knows the outermost run. */
interface RunTracer {
  getRunById?(id: string): { readonly trace_id?: string } | undefined;
}

function runIdsOf({
  callbacks,
  configurable,
  metadata,
}: RunnableConfig): RunIds {
  const { handlers = [], getParentRunId } = (callbacks ??
    {}) as Partial<CallbackManager>;
  const parentId = getParentRunId?.call(callbacks);
  const traced = handlers.map((handler) =>
    traceIdOf(handler as RunTracer, parentId),
  );
  const runIds: unknown[] = [
    ...traced,
    metadata?.run_id,
    configurable?.run_id,
    parentId,
  ];
  const threadIds: unknown[] = [configurable?.thread_id, metadata?.thread_id];
  return { runId: runIds.find(isId), threadId: threadIds.find(isId) };
}

function traceIdOf(
  tracer: RunTracer,
  runId: string | undefined,
): string | undefined {
  if (runId === undefined) return undefined;
  return tracer.getRunById?.(runId)?.trace_id;
}

function isId(id: unknown): id is string {
  return typeof id === "string" && id !== "";
}

/** Returns the model that wrote a message, as far as the message says. */
export function messageModel(
  message: BaseMessage | undefined,
): Pick<Origin, "model" | "provider"> {
  const metadata = (message?.response_metadata ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const { model_name, model, model_provider } = metadata;
  const text = (name: unknown) => (typeof name === "string" ? name : undefined);
  return {
    model: text(model_name) ?? text(model),
    provider: text(model_provider),
  };
}
