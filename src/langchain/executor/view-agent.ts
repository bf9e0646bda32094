import type { CallbackManager } from "@langchain/core/callbacks/manager";
import type { RunnableConfig } from "@langchain/core/runnables";
import { emitCorrections } from "../../repair/events/emit.ts";
import { viewOf } from "../tool/view-of.ts";
import { askAboutText } from "./ask-about-text.ts";
import { captureGeneration } from "./capture-generation.ts";
import type { PlanAgain } from "./correct-plan.ts";
import type { AgentLike, AgentOutput, CallbackManagerLike } from "./executor-like.ts";
import { isOutputParserException } from "./is-output-parser-exception.ts";
import { loadRareParts } from "./load-lazy.ts";
import { originOfRun } from "./origin-of-run.ts";
import type { Plan, PreparedPlan } from "./plan.ts";
import { planOutput } from "./plan-output.ts";
import { type PlannedAction, prepareAction } from "./prepare-action.ts";
import { recoverOutput } from "./recover-output.ts";
import { rewriteHistory } from "./rewrite-history.ts";
import { keeps, type Run, throwIfFailed } from "./run.ts";
import { viewPlanner } from "./view-planner.ts";

/** The arguments of an agent's `plan`. */
type PlanArguments = [
  steps: unknown[],
  inputs: unknown,
  callbackManager?: CallbackManagerLike,
  config?: unknown,
];

/**
 * Makes the view of an agent that LangChain's loop is given for one run: its `plan` hands out
 * actions whose inputs are repaired, and reads what the agent's parser refused or dropped.
 *
 * @param run The run.
 */
export function viewAgent(run: Run): AgentLike {
  return viewOf(run.executor.agent, {
    async plan(...args: PlanArguments): Promise<AgentOutput> {
      throwIfFailed(run);
      const [steps, inputs, callbackManager, config] = args;
      Object.assign(run, { steps, inputs, planning: planningConfig(callbackManager, config) });
      const prepared = await prepare(await planOnce(args, run), run);
      const again: PlanAgain = async (moreSteps, options) => {
        const more = { ...(config as object | undefined), ...options };
        const plan = await planOnce([[...moreSteps], inputs, callbackManager, more], run);
        return prepare(plan, run);
      };
      const plan =
        run.correcting === undefined
          ? prepared
          : await (await loadRareParts()).correctPlan(prepared, again, run);
      if (plan.kind === "actions" && run.steps.some(isRefusedStep)) {
        const find = async () => (await loadRareParts()).findLaterActions(plan, run);
        await emitCorrections(find, { ...run.resolving, origin: originOfRun(run) });
      }
      return handOut(plan, run);
    },
  });
}

function isRefusedStep(step: unknown): boolean {
  return (step as { readonly action?: { readonly valid?: unknown } }).action?.valid === false;
}

/** LangChain hands the callbacks of the run on apart. */
function planningConfig(
  callbacks: CallbackManagerLike | undefined,
  config: unknown,
): RunnableConfig | undefined {
  const own = callbacks === undefined ? {} : { callbacks: callbacks as unknown as CallbackManager };
  return config === undefined && callbacks === undefined
    ? undefined
    : { ...(config as RunnableConfig | undefined), ...own };
}

/** Lets the agent plan, and reads what it made of the model's output. */
async function planOnce(args: PlanArguments, run: Run): Promise<Plan> {
  const [steps, inputs, callbackManager, config] = args;
  const { agent } = run.executor;
  const capture = captureGeneration(callbackManager);
  const noted = new WeakMap<object, readonly PlannedAction[]>();
  const asked = new Set<string>();

  async function readOrAsk(error: Error, text: string): Promise<Plan | undefined> {
    const { readAction } = await loadRareParts();
    const read = await readAction(text, capture.last(), run);
    if (read !== undefined || asked.has(text)) return read;
    asked.add(text);
    return askAboutText(error, text, run);
  }

  /** In the middle of the agent's own plan: as its parser would hand it out. */
  async function readInParser(error: Error, text: string): Promise<AgentOutput | undefined> {
    const plan = await readOrAsk(error, text);
    if (plan?.kind !== "actions") return plan?.output;
    const action = plan.planned[0]?.action;
    if (action !== undefined) noted.set(action, plan.planned);
    return action;
  }

  if (keeps(run, "parsingErrors")) {
    const output = await agent.plan(steps, inputs, capture.callbackManager, config);
    return await planOutput({ output, generation: capture.last(), noted }, run);
  }
  try {
    const planner = viewPlanner(agent, readInParser);
    const output = await agent.plan.call(planner, steps, inputs, capture.callbackManager, config);
    return await planOutput({ output, generation: capture.last(), noted }, run);
  } catch (error) {
    if (!isOutputParserException(error)) throw error;
    return recoverOutput({ error, generation: capture.last() }, readOrAsk, run);
  } finally {
    run.generation = capture.last();
  }
}

/** Repairs the inputs. */
async function prepare(plan: Plan, run: Run): Promise<PreparedPlan> {
  if (plan.kind === "output") return plan;
  const outcomes = await Promise.all(plan.planned.map((one) => prepareAction(one, run)));
  return { ...plan, outcomes };
}

/** Hands LangChain's loop what an agent would. */
function handOut(plan: PreparedPlan, run: Run): AgentOutput {
  if (plan.kind === "output") return plan.output;
  const { planned, outcomes, isList, refusal } = plan;
  const isRefused = outcomes.some(({ resolution }) => resolution.kind === "refused");
  const isThrown = keeps(run, "inputErrors") && !run.executor.handleParsingErrors;
  if (refusal !== undefined && isRefused && isThrown) throw refusal;
  rewriteHistory(planned, outcomes);
  const actions = outcomes.map(({ action }) => action as never);
  const [only] = actions;
  return isList || only === undefined || actions.length > 1 ? actions : only;
}
