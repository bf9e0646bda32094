import type { CallEvent, CorrectionEvent } from "../../repair/events/input-event.ts";
import { sharesValue } from "../../repair/json/shares-value.ts";
import type { JsonValue } from "../../repair/types.ts";
import { asValue } from "../suggest/logged-inputs.ts";

/** How many refused calls of one run and tool are waited for; the oldest are given up. */
const WAITING = 100;

/**
 * Finds which calls took the place of refused ones: in the same run, the next call of the same tool
 * that was accepted and says something of what was refused; for a tool that nobody offers, the next
 * accepted call with the very same input. The first refused is paired first. That the one stands for the
 * other is likely, and not known.
 *
 * @param events The calls, in the order of their time.
 */
export function pairLaterCalls(events: readonly CallEvent[]): readonly CorrectionEvent[] {
  const waiting = new Map<string, CallEvent[]>();
  const corrections: CorrectionEvent[] = [];
  for (const event of events) {
    if (event.runId === undefined) continue;
    const [ofTool, ofInput] = [nameByTool(event), nameByInput(event)];
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

function nameByTool({ runId, toolName }: CallEvent): string {
  return JSON.stringify(["tool", runId, toolName]);
}

function nameByInput({ runId, rawToolInput }: CallEvent): string {
  return JSON.stringify(["input", runId, asValue(rawToolInput as JsonValue)]);
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
