import fc from "fast-check";
import type { Form } from "./thread-message.ts";
import { type CallKind, type Decision, openThread, type Turn } from "./thread-model.ts";

/** What happens next: a human decides where one is asked, or else speaks; or what failed is retried. */
interface Step {
  /** Whether that happens in another process. */
  readonly restart: boolean;
  /** Whether the human speaks instead of deciding. */
  readonly ignore: boolean;
  readonly decisions: readonly Decision[];
  /** What the model says meanwhile. */
  readonly turns: readonly Turn[];
  /** Where another middleware lets the run go on after the model's first turn. */
  readonly jumpTo: "end" | "model" | undefined;
}

const kind = fc.constantFrom<CallKind>("right", "right", "faulty", "bad", "unreadable", "free");
const turn = fc.oneof(
  { weight: 8, arbitrary: fc.array(kind, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant<Turn>("error") },
);
const decision = fc.constantFrom<Decision>(
  ...(["approve", "approve", "reject", "edit right", "edit faulty", "edit bad"] as const),
);
const seldom = fc.integer({ min: 0, max: 7 }).map((number) => number === 7);
const step: fc.Arbitrary<Step> = fc.record({
  restart: fc.boolean(),
  ignore: seldom,
  decisions: fc.array(decision, { minLength: 1, maxLength: 3 }),
  turns: fc.array(turn, { maxLength: 3 }),
  jumpTo: fc
    .option(fc.constantFrom("end" as const, "model" as const), { nil: undefined, freq: 1 })
    .chain((jumpTo) => seldom.map((isJump) => (isJump ? jumpTo : undefined))),
});

/** After these, LangChain leaves something in the state that is settled with the model's next turn. */
const LEFT_STALE: readonly Decision[] = ["reject", "edit faulty", "edit right"];

/** A thread and what happens to it. */
export const sequences = fc.record({
  options: fc.record({
    toolmend: fc.constantFrom("first" as const, "last" as const),
    tools: fc.boolean(),
    form: fc.constantFrom<Form>("plain", "anthropic", "responses", "google", "v1"),
  }),
  steps: fc.array(step, { minLength: 1, maxLength: 5 }),
});

/**
 * Lets everything of a sequence happen. At its end toolmend is taken out, and the thread goes on.
 *
 * @returns What went wrong.
 */
export async function faultsIn({
  options,
  steps,
}: {
  readonly options: Parameters<typeof openThread>[0];
  readonly steps: readonly Step[];
}): Promise<readonly string[]> {
  const thread = openThread(options);
  for (const { restart, ignore, decisions, turns, jumpTo } of steps) {
    if (restart) thread.restart();
    if (thread.hasFailed() && !ignore) await thread.retry(turns);
    else if (thread.isPending() && !ignore) await thread.decide(decisions, turns);
    else await thread.speak(turns, jumpTo);
    if (thread.faults.length > 0) return thread.faults;
  }
  // What was broken off in LangChain's own way is settled with the next turn that is not.
  const isBroken = steps.some(
    ({ ignore, jumpTo, decisions }) =>
      ignore || jumpTo !== undefined || decisions.some((decision) => LEFT_STALE.includes(decision)),
  );
  if (thread.hasFailed()) await thread.retry([]);
  if (thread.isPending() && isBroken) await thread.decide(["approve"], []);
  if (!thread.isPending()) await thread.speak([]);
  const isWaiting = thread.isPending();
  thread.takeOut();
  if (isWaiting) await thread.decide(["approve"], []);
  await thread.speak([]);
  return thread.faults;
}
