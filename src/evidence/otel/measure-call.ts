import { bareFixer, type CallEvent, changesOf } from "../../repair/events/event.ts";
import { offeredName } from "../offered-name.ts";
import { callInstruments } from "./call-instruments.ts";
import { ATTRIBUTES } from "./names.ts";
import { toolAttributes } from "./tool-attributes.ts";

/**
 * Counts a call, what was changed of it and what was wrong with it, and measures how long its repair took.
 *
 * @param event The call.
 */
export function measureCall(event: CallEvent): void {
  const { calls, repairs, issues, duration } = callInstruments();
  const { outcome, microseconds, model, provider } = event;
  const name = offeredName(event);
  calls.add(`${name}\n${outcome}\n${model}\n${provider}`, () => ({
    ...toolAttributes(event),
    [ATTRIBUTES.outcome]: outcome,
  }));
  if (outcome === "valid") return;
  const tool = { [ATTRIBUTES.tool]: name };
  for (const change of changesOf(event)) {
    const { level } = change;
    const fixer = bareFixer(change.fixer);
    repairs.add(`${name}\n${fixer}\n${level}`, () => ({
      ...tool,
      [ATTRIBUTES.fixer]: fixer,
      [ATTRIBUTES.level]: level,
    }));
  }
  for (const { code } of event.issues) {
    issues.add(`${name}\n${code}`, () => ({ ...tool, [ATTRIBUTES.issueCode]: code }));
  }
  if (microseconds === undefined) return;
  duration.record(microseconds / 1_000_000, { ...tool, [ATTRIBUTES.outcome]: outcome });
}
