import fc from "fast-check";
import type { Form } from "./thread-message.ts";
import {
  type CallKind,
  type Decision,
  openThread,
  type ThreadOptions,
  type Turn,
} from "./thread-model.ts";

/** The next event: a human decides if asked, or speaks; or the failed step is retried. */
interface Step {
  /** Whether that happens in another process. */
  readonly restart: boolean;
  /** Whether the human speaks instead of deciding. */
  readonly ignore: boolean;
  readonly decisions: readonly Decision[];
  /** The model's output meanwhile. */
  readonly turns: readonly Turn[];
  /** Where another middleware sends the run after the model's first turn. */
  readonly jumpTo: "end" | "model" | undefined;
  /** Where a signal aborts the run. */
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
const oneIn = (many: number) => fc.integer({ min: 1, max: many }).map((number) => number === many);
const seldom = oneIn(8);
const step: fc.Arbitrary<Step> = fc.record({
  restart: oneIn(3),
  ignore: seldom,
  decisions: fc.array(decision, { minLength: 1, maxLength: 3 }),
  turns: fc.array(turn, { maxLength: 2 }),
  jumpTo: fc
    .option(fc.constantFrom("end" as const, "model" as const), { nil: undefined, freq: 1 })
    .chain((jumpTo) => seldom.map((isJump) => (isJump ? jumpTo : undefined))),
  abortAt: fc
    .constantFrom("model" as const, "tool" as const)
    .chain((place) => seldom.map((isAborted) => (isAborted ? place : undefined))),
});

/** After these, LangChain leaves something in the state that is completed when it is sent. */
const LEFT_STALE: readonly Decision[] = ["reject"];

/** A thread and its events. */
export const sequences = fc.record({
  options: fc.record({
    toolmend: fc.constantFrom("first" as const, "last" as const),
    tools: fc.boolean(),
    form: fc.constantFrom<Form>(
      ...(["plain", "anthropic", "responses", "google", "chatGoogle", "v1"] as const),
    ),
    json: oneIn(20),
    durability: fc.constantFrom("async" as const, "exit" as const),
    events: oneIn(8),
    human: oneIn(5).map((isAlone) => !isAlone),
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

/** A thread and its events. */
interface Sequence {
  readonly options: ThreadOptions;
  /** The events before toolmend was added, and whether a human still has to decide. */
  readonly old: { readonly turns: readonly Turn[]; readonly isLeftWaiting: boolean };
  readonly steps: readonly Step[];
}

/**
 * Runs a whole sequence of events. Then toolmend is removed, and the thread goes on. With a
 * listener, everything runs a second time without one, with the same outcome.
 *
 * @returns The faults found.
 */
export async function faultsIn(sequence: Sequence): Promise<readonly string[]> {
  const { faults, story } = await happen(sequence);
  if (faults.length > 0 || !sequence.options.events) return faults;
  const silent = await happen({ ...sequence, options: { ...sequence.options, events: false } });
  const at = story.findIndex((line, index) => line !== silent.story[index]);
  return at < 0 ? [] : [`with a listener:\n${story[at]}\nwithout:\n${silent.story[at]}`];
}

/** The outcome of a thread. */
interface Happened {
  readonly faults: readonly string[];
  readonly story: readonly string[];
}

async function happen(sequence: Sequence): Promise<Happened> {
  const { options, steps } = sequence;
  const thread = openThread(
    options,
    steps.some(({ jumpTo }) => jumpTo !== undefined),
  );
  try {
    await letHappen(thread, sequence);
    return { faults: thread.faults, story: thread.story() };
  } finally {
    thread.close();
  }
}

async function letHappen(
  thread: ReturnType<typeof openThread>,
  { old, steps }: Sequence,
): Promise<void> {
  if (old.turns.length > 0) await thread.begin(old.turns, old.isLeftWaiting);
  for (const { restart, ignore, decisions, turns, jumpTo, abortAt } of steps) {
    if (restart) thread.restart();
    thread.abort(abortAt);
    if (thread.hasFailed() && !ignore) await thread.retry(turns);
    else if (thread.isPending() && !ignore) await thread.decide(decisions, turns);
    else await thread.speak(turns, jumpTo);
    if (thread.faults.length > 0) return;
  }
  // Calls that LangChain itself aborted, and calls from before toolmend, are completed in the next
  // turn that is not aborted.
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
  // Only the request is completed then, not the state: the state is never rewritten.
  if (isBroken) return;
  thread.takeOut();
  if (isWaiting) await thread.decide(["approve"], []);
  await thread.speak([]);
}
