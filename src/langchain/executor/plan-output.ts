import { EXCEPTION } from "../../repair/steps.ts";
import type { AgentAction } from "../../repair/types.ts";
import type { CapturedGeneration } from "./capture-generation.ts";
import type { AgentLike, AgentOutput } from "./executor-like.ts";
import { findActionTool } from "./find-action-tool.ts";
import { isGenerationCutOff } from "./is-generation-cut-off.ts";
import { loadRareParts } from "./load-lazy.ts";
import type { Plan } from "./plan.ts";
import { planCalls, planDroppedCalls } from "./plan-calls.ts";
import type { PlannedAction } from "./prepare-action.ts";
import { rawCallsOf } from "./raw-calls.ts";
import { rawTextInput } from "./raw-text-input.ts";
import { keeps, type Run } from "./run.ts";

/** What an agent's parser made of the model's output. */
interface ParsedOutput {
  readonly output: AgentOutput;
  /** The model's output. */
  readonly generation: CapturedGeneration | undefined;
  /** The actions that were read off text before, with how. */
  readonly noted: WeakMap<object, readonly PlannedAction[]>;
}

/**
 * Plans what an agent's parser made of the model's output, and what it dropped.
 *
 * @param parsed What the parser made of it.
 * @param run The run.
 */
export async function planOutput(
  { output, generation, noted }: ParsedOutput,
  run: Run,
): Promise<Plan> {
  if ("returnValues" in output) {
    const planned = planFinish(generation, run);
    return planned.length === 0
      ? { kind: "output", output }
      : { kind: "actions", planned, isList: isMulti(run.executor.agent) };
  }
  const isList = Array.isArray(output);
  const actions = isList ? output : [output];
  if (actions.some((action) => "messageLog" in action)) {
    const rescue = isMulti(run.executor.agent) && !keeps(run, "invalidToolCalls");
    const planned = planCalls(actions, generation?.message, rescue);
    return { kind: "actions", planned, isList };
  }
  if (actions.some(({ tool }) => tool === EXCEPTION)) return { kind: "output", output };
  const planned = actions.map((one) => noted.get(one) ?? planText(one, generation, run));
  return { kind: "actions", planned: (await Promise.all(planned)).flat(), isList };
}

/** An agent that seems to be done, because its parser dropped what it could not read. */
function planFinish(
  generation: CapturedGeneration | undefined,
  run: Run,
): readonly PlannedAction[] {
  const isRead = isMulti(run.executor.agent) && !keeps(run, "invalidToolCalls");
  return isRead ? planUnreadable(generation) : [];
}

/** Only where LangChain could read no call: an agent may end on a call that it takes as its answer. */
function planUnreadable(generation: CapturedGeneration | undefined): readonly PlannedAction[] {
  const calls = rawCallsOf(generation?.message);
  const isUnread = calls.length > 0 && calls.every(({ dropped }) => dropped);
  return isUnread ? planDroppedCalls(calls, generation?.message) : [];
}

async function planText(
  action: AgentAction,
  generation: CapturedGeneration | undefined,
  run: Run,
): Promise<PlannedAction | readonly PlannedAction[]> {
  const cutOff = isGenerationCutOff(generation);
  if (typeof action.tool !== "string" && !keeps(run, "parsingErrors")) {
    const { readAction } = await loadRareParts();
    const read = await readAction(action.log, generation, run);
    if (read?.kind === "actions") return read.planned;
  }
  const raw = keeps(run, "parsingErrors")
    ? action.toolInput
    : rawTextInput(action, (await findActionTool(action.tool, run))?.tool);
  const isLast = typeof raw === "string" && action.log.trimEnd().endsWith(raw.trimEnd());
  return { action, raw, truncated: cutOff && isLast };
}

function isMulti(agent: AgentLike): boolean {
  return agent._agentActionType() === "multi";
}
