import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { CallbackManager } from "@langchain/core/callbacks/manager";
import { loadOnce } from "../../repair/drive.ts";
import { isInputError } from "../../repair/errors.ts";
import { emitCorrections } from "../../repair/events/emit.ts";
import { EXCEPTION } from "../../repair/steps.ts";
import { saveStopInfo } from "../message/read.ts";
import { viewOf } from "../tool/view-of.ts";
import type { AgentLike, AgentOutput } from "./executor-like.ts";
import { planCalls, rawCallsOf, rewriteHistory } from "./plan-calls.ts";
import { planText } from "./plan-text.ts";
import { originOfRun, prepareAction, toText } from "./prepare-action.ts";
import {
  type CapturedGeneration,
  isOutputParserException,
  type Plan,
  type PlannedAction,
  type PlannedActions,
  type Run,
  type RunStep,
} from "./run.ts";
import { viewPlanner } from "./view-planner.ts";

type PlanArguments = Parameters<AgentLike["plan"]>;

/** What few runs need: what reads a text that the agent's own parser refused. */
const loadRareParts = loadOnce(() => import("./read-action.ts"));

/**
 * Makes the view of an agent that LangChain's loop is given for one run: its `plan` hands out
 * actions whose inputs are repaired, and reads what the agent's parser refused or dropped.
 */
export function viewAgent(run: Run): AgentLike {
  async function plan(...args: PlanArguments): Promise<AgentOutput> {
    const [steps, inputs, callbacks, config] = args;
    // LangChain hands the callbacks of the run on apart.
    const planning = callbacks ? { ...config, callbacks } : config;
    Object.assign(run, { steps, inputs, planning, generation: undefined });
    if (!run.options.compat) tellWhichTools(steps, run);
    const planned = await planOnce(args, run);
    const handedOut = planned.output ?? (await prepareActions(planned, run));
    const isException = (one: object) => "tool" in one && one.tool === EXCEPTION;
    if ([handedOut].flat().some(isException)) run.onException?.();
    return handedOut;
  }
  return viewOf(run.executor.agent, { plan });
}

/** LangChain answers a call of a tool that does not exist by itself, and names no tools in `invoke`. */
function tellWhichTools(steps: RunStep[], { pending }: Run): void {
  for (const step of steps) {
    const at = pending.findIndex(({ action }) => action === step.action);
    const resolution = pending[at]?.resolution;
    if (resolution?.kind !== "unknown") continue;
    step.observation = resolution.text;
    pending.splice(at, 1);
  }
}

/** Lets the agent plan, and reads what it made of the model's output, or failed to. */
async function planOnce(args: PlanArguments, run: Run): Promise<Plan> {
  const [steps, inputs, callbacks, config] = args;
  const { agent } = run.executor;
  /** The actions that were read in the middle of the agent's own plan. */
  const read = new WeakMap<object, readonly PlannedAction[]>();
  const asked = new Set<string>();

  const readText = async (error: Error, text: string): Promise<Plan | undefined> => {
    const isAsked = asked.has(text);
    asked.add(text);
    return (await loadRareParts()).readRefusedText(text, isAsked ? undefined : error, run);
  };

  /** In the middle of the agent's own plan: as its parser would hand it out. */
  const readInParser = async (error: Error, text: string): Promise<AgentOutput | undefined> => {
    const plan = await readText(error, text);
    if (plan === undefined || plan.output) return plan?.output;
    const action = plan.planned[0]?.action;
    if (action !== undefined) read.set(action, plan.planned);
    return action;
  };

  try {
    const planner = viewPlanner(agent, readInParser);
    const output = await agent.plan.call(planner, steps, inputs, listen(callbacks, run), config);
    return await planOutput(output, read, run);
  } catch (error) {
    if (!isOutputParserException(error)) throw error;
    const { message, text } = run.generation ?? {};
    const planned = planCalls([], message, "all");
    if (planned.length > 0) return { planned, isList: true, refusal: error };
    const written = error.llmOutput ?? (text || toText(message?.content) || error.message);
    const plan = await readText(error, written);
    if (plan !== undefined) return plan;
    throw error;
  }
}

/** Plans what an agent's parser made of the model's output, and what it dropped. */
async function planOutput(
  output: AgentOutput,
  read: WeakMap<object, readonly PlannedAction[]>,
  run: Run,
): Promise<Plan> {
  const message = run.generation?.message;
  const isMulti = run.executor.agent._agentActionType() === "multi";
  if ("returnValues" in output) {
    // It seems to be done where its parser dropped all calls; it may end on a call that it takes as its answer.
    const calls = isMulti ? rawCallsOf(message) : [];
    const isUnread = calls.length > 0 && calls.every(({ located }) => located?.invalid);
    return isUnread ? { planned: planCalls([], message, "all"), isList: true } : { output };
  }
  const isList = Array.isArray(output);
  const actions = isList ? output : [output];
  if (actions.some((action) => "messageLog" in action)) {
    return { planned: planCalls(actions, message, isMulti ? "dropped" : "none"), isList };
  }
  if (actions.some(({ tool }) => tool === EXCEPTION)) return { output };
  const planned = actions.map(async (one) => {
    const known = read.get(one);
    if (known !== undefined) return known;
    const isNamed = typeof one.tool === "string";
    const plan = isNamed ? undefined : await (await loadRareParts()).readAction(one.log, run);
    return plan?.planned ?? [await planText(one, run)];
  });
  return { planned: (await Promise.all(planned)).flat(), isList };
}

/** Repairs what was planned, and returns it as LangChain's loop is handed it. */
async function prepareActions(
  { planned, isList, refusal }: PlannedActions,
  run: Run,
): Promise<AgentOutput> {
  const preparing = Promise.all(planned.map((one) => prepareAction(one, run)));
  const outcomes = await preparing.catch((error) => {
    throw refusal !== undefined && isInputError(error) ? refusal : error;
  });
  if (run.steps.some(({ action }) => action?.valid === false)) {
    const find = async () => (await loadRareParts()).findLaterActions(outcomes, run);
    await emitCorrections(find, { ...run.resolving, origin: originOfRun(run) });
  }
  rewriteHistory(planned, outcomes);
  run.pending.push(...outcomes);
  const actions = outcomes.map(({ action }) => action as never);
  return isList || actions.length !== 1 ? actions : (actions[0] as never);
}

/**
 * Listens to what the model writes while an agent plans. An agent's parser drops it: its error does
 * not hold the text, and calls that could not be read vanish.
 */
function listen(callbacks: CallbackManager | undefined, run: Run): CallbackManager {
  let question: Pick<CapturedGeneration, "asked" | "prompts"> = {};
  const handler = BaseCallbackHandler.fromMethods({
    handleChatModelStart(_model, messages) {
      question = { asked: messages.flat() };
    },
    handleLLMStart(_model, prompts) {
      question = { prompts };
    },
    handleLLMEnd({ generations }) {
      const last: CapturedGeneration | undefined = generations.at(-1)?.at(-1);
      run.generation = { ...last, ...question };
      if (last?.message && last.generationInfo) saveStopInfo(last.message, last.generationInfo);
    },
  });
  handler.awaitHandlers = true;
  return (callbacks ?? new CallbackManager()).copy([handler], true);
}
