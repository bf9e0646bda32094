import { type AIMessage, type BaseMessage, createAgent } from "langchain";
import type { InputEvent } from "toolmend";
import type { EvidenceSink } from "toolmend/evidence";
import { toolInputMiddleware } from "toolmend/middleware";
import { createFakePage } from "./fake-page.ts";
import type { Outcome, RecordedStep } from "./outcome.ts";
import type { Scenario } from "./scenarios.ts";
import { createScriptedModel } from "./scripted-model.ts";
import { createUnfixableHandler, createWebFixers } from "./web-fixers.ts";
import { createWebTools } from "./web-tools.ts";

/** The outcome of a model output in createAgent with toolmend. */
export interface WrappedAgentOutcome extends Outcome {
  readonly events: readonly InputEvent[];
}

/**
 * Runs a scenario on LangChain's createAgent, bare or with toolmend's middleware.
 *
 * @param scenario The scenario.
 * @param log With the middleware, receives the outcome of each call. Default: bare.
 */
export async function runAgent(
  scenario: Scenario,
  log?: EvidenceSink,
): Promise<WrappedAgentOutcome> {
  const page = createFakePage();
  const tools = createWebTools(page);
  const { model, requests } = createScriptedModel([scenario]);
  const events: InputEvent[] = [];
  const middleware = toolInputMiddleware({
    fixers: createWebFixers(tools),
    onUnfixable: createUnfixableHandler(page),
    onToolCall: [(event) => events.push(event), ...(log === undefined ? [] : [log])],
  });
  const agent = createAgent({
    model,
    tools: [...tools],
    middleware: log === undefined ? [] : [middleware],
  });
  let steps: readonly RecordedStep[] = [];
  let threw: Error | undefined;
  try {
    const { messages } = await agent.invoke({ messages: "Buy two." });
    steps = messages.flatMap(recordedSteps);
  } catch (error) {
    threw = error as Error;
  }
  const answers = (requests[1] ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => String(content));
  return { ran: page.runs, threw, steps, answers, modelCalls: requests.length, events };
}

function recordedSteps(message: BaseMessage): RecordedStep[] {
  const { tool_calls: calls = [] } = message as AIMessage;
  return calls.map(({ name, args }) => ({
    action: { tool: name, toolInput: args },
  }));
}
