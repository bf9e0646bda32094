import type { Correction } from "../../repair/events/report.ts";
import type { ToolLike } from "../../repair/types.ts";
import { findLaterCalls } from "../correct/find-later-calls.ts";
import type { TurnCall } from "../correct/read-turn.ts";
import type { PreparedActions } from "./plan.ts";
import type { Outcome, PreparedAction, Run } from "./run.ts";

/**
 * Finds which actions of a plan stand for actions that were refused in an earlier step.
 *
 * @param plan The plan.
 * @param run The run, with its steps.
 */
export async function findLaterActions(
  plan: PreparedActions,
  run: Run,
): Promise<readonly Correction[]> {
  const turns: TurnCall[][] = [];
  for (const [index, { action }] of stepsOf(run).entries()) {
    const call = toTurnCall(action, `step ${index}`, action.valid);
    // Of calls made at once, the first has the messages.
    if (action.messageLog !== undefined || turns.length === 0) turns.push([call]);
    else turns.at(-1)?.push(call);
  }
  const made = plan.outcomes.flatMap(({ action, resolution }: Outcome, index) =>
    resolution.kind === "run" && resolution.corrects === undefined
      ? [toTurnCall(action, `action ${index}`, true)]
      : [],
  );
  const tools = run.tools.filter((tool): tool is typeof tool & ToolLike => Boolean(tool.schema));
  return findLaterCalls({ turns, made, tools });
}

type Step = { readonly action: PreparedAction & { readonly messageLog?: unknown } };

function stepsOf({ steps }: Run): readonly Step[] {
  return steps as readonly Step[];
}

function toTurnCall(action: PreparedAction, place: string, hasRun: boolean): TurnCall {
  const { tool: name, toolInput: input, rawToolInput: raw } = action;
  const { toolCallId: id = place } = action as { readonly toolCallId?: string };
  return { id, name, raw, input, isRefused: !hasRun, hasRun };
}
