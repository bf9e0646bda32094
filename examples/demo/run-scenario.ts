import { type TypedAgentStep, wrapAgentExecutor } from "toolmend";
import type { EvidenceSink } from "toolmend/evidence";
import { createFakePage } from "./fake-page.ts";
import type { Outcome, RecordedStep } from "./outcome.ts";
import type { Scenario } from "./scenarios.ts";
import { createScriptedModel } from "./scripted-model.ts";
import { createWebAgent, type ExecutorOptions } from "./web-agent.ts";
import { createUnfixableHandler, createWebFixers } from "./web-fixers.ts";
import { createWebTools, type WebTools } from "./web-tools.ts";

/** The outcome of a model output with toolmend. */
export interface WrappedOutcome extends Outcome {
  readonly steps: readonly TypedAgentStep<WebTools>[];
}

const INPUT = { input: "Buy two." };

/**
 * Runs a scenario on LangChain's bare AgentExecutor.
 *
 * @param scenario The scenario.
 * @param options LangChain's own.
 */
export function runBare(scenario: Scenario, options: ExecutorOptions = {}): Promise<Outcome> {
  const stage = setStage(scenario, options);
  return watch<RecordedStep>(stage, () => stage.executor.invoke(INPUT));
}

/**
 * Runs a scenario on the same AgentExecutor, wrapped.
 *
 * @param scenario The scenario.
 * @param log Receives the outcome of each call.
 */
export function runWrapped(scenario: Scenario, log: EvidenceSink): Promise<WrappedOutcome> {
  const stage = setStage(scenario);
  const executor = wrapAgentExecutor(stage.executor, {
    fixers: createWebFixers(stage.tools),
    onUnfixable: createUnfixableHandler(stage.page),
    onToolCall: [log],
  });
  return watch(stage, () => executor.invoke(INPUT));
}

function setStage(scenario: Scenario, options: ExecutorOptions = {}) {
  const page = createFakePage();
  const tools = createWebTools(page);
  const { model, requests } = createScriptedModel([scenario]);
  return { page, tools, requests, executor: createWebAgent(model, tools, options) };
}

async function watch<Step extends RecordedStep>(
  { page, requests }: Pick<ReturnType<typeof setStage>, "page" | "requests">,
  invoke: () => Promise<{ intermediateSteps?: readonly Step[] }>,
): Promise<Outcome & { readonly steps: readonly Step[] }> {
  let steps: readonly Step[] = [];
  let threw: Error | undefined;
  try {
    steps = (await invoke()).intermediateSteps ?? [];
  } catch (error) {
    threw = error as Error;
  }
  const answers = (requests[1] ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => String(content));
  return { ran: page.runs, threw, steps, answers, modelCalls: requests.length };
}
