import type { CallbackManager } from "@langchain/core/callbacks/manager";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { CallLine } from "../../evidence/log-line.ts";
import { contentOrDefault, type LineOptions } from "../../evidence/redact.ts";
import { toLogLine } from "../../evidence/to-log-line.ts";
import type { CallEvent, InputEvent, MarkRun } from "../../repair/events/event.ts";
import { failToolRun } from "./fail-tool-run.ts";
import { markRun } from "./mark-run.ts";
import { marksOf, type RunMarks } from "./marks-of.ts";
import type { Trace, TraceDetail } from "./trace-options.ts";
import { withMarks } from "./with-marks.ts";

/**
 * Shows an event where LangChain shows its runs. Where there is no run around the call, nothing is
 * shown, and nothing is thrown.
 *
 * @param event The event.
 * @param config The config of the run that the call was made in.
 * @param trace What is shown.
 * @returns What marks the run of the tool.
 */
export async function showEvent(
  event: InputEvent,
  config: RunnableConfig,
  trace: Exclude<Trace, false>,
): Promise<MarkRun | undefined> {
  const detail: TraceDetail = typeof trace === "object" ? trace : { mode: trace };
  const content = contentOrDefault(detail.content);
  const lineOptions: LineOptions = { content, redact: detail.redact };
  const manager = toManager(config.callbacks);
  const runId = manager?.getParentRunId();
  const name = nameOf(event);
  if (event.kind === "correction") {
    const line = toLogLine(event, lineOptions);
    writeChunk(config, { type: name, ...line });
    if (runId !== undefined) await manager?.handleCustomEvent?.(name, line, runId);
    return undefined;
  }
  const line = toLogLine(event, lineOptions);
  const marks = marksWith(event, line, lineOptions);
  writeChunk(config, { type: name, ...line });
  const mark: MarkRun = (own) => withMarks(own, marks);
  if (manager === undefined || runId === undefined) return mark;
  await manager.handleCustomEvent?.(name, line, runId);
  if (event.seam === "middleware" || event.seam === "messages") markRun(manager, runId, marks);
  const isRefused = event.error !== undefined;
  if (isRefused && detail.mode !== "quiet") await failToolRun({ event, line, marks, manager });
  return mark;
}

function nameOf(event: InputEvent): string {
  if (event.kind === "correction") return "toolmend.correction";
  return event.error === undefined ? "toolmend.repair" : "toolmend.refusal";
}

/** LangGraph's way to a stream of the mode "custom"; there is one only where somebody listens. */
function writeChunk({ writer }: RunnableConfig & { writer?: unknown }, chunk: object): void {
  if (typeof writer === "function") writer(chunk);
}

/** Handlers alone are of no run. */
function toManager(callbacks: RunnableConfig["callbacks"]): CallbackManager | undefined {
  return callbacks === undefined || Array.isArray(callbacks) ? undefined : callbacks;
}

/** What a model wrote is in the metadata only where it is asked for. */
function marksWith(event: CallEvent, line: CallLine, { content }: LineOptions): RunMarks {
  const { tags, metadata } = marksOf(event);
  const { raw, repairs } = line;
  return content === "full"
    ? { tags, metadata: { ...metadata, toolmend: { rawToolInput: raw, repairs } } }
    : { tags, metadata };
}
