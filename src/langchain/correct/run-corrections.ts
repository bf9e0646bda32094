import type { AIMessage, UsageMetadata } from "@langchain/core/messages";
import { notify } from "../../repair/drive.ts";
import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { emitCorrections } from "../../repair/events/emit.ts";
import type { Correction, EmitContext } from "../../repair/events/report.ts";
import { addUsage } from "./add-usage.ts";
import type { AttemptEvent, OnAttempt } from "./attempt-event.ts";
import type { CorrectionTurn, Decision } from "./correction-ledger.ts";
import { toolChoiceFor } from "./force-tool-call.ts";
import type { SelfCorrectPolicy } from "./options.ts";

/** What is counted over all models of one run. */
export interface Progress {
  attempt: number;
  totalUsage: UsageMetadata | undefined;
}

/** How a model is asked again, and what is to be known of its answers. */
export interface CorrectionRun<Answer> {
  readonly policy: SelfCorrectPolicy;
  readonly turn: CorrectionTurn;
  readonly progress: Progress;
  /** Why the model was asked the first time. Default: `"first"`. */
  readonly remedy?: AttemptEvent["remedy"];
  /** Told of every attempt. */
  readonly watchers: readonly (OnAttempt | undefined)[];
  /** What is wrong with the calls of an answer. */
  errorsOf(answer: Answer): readonly ToolInputError[];
  hasCalls(answer: Answer): boolean;
  /** What the model wrote, where that is known. */
  messageOf(answer: Answer): AIMessage | undefined;
  /**
   * Shows the model its last answer with what is wrong with it, and asks it to correct that.
   *
   * @returns `undefined` where what came is no answer of a model: then that is the end.
   */
  ask(last: Answer, request: string, toolChoice: string | undefined): Promise<Answer | undefined>;
  /** Makes one answer of all so far and of a new one, and says what of it stands for what was refused. */
  merge(before: Answer, next: Answer): MergedAnswer<Answer>;
  /** Who is told of that. */
  readonly telling: EmitContext;
}

/** A call that can be run, and why the one was refused for which it stands. */
export type CorrectedCall = Omit<Correction, "source">;

/** An answer that stands for several. */
export interface MergedAnswer<Answer> {
  readonly answer: Answer;
  readonly corrected: readonly CorrectedCall[];
}

/** What became of an answer. */
export interface CorrectedAnswer<Answer> {
  /** The answer that stands for all attempts. */
  readonly answer: Answer;
  /** What is still wrong with it. */
  readonly errors: readonly ToolInputError[];
  /** The mistakes that the model was told of. */
  readonly told: readonly ToolInputError[];
}

/**
 * Lets a model correct the calls of its answer that were refused, for as long as the ledger allows
 * it. No tool is run meanwhile. The one loop of chains, agents and executors.
 *
 * @param first The model's first answer.
 * @param run How it is asked again.
 * @returns The answer; `undefined` where the model was asked and something else came.
 */
export async function runCorrections<Answer>(
  first: Answer,
  run: CorrectionRun<Answer>,
): Promise<CorrectedAnswer<Answer> | undefined> {
  const { policy, errorsOf } = run;
  const outcome: ToolInputError[] = [];
  let answer = first;
  let last = first;
  for (let isFirst = true; ; isFirst = false) {
    const errors = errorsOf(answer);
    const decision = decide({ errors, last, isFirst }, run);
    reportAttempt({ errors, last, decision, isFirst }, run);
    if (!decision.ask) return { answer, errors, told: outcome };
    outcome.push(...errorsOf(last));
    const toolChoice = policy.forceToolCall ? toolChoiceFor(errors) : undefined;
    const next = await run.ask(last, policy.prompt(errors), toolChoice);
    if (next === undefined) return undefined;
    last = next;
    const merged = run.merge(answer, next);
    answer = merged.answer;
    const { corrected } = merged;
    const find = () => corrected.map((call) => ({ ...call, source: "self-correct" as const }));
    await emitCorrections(find, run.telling);
  }
}

type Verdict = Decision | { readonly ask: false; readonly stopped?: undefined };

/** Where a correction stands. */
interface Attempt<Answer> {
  readonly errors: readonly ToolInputError[];
  readonly last: Answer;
  readonly isFirst: boolean;
}

function decide<Answer>(
  { errors, last, isFirst }: Attempt<Answer>,
  { turn, errorsOf, hasCalls }: CorrectionRun<Answer>,
): Verdict {
  if (errors.length === 0) return { ask: false };
  if (!isFirst && !hasCalls(last)) return { ask: false, stopped: "no-call" };
  return turn.decide(errors, errorsOf(last));
}

function reportAttempt<Answer>(
  what: Attempt<Answer> & { readonly decision: Verdict },
  { progress, remedy = "first", watchers, messageOf }: CorrectionRun<Answer>,
): void {
  const { errors, last, decision, isFirst } = what;
  const message = messageOf(last);
  const usage = message?.usage_metadata;
  progress.attempt += 1;
  progress.totalUsage = addUsage(progress.totalUsage, usage);
  const { attempt, totalUsage } = progress;
  const event: AttemptEvent = {
    attempt,
    remedy: isFirst ? remedy : "self-correction",
    ok: errors.length === 0,
    errors,
    ...(!decision.ask && decision.stopped && { stopped: decision.stopped }),
    ...(message && { message }),
    ...(usage && { usage }),
    ...(totalUsage && { totalUsage }),
  };
  for (const onAttempt of watchers) notify(onAttempt, event);
}
