import type {
  CallEvent,
  CorrectionEvent,
  InputEvent,
} from "../../repair/events/event.ts";
import { LaterCalls } from "../../repair/events/later-calls.ts";
import { asValue } from "../../repair/json.ts";
import { repairToolCall } from "../../repair/repair-tool-call.ts";
import type { JsonSchema, RepairLevel, ToolLike } from "../../repair/types.ts";
import { groupBy } from "../grouping.ts";
import type { RecordedCall } from "./read-export.ts";

/** How recorded calls are looked at. */
interface RecordOptions {
  /** How far repairs go. Default: `"safe"`. */
  readonly level?: RepairLevel | undefined;
  /** The schemas of tools, by name; they come before those in the trace. */
  readonly schemas?: ReadonlyMap<string, JsonSchema> | undefined;
}

/** What recorded calls came to. */
export interface Recorded {
  /** In the order of their time. */
  readonly events: readonly InputEvent[];
  readonly calls: number;
  readonly corrections: number;
  /**
   * How many calls were passed over, because no schema of their tools is known,
   * or it is none.
   */
  readonly withoutSchema: number;
}

/**
 * Repairs the calls of a trace as toolmend would have, and reports what became
 * of each.
 */
export async function recordCalls(
  recorded: readonly RecordedCall[],
  { level = "safe", schemas = new Map() }: RecordOptions = {},
): Promise<Recorded> {
  const givenTools = [...schemas].map(([name, schema]) => ({ name, schema }));
  const calls: CallEvent[] = [];
  let withoutSchema = 0;
  for (const call of eachOnce(recorded)) {
    const tools = [
      ...givenTools,
      ...call.tools.filter(({ name }) => !schemas.has(name)),
    ];
    const isKnown = schemas.has(call.name) || call.tools.length > 0;
    const event = isKnown ? await eventOf(call, tools, level) : undefined;
    if (event === undefined) withoutSchema += 1;
    else calls.push(event);
  }
  const corrections = correctionsAmong(calls);
  return {
    events: [...calls, ...corrections].sort(byTime),
    calls: calls.length,
    corrections: corrections.length,
    withoutSchema,
  };
}

function byTime(
  left: { readonly time: number },
  right: { readonly time: number },
): number {
  return left.time - right.time;
}

/**
 * A call that two instrumentations saw, and one that ran after a model wrote
 * it, are one.
 */
function eachOnce(recorded: readonly RecordedCall[]): readonly RecordedCall[] {
  const written = new Set(
    recorded.filter(({ isRun }) => !isRun).map(nameInRun),
  );
  const once = new Map<unknown, RecordedCall>();
  for (const call of recorded.toSorted(byTime)) {
    if (call.isRun && written.has(nameInRun(call))) continue;
    const { run, id, name, args } = call;
    // Some models count their calls from 1 in each output.
    const key =
      id === undefined ? call : JSON.stringify([run, id, name, asValue(args)]);
    if (!once.has(key)) once.set(key, call);
  }
  return [...once.values()];
}

function nameInRun({ run, name }: RecordedCall): string {
  return JSON.stringify([run, name]);
}

async function eventOf(
  {
    name,
    args,
    id,
    truncated,
    time,
    model,
    provider,
    run,
    thread,
  }: RecordedCall,
  tools: readonly ToolLike[],
  level: RepairLevel,
): Promise<CallEvent | undefined> {
  let reported: InputEvent | undefined;
  const onToolCall = (event: InputEvent) => {
    reported = event;
  };
  try {
    await repairToolCall({ name, args, id }, tools, {
      level,
      truncated,
      onToolCall,
      origin: { seam: "record" },
    });
  } catch {
    // What the trace holds as a schema is none.
  }
  if (reported?.kind !== "call") return undefined;
  const ids = { callId: id, runId: run, threadId: thread };
  // What was measured now is not what it took then.
  return {
    ...reported,
    ...ids,
    time,
    model,
    provider,
    microseconds: undefined,
  };
}

/**
 * Finds which calls correct rejected ones of the same run. Calls of one output
 * were made at once.
 */
function correctionsAmong(
  calls: readonly CallEvent[],
): readonly CorrectionEvent[] {
  const inRuns = calls.filter(({ runId }) => runId !== undefined);
  const runs = groupBy(inRuns, ({ runId }) => runId);
  return [...runs.values()].flatMap((run) => {
    const laterCalls = new LaterCalls<CallEvent>();
    const turns = groupBy(run, ({ time }) => time);
    return [...turns.values()].flatMap((turn) => {
      const refused = turn.filter(({ outcome }) => outcome === "refused");
      const accepted = turn.filter(({ outcome }) => outcome !== "refused");
      return laterCalls.add({ refused, accepted }).map(toCorrectionEvent);
    });
  });
}

function toCorrectionEvent([refused, call]: readonly [
  CallEvent,
  CallEvent,
]): CorrectionEvent {
  const { time, toolInput } = call;
  return {
    ...refused,
    kind: "correction",
    outcome: "corrected",
    source: "later-call",
    time,
    of: refused.callId,
    by: call.callId,
    toolInput,
  };
}
