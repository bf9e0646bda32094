import type { CallEvent, CorrectionEvent, InputEvent } from "../../repair/events/event.ts";
import { sharesValue } from "../../repair/json/shares-value.ts";
import { repairToolCall } from "../../repair/tool-call.ts";
import type { JsonSchema, JsonValue, RepairLevel, ToolLike } from "../../repair/types.ts";
import { asValue } from "../suggest/logged-inputs.ts";
import type { RecordedCall } from "./read-export.ts";

/** How recorded calls are looked at. */
export interface RecordOptions {
  /** How far repairs go. Default: `"safe"`. */
  readonly level?: RepairLevel;
  /** The schemas of tools, by name; they come before those in the trace. */
  readonly schemas?: ReadonlyMap<string, JsonSchema>;
}

/** What recorded calls came to. */
export interface Recorded {
  /** In the order of their time. */
  readonly events: readonly InputEvent[];
  readonly calls: number;
  readonly corrections: number;
  /** How many calls were passed over, because no schema of their tools is known, or it is none. */
  readonly withoutSchema: number;
}

/**
 * Repairs calls that somebody's trace holds as toolmend would have, and says what became of each.
 */
export async function recordCalls(
  recorded: readonly RecordedCall[],
  { level = "safe", schemas = new Map() }: RecordOptions = {},
): Promise<Recorded> {
  const given = [...schemas].map(([name, schema]) => ({ name, schema }));
  const calls = eachOnce(recorded);
  const events: CallEvent[] = [];
  let withoutSchema = 0;
  for (const call of calls) {
    const tools = [...given, ...call.tools.filter(({ name }) => !schemas.has(name))];
    const isKnown = tools.some(({ name }) => name === call.name) || call.tools.length > 0;
    const event = isKnown ? await eventOf(call, tools, level) : undefined;
    if (event === undefined) withoutSchema += 1;
    else events.push(event);
  }
  const corrections = pairLaterCalls(events);
  return {
    events: [...events, ...corrections].sort((one, other) => one.time - other.time),
    calls: events.length,
    corrections: corrections.length,
    withoutSchema,
  };
}

/** A call that two instrumentations saw, and one that ran after a model wrote it, are one. */
function eachOnce(recorded: readonly RecordedCall[]): readonly RecordedCall[] {
  const written = recorded.filter(({ isRun }) => !isRun);
  const namesOf = new Set(written.map(({ run, name }) => JSON.stringify([run, name])));
  const ran = recorded.filter(
    ({ isRun, run, name }) => isRun && !namesOf.has(JSON.stringify([run, name])),
  );
  const seen = new Set<string>();
  return [...written, ...ran]
    .sort((one, other) => one.time - other.time)
    .filter(({ run, id, name, args }) => {
      if (id === undefined) return true;
      // Some models count their calls from 1 in each output.
      const key = JSON.stringify([run, id, name, asValue(args as JsonValue)]);
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    });
}

async function eventOf(
  { name, args, id, truncated, time, model, provider, run, thread }: RecordedCall,
  tools: readonly ToolLike[],
  level: RepairLevel,
): Promise<CallEvent | undefined> {
  const reported: CallEvent[] = [];
  const onToolCall = [(event: InputEvent) => void (event.kind === "call" && reported.push(event))];
  const call = { name, args, ...(id === undefined ? {} : { id }) };
  try {
    await repairToolCall(call, tools, { level, truncated, onToolCall });
  } catch {
    // What the trace holds as a schema is none.
    return undefined;
  }
  const [event] = reported;
  if (event === undefined) return undefined;
  const { jsonSchema, schemaHash } = event;
  return {
    ...event,
    // What an event looks up when it is asked is not copied with it.
    level: event.level,
    jsonSchema,
    schemaHash,
    time,
    callId: id,
    model,
    provider,
    runId: run,
    threadId: thread,
    // What was measured now is not what it took then.
    microseconds: undefined,
  };
}

/** How many refused calls of one run and tool are waited for; the oldest are given up. */
const WAITING = 100;

/**
 * Finds which calls took the place of refused ones: in the same run, the next call of the same tool
 * that was accepted and says something of what was refused; for a tool that nobody offers, the next
 * accepted call with the very same input. The first refused is paired first. That the one stands for the
 * other is likely, and not known.
 */
function pairLaterCalls(events: readonly CallEvent[]): readonly CorrectionEvent[] {
  const waiting = new Map<string, CallEvent[]>();
  const corrections: CorrectionEvent[] = [];
  for (const event of events) {
    if (event.runId === undefined) continue;
    const { runId, toolName, rawToolInput } = event;
    const ofTool = JSON.stringify(["tool", runId, toolName]);
    const ofInput = JSON.stringify(["input", runId, asValue(rawToolInput as JsonValue)]);
    if (event.outcome === "refused") {
      const key = event.isOffered ? ofTool : ofInput;
      waiting.set(key, [...(waiting.get(key) ?? []).slice(1 - WAITING), event]);
      continue;
    }
    for (const queue of [waiting.get(ofTool) ?? [], waiting.get(ofInput) ?? []]) {
      const at = queue.findIndex((refused) => takesPlaceOf(event, refused));
      const [refused] = at < 0 ? [] : queue.splice(at, 1);
      if (refused === undefined) continue;
      corrections.push(toCorrectionEvent(refused, event));
      break;
    }
  }
  return corrections;
}

/** Calls of one output were made at once: none of them corrects another. */
function takesPlaceOf(event: CallEvent, { time, isOffered, rawToolInput }: CallEvent): boolean {
  if (event.time <= time) return false;
  const { toolInput } = event;
  if (!isOffered) return true;
  return (
    rawToolInput !== undefined &&
    toolInput !== undefined &&
    sharesValue(asValue(rawToolInput as JsonValue), toolInput as JsonValue)
  );
}

function toCorrectionEvent(refused: CallEvent, event: CallEvent): CorrectionEvent {
  const { outcome: _, callId, repairs: __, nameRepair: ___, ...said } = refused;
  return {
    ...said,
    kind: "correction",
    outcome: "corrected",
    time: event.time,
    source: "later-call",
    of: callId,
    by: event.callId,
    toolInput: event.toolInput,
  };
}
