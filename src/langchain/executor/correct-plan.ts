import type { AIMessage } from "@langchain/core/messages";
import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { unknownToolError } from "../../repair/tool-call.ts";
import { askForced } from "../correct/ask-forced.ts";
import { HELD } from "../correct/correction-messages.ts";
import { canBeForced } from "../correct/force-tool-call.ts";
import { runCorrections } from "../correct/run-corrections.ts";
import { mergePlans } from "./merge-plans.ts";
import { originOfRun } from "./origin-of-run.ts";
import type { PreparedActions, PreparedPlan } from "./plan.ts";
import { planningModel } from "./planning-model.ts";
import { rewriteHistory } from "./rewrite-history.ts";
import type { Outcome, Run } from "./run.ts";

/** Lets the agent plan again, after these steps, with what else its model is called with. */
export type PlanAgain = (steps: readonly unknown[], options: object) => Promise<PreparedPlan>;

/** A plan, and what the model wrote for it. */
interface PlannedAnswer {
  readonly plan: PreparedPlan;
  readonly message: AIMessage | undefined;
}

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
  const { runnable } = run.executor.agent as { runnable?: unknown };
  const model = planningModel(runnable);
  const failed: unknown[] = [];
  const toAnswer = (plan: PreparedPlan): PlannedAnswer => {
    return { plan, message: run.generation?.message as AIMessage | undefined };
  };
  const corrected = await runCorrections(toAnswer(prepared), {
    policy,
    turn: ledger.beginTurn(),
    progress: { attempt: 0, totalUsage: undefined },
    watchers: [options.selfCorrect?.onAttempt],
    errorsOf: ({ plan }) => planErrors(plan, run),
    hasCalls: ({ plan }) => plan.kind === "actions",
    messageOf: ({ message }) => message,
    ask: async ({ plan }, request, toolChoice) => {
      if (plan.kind === "actions") failed.push(...asSteps(plan, request, run));
      const choice = model !== undefined && canBeForced(model) ? toolChoice : undefined;
      const next = await askForced(choice, (tool_choice) =>
        again([...run.steps, ...failed], tool_choice === undefined ? {} : { tool_choice }),
      );
      return toAnswer(next);
    },
    merge: ({ plan }, next) => {
      if (plan.kind === "output") return { answer: next, corrected: [] };
      const merged = mergePlans(plan, next.plan, (outcome) => errorOf(outcome, run));
      return { answer: { ...next, plan: merged.plan }, corrected: merged.corrected };
    },
    telling: { ...run.resolving, origin: originOfRun(run) },
  });
  if (corrected === undefined) return prepared;
  const { answer, errors } = corrected;
  if (errors.length > 0 && options.selfCorrect?.giveUp === "throw") throw errors[0];
  return answer.plan;
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

function planErrors(prepared: PreparedPlan, run: Run): readonly ToolInputError[] {
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
