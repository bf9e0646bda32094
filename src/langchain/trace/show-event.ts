import {
  type CallbackManager,
  parseCallbackConfigArg,
} from "@langchain/core/callbacks/manager";
import { ensureConfig, type RunnableConfig } from "@langchain/core/runnables";
import {
  bareFixer,
  type CallEvent,
  changesOf,
  type InputEvent,
  type MarkRun,
} from "../../repair/events/event.ts";
import {
  type ContentLevel,
  contentOrDefault,
  type PlainCall,
  type Redact,
  toPlainEvent,
} from "../../repair/events/plain-event.ts";
import { mergeGiven } from "../../repair/usage.ts";

/** How much LangChain is shown. */
export interface TraceDetail {
  /** Default: `"full"`. */
  readonly mode?: "full" | "quiet" | undefined;
  /**
   * How much of what models write is shown. LangChain's settings that hide
   * inputs in traces do not cover events and metadata. Default:
   * `TOOLMEND_CONTENT` of the environment, else `"none"`.
   */
  readonly content?: ContentLevel | undefined;
  /**
   * Changes values before they are shown, at content `full`. Default: they stay
   * unchanged.
   */
  readonly redact?: Redact | undefined;
}

/** The run around a call. */
interface ParentRun {
  readonly id: string;
  readonly manager: CallbackManager;
}

/** Where LangChain shows events. */
interface Surroundings {
  /**
   * LangGraph's way to a stream of the mode "custom"; defined only while that
   * is streamed.
   */
  readonly writer?: unknown;
  readonly run: ParentRun | undefined;
}

/**
 * Shows an event in LangChain's streams and tracers; nothing without a run
 * around the call.
 */
export async function showEvent(
  event: InputEvent,
  { callbacks, writer }: RunnableConfig & { writer?: unknown },
  detail: TraceDetail,
): Promise<MarkRun | undefined> {
  const content = contentOrDefault(detail.content);
  const line = toPlainEvent(event, { content, redact: detail.redact });
  const run = parentRun(callbacks);
  if (event.kind === "correction" || line.kind === "correction") {
    await writeLine("toolmend.correction", line, { writer, run });
    return undefined;
  }
  const isRejected = event.error !== undefined;
  const name = isRejected ? "toolmend.refusal" : "toolmend.repair";
  const marks = marksOf(event, content === "full" ? line : undefined);
  await writeLine(name, line, { writer, run });
  if (run !== undefined && isOfMessage(event)) markRun(run, marks);
  const showsRun = isRejected && detail.mode !== "quiet";
  if (run !== undefined && showsRun)
    await failToolRun(event, line, marks, run.manager);
  return (config) => withMarks(config, marks);
}

function parentRun(
  callbacks: RunnableConfig["callbacks"],
): ParentRun | undefined {
  // Handlers alone belong to no run.
  if (!callbacks || Array.isArray(callbacks)) return undefined;
  const id = callbacks.getParentRunId();
  return id === undefined ? undefined : { id, manager: callbacks };
}

async function writeLine(
  name: string,
  line: object,
  { writer, run }: Surroundings,
): Promise<void> {
  if (typeof writer === "function") writer({ type: name, ...line });
  await run?.manager.handleCustomEvent?.(name, line, run.id);
}

/** Whether the call was read off a message, whose run is still going on. */
function isOfMessage({ seam }: CallEvent): boolean {
  return seam === "middleware" || seam === "messages";
}

/** The tags and metadata of a run in LangChain. */
interface RunMarks {
  readonly tags: string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Flat scalars, and nothing that a model wrote, unless that is asked for. */
function marksOf(event: CallEvent, shown: PlainCall | undefined): RunMarks {
  const { outcome, level, issues } = event;
  const fixers = changesOf(event).map(({ fixer }) => bareFixer(fixer));
  return {
    tags: [`toolmend:${outcome}`],
    metadata: mergeGiven({
      toolmend_outcome: outcome,
      toolmend_level: level,
      toolmend_fixers: joinNames(fixers),
      toolmend_faults: joinNames(issues.map(({ code }) => code)),
      toolmend: shown && { rawToolInput: shown.raw, repairs: shown.repairs },
    }),
  };
}

function joinNames(names: readonly string[]): string | undefined {
  return names.length > 0 ? [...new Set(names)].join(",") : undefined;
}

/**
 * Marks the run of a tool and, if LangChain allows it, not the runs within it.
 */
function withMarks<Config>(config: Config, marks: RunMarks): Config {
  // Callbacks alone are fine, as LangChain's deprecated `call` takes them (core
  // 1.4.0; wrap-tool.test).
  const runConfig = ensureConfig(
    parseCallbackConfigArg(config as RunnableConfig | undefined),
  );
  const { callbacks, tags = [], metadata } = runConfig;
  if (callbacks !== undefined && !Array.isArray(callbacks)) {
    return {
      ...runConfig,
      callbacks: markedManager(callbacks, marks),
    } as Config;
  }
  return {
    ...runConfig,
    tags: [...tags, ...marks.tags],
    metadata: { ...metadata, ...marks.metadata },
  } as Config;
}

function markedManager(
  manager: CallbackManager,
  { tags, metadata }: RunMarks,
): CallbackManager {
  const marked = manager.copy();
  marked.addTags(tags, false);
  marked.addMetadata(metadata, false);
  return marked;
}

/**
 * The part of a tracer that keeps runs until they end: LangSmith's has a
 * method, others a map (core 1.4.0; events.test).
 */
interface Tracer {
  getRun?(id: string): TracedRun | undefined;
  readonly runMap?: ReadonlyMap<string, TracedRun>;
}

interface TracedRun {
  tags?: string[];
  extra?: { metadata?: Record<string, unknown> };
}

/**
 * Marks the run of a model under way, in tracers that keep it, with each
 * outcome, fixer and fault.
 */
function markRun({ manager, id }: ParentRun, marks: RunMarks): void {
  for (const handler of manager.handlers) {
    const { getRun, runMap } = handler as Tracer;
    const run = getRun?.call(handler, id) ?? runMap?.get(id);
    if (run === undefined) continue;
    run.tags = [...new Set([...(run.tags ?? []), ...marks.tags])];
    const metadata = { ...run.extra?.metadata };
    for (const [key, value] of Object.entries(marks.metadata)) {
      metadata[key] = withNames(metadata[key], value);
    }
    run.extra = { ...run.extra, metadata };
  }
}

/** Adds names to a list of names; anything else is replaced. */
function withNames(before: unknown, value: unknown): unknown {
  if (typeof before !== "string" || typeof value !== "string") return value;
  return joinNames([...before.split(","), ...value.split(",")]);
}

/**
 * LangGraph's stream of tools. LangChain's events make promises of it: for a
 * failed tool the promise is rejected, and unless it is awaited, Node.js ends
 * the process (langchain 1.5.14; streaming.test). No tool began here.
 */
const TOOL_STREAM = "StreamToolsHandler";

/**
 * Shows a call that did not run as a failed run of its tool: LangChain begins
 * none.
 */
async function failToolRun(
  { error }: CallEvent,
  { tool, call, raw }: PlainCall,
  marks: RunMarks,
  manager: CallbackManager,
): Promise<void> {
  const marked = markedManager(manager, marks);
  for (const handler of manager.handlers) {
    if (handler.name === TOOL_STREAM) marked.removeHandler(handler);
  }
  const serialized = {
    lc: 1,
    type: "not_implemented" as const,
    id: ["toolmend", tool],
  };
  // JSON, of text too: a handler may parse it, as LangChain's stream of tools
  // does (langchain 1.5.14; events.test).
  const input = JSON.stringify(raw ?? {});
  const none = undefined;
  const run = await marked.handleToolStart(
    serialized,
    input,
    none,
    none,
    none,
    none,
    tool,
    call,
  );
  // Tracers add an error's stack to its message (core 1.4.0; events.test).
  const shown = Object.assign(new Error(error?.message), {
    name: "ToolInputError",
    stack: "",
  });
  await run.handleToolError(shown);
}
