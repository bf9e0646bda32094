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
  /** Where the run is broken off, by a signal. */
  readonly abortAt: "model" | "tool" | undefined;
}

const kind = fc.constantFrom<CallKind>("right", "right", "faulty", "bad", "unreadable", "free");
const calls = fc.array(kind, { minLength: 1, maxLength: 3 });
const turn = fc.oneof(
  { weight: 8, arbitrary: calls },
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
  abortAt: fc
    .constantFrom("model" as const, "tool" as const)
    .chain((place) => seldom.map((isAborted) => (isAborted ? place : undefined))),
});

/** After these, LangChain leaves something in the state that is settled with the model's next turn. */
const LEFT_STALE: readonly Decision[] = ["reject", "edit faulty", "edit right"];

/** A thread and what happens to it. */
export const sequences = fc.record({
  options: fc.record({
    toolmend: fc.constantFrom("first" as const, "last" as const),
    tools: fc.boolean(),
    form: fc.constantFrom<Form>("plain", "anthropic", "responses", "google", "v1"),
    hook: fc.constantFrom("afterModel" as const, "afterModel" as const, "wrapToolCall" as const),
  }),
  old: fc.record({
    turns: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(calls, { minLength: 1, maxLength: 2 }) },
    ),
    isLeftWaiting: fc.boolean(),
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
  old,
  steps,
}: {
  readonly options: Parameters<typeof openThread>[0];
  /** What happened before toolmend came, and whether a human is still to decide. */
  readonly old: { readonly turns: readonly Turn[]; readonly isLeftWaiting: boolean };
  readonly steps: readonly Step[];
}): Promise<readonly string[]> {
  const thread = openThread(options);
  if (old.turns.length > 0) await thread.begin(old.turns, old.isLeftWaiting);
  for (const { restart, ignore, decisions, turns, jumpTo, abortAt } of steps) {
    if (restart) thread.restart();
    thread.abort(abortAt);
    if (thread.hasFailed() && !ignore) await thread.retry(turns);
    else if (thread.isPending() && !ignore) await thread.decide(decisions, turns);
    else await thread.speak(turns, jumpTo);
    if (thread.faults.length > 0) return thread.faults;
  }
  // What was broken off in LangChain's own way is settled with the next turn that is not, and so is
  // what was there before toolmend.
  const isBroken =
    old.turns.length > 0 ||
    steps.some(
      ({ ignore, jumpTo, abortAt, decisions }) =>
        ignore ||
        jumpTo !== undefined ||
        abortAt !== undefined ||
        decisions.some((decision) => LEFT_STALE.includes(decision)),
    );
  thread.abort(undefined);
  if (thread.hasFailed()) await thread.retry([]);
  if (thread.isPending() && isBroken) await thread.decide(["approve"], []);
  if (!thread.isPending()) await thread.speak([]);
  const isWaiting = thread.isPending();
  // Without a hook after the model, only what is sent is settled, and not the state.
  if (options.hook === "wrapToolCall" && isBroken) return thread.faults;
  thread.takeOut();
  if (isWaiting) await thread.decide(["approve"], []);
  await thread.speak([]);
  return thread.faults;
}
