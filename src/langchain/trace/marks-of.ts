import { bareFixer, type CallEvent, changesOf } from "../../repair/events/event.ts";

/** What a run in LangChain is marked with. */
export interface RunMarks {
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Returns what the run of a call's tool is marked with: flat scalars, and nothing that a model wrote.
 *
 * @param event What became of the call, as far as it is known.
 */
export function marksOf({
  outcome,
  level,
  issues = [],
  ...change
}: Partial<CallEvent> & Pick<CallEvent, "outcome" | "repairs">): RunMarks {
  const fixers = changesOf(change).map(({ fixer }) => bareFixer(fixer));
  return {
    tags: [`toolmend:${outcome}`],
    metadata: {
      toolmend_outcome: outcome,
      ...(level !== undefined && { toolmend_level: level }),
      ...(fixers.length > 0 && { toolmend_fixers: joined(fixers) }),
      ...(issues.length > 0 && { toolmend_faults: joined(issues.map(({ code }) => code)) }),
    },
  };
}

function joined(names: readonly string[]): string {
  return [...new Set(names)].join(",");
}
