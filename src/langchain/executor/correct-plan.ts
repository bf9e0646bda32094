import type { AIMessage, UsageMetadata } from "@langchain/core/messages";
import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { unknownToolError } from "../../repair/errors/unknown-tool-error.ts";
import { notify } from "../../repair/notify.ts";
import { addUsage } from "../correct/add-usage.ts";
import type { StopReason } from "../correct/attempt-event.ts";
import { HELD } from "../correct/correction-messages.ts";
import { canBeForced, refusesToolChoice, toolChoiceFor } from "../correct/force-tool-call.ts";
import type { SelfCorrectPolicy } from "../correct/options.ts";
import { mergePlans } from "./merge-plans.ts";
import type { PreparedActions, PreparedPlan } from "./plan.ts";
import { planningModel } from "./planning-model.ts";
import { rewriteHistory } from "./rewrite-history.ts";
import type { Outcome, Run } from "./run.ts";

/** Lets the agent plan again, after these steps, with what else its model is called with. */
export type PlanAgain = (steps: readonly unknown[], options: object) => Promise<PreparedPlan>;

/**
 * Lets the agent's model correct actions that were refused: it is shown them as steps, with what is
 * wrong as their observations. The steps of the run do not hold them, and no tool is run for them.
 * Actions that were right wait for those that are corrected.
 *
 * @param prepared What the agent planned.
 * @param again Lets it plan again.
 * @param run The run.
 * @returns What it planned last, with refused actions in it where nothing helped.
 * @throws The `ToolInputError`, where nothing helped and `giveUp` is `"throw"`.
 */
export async function correctPlan(
  prepared: PreparedPlan,
  again: PlanAgain,
  run: Run,
): Promise<PreparedPlan> {
  const { correcting, options } = run;
  if (correcting === undefined) return prepared;
  const { policy, ledger } = correcting;
  const turn = ledger.beginTurn();
  const failed: unknown[] = [];
  let usage: UsageMetadata | undefined;
  let current = prepared;
  let fresh = errorsOf(current, run);
  for (let attempt = 1; ; attempt++) {
    const errors = errorsOf(current, run);
    const decision = errors.length === 0 ? undefined : turn.decide(errors, fresh);
    const stopped = decision?.ask === false ? decision.stopped : undefined;
    usage = tell(attempt, errors, stopped, usage, run);
    if (current.kind === "output" || decision === undefined) return current;
    if (!decision.ask) {
      if (options.selfCorrect?.giveUp === "throw") throw errors[0];
      return current;
    }
    failed.push(...asSteps(current, policy.prompt(errors), run));
    const next = await planForced(again, [...run.steps, ...failed], errors, policy, run);
    fresh = errorsOf(next, run);
    current = mergePlans(current, next, (outcome) => errorOf(outcome, run) !== undefined);
  }
}

async function planForced(
  again: PlanAgain,
  steps: readonly unknown[],
  errors: readonly ToolInputError[],
  { forceToolCall }: SelfCorrectPolicy,
  { executor }: Run,
): Promise<PreparedPlan> {
  const { runnable } = executor.agent as { runnable?: unknown };
  const model = planningModel(runnable);
  if (!forceToolCall || model === undefined || !canBeForced(model)) return again(steps, {});
  try {
    return await again(steps, { tool_choice: toolChoiceFor(errors) });
  } catch (error) {
    if (!refusesToolChoice(error)) throw error;
    return again(steps, {});
  }
}

/** The actions as steps, with the request at the end. */
function asSteps(
  { planned, outcomes }: PreparedActions,
  request: string,
  run: Run,
): readonly unknown[] {
  const copies = outcomes.map((outcome) => ({ ...outcome, action: { ...outcome.action } }));
  rewriteHistory(planned, copies);
  return copies.map(({ action }, index) => {
    const outcome = outcomes[index] as Outcome;
    const { resolution } = outcome;
    const error = errorOf(outcome, run);
    const text = resolution.kind === "observation" ? resolution.text : HELD;
    const told = error?.toModelMessage() ?? text;
    return { action, observation: index === copies.length - 1 ? `${told}\n\n${request}` : told };
  });
}

function errorsOf(prepared: PreparedPlan, run: Run): readonly ToolInputError[] {
  if (prepared.kind === "output") return [];
  return prepared.outcomes.flatMap((outcome) => errorOf(outcome, run) ?? []);
}

function errorOf({ resolution, action }: Outcome, { tools }: Run): ToolInputError | undefined {
  if (resolution.kind === "refused") return resolution.error;
  if (resolution.kind !== "unknown") return undefined;
  return unknownToolError(String(action.tool), action.rawToolInput, tools, {
    action: action as never,
  });
}

function tell(
  attempt: number,
  errors: readonly ToolInputError[],
  stopped: StopReason | undefined,
  before: UsageMetadata | undefined,
  { heard, options }: Run,
): UsageMetadata | undefined {
  const message = heard?.message as AIMessage | undefined;
  const usage = message?.usage_metadata;
  const totalUsage = addUsage(before, usage);
  notify(options.selfCorrect?.onAttempt, {
    attempt,
    remedy: attempt === 1 ? "first" : "self-correction",
    ok: errors.length === 0,
    errors,
    ...(stopped && { stopped }),
    ...(message && { message }),
    ...(usage && { usage }),
    ...(totalUsage && { totalUsage }),
  });
  return totalUsage;
}
