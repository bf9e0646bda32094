import type { CallEvent, CorrectionEvent } from "../../repair/events/input-event.ts";
import { asValue } from "../suggest/as-value.ts";

/**
 * Finds which calls took the place of refused ones: in the same run, the next call of the same tool
 * that was accepted; for a tool that nobody offers, the next accepted call with the very same input.
 * The first refused is paired first. That the one stands for the other is likely, and not known.
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
      const queue = waiting.get(key);
      if (queue === undefined) waiting.set(key, [event]);
      else queue.push(event);
      continue;
    }
    // Calls of one output were made at once: none of them corrects another.
    const queue = [ofTool, ofInput]
      .map((key) => waiting.get(key) ?? [])
      .find(([first]) => first !== undefined && first.time < event.time);
    const refused = queue?.shift();
    if (refused !== undefined) corrections.push(toCorrectionEvent(refused, event));
  }
  return corrections;
}

function nameByTool({ runId, toolName }: CallEvent): string {
  return JSON.stringify(["tool", runId, toolName]);
}

function nameByInput({ runId, rawToolInput }: CallEvent): string {
  return JSON.stringify(["input", runId, asValue(rawToolInput)]);
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
