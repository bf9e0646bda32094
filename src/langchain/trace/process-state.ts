import {
  type EvidenceSink,
  type Listeners,
  listenersOf,
} from "../../repair/events/event.ts";

/**
 * The key on globalThis of what all copies of toolmend in a process share: the
 * ESM and the CommonJS build, and one for each version that the packages of an
 * application ask for. `toolmend/register` makes that state.
 */
export const PROCESS_STATE: unique symbol = Symbol.for("toolmend.register.1");

/** What wrappers read of that state. */
export interface ProcessState {
  /** What `register` was given, in the order of its calls. */
  readonly registrations: ReadonlySet<Listeners>;
  /** The runs of tools whose calls a wrapper has reported. */
  readonly reportedRuns: WeakMap<object, ReportedRuns>;
}

/** Runs of one tool, at the same time. */
interface ReportedRuns {
  underWay: number;
  /** Those whose `call` the hook has not seen yet. */
  unseen: number;
}

function processState(): ProcessState | undefined {
  return (globalThis as { [PROCESS_STATE]?: ProcessState })[PROCESS_STATE];
}

/**
 * Adds the listeners of `toolmend/register` to the options of a wrapper: they
 * get the event of every call that LangChain runs, as if each wrapper had them.
 */
export function withProcessListeners<Options extends Listeners>(
  options: Options,
): Options {
  const registered = registeredListeners();
  if (registered.length === 0) return options;
  return { ...options, onToolCall: [...listenersOf(options), ...registered] };
}

function registeredListeners(): readonly EvidenceSink[] {
  const registrations = processState()?.registrations ?? [];
  return [...registrations].flatMap(listenersOf);
}

/**
 * Runs a tool whose call was reported. Where its own method calls LangChain's
 * hooked `call`, that is no further call.
 */
export function runReported<Result>(
  tool: object,
  run: () => Promise<Result>,
): Promise<Result> {
  const state = processState();
  return state === undefined ? run() : runCounted(state, tool, run);
}

async function runCounted<Result>(
  state: ProcessState,
  tool: object,
  run: () => Promise<Result>,
): Promise<Result> {
  const runs = state.reportedRuns.get(tool) ?? { underWay: 0, unseen: 0 };
  state.reportedRuns.set(tool, runs);
  runs.underWay += 1;
  runs.unseen += 1;
  try {
    return await run();
  } finally {
    runs.underWay -= 1;
    // Not every tool of its own `call` calls LangChain's.
    runs.unseen = Math.min(runs.unseen, runs.underWay);
  }
}

/**
 * Checks whether a wrapper has reported the call that the hook sees. Each run
 * counts once.
 */
export function takeReportedRun(tool: object): boolean {
  const runs = processState()?.reportedRuns.get(tool);
  if (runs === undefined || runs.unseen === 0) return false;
  runs.unseen -= 1;
  return true;
}
