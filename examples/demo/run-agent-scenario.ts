import { type AIMessage, type BaseMessage, createAgent } from "langchain";
import type { RepairEvent } from "toolmend";
import type { EvidenceSink } from "toolmend/evidence";
import { toolInputMiddleware } from "toolmend/middleware";
import { createFakePage } from "./fake-page.ts";
import type { Outcome, RecordedStep } from "./outcome.ts";
import type { Scenario } from "./scenarios.ts";
import { createScriptedModel } from "./scripted-model.ts";
import { createUnfixableHandler, createWebFixers } from "./web-fixers.ts";
import { createWebTools } from "./web-tools.ts";

/** What came of a model output in createAgent with toolmend. */
export interface MendedAgentOutcome extends Outcome {
  readonly events: readonly RepairEvent[];
}

/**
 * Runs a scenario on LangChain's createAgent, as it is or with toolmend's middleware.
 *
 * @param scenario The scenario.
 * @param log With the middleware, which tells it of what became of each call. Default: as it is.
 */
export async function runAgent(
  scenario: Scenario,
  log?: EvidenceSink,
): Promise<MendedAgentOutcome> {
  const page = createFakePage();
  const tools = createWebTools(page);
  const { model, requests } = createScriptedModel([scenario]);
  const events: RepairEvent[] = [];
  const middleware = toolInputMiddleware({
    fixers: createWebFixers(tools),
    onUnfixable: createUnfixableHandler(page),
    onRepair: (event) => void events.push(event),
    ...(log === undefined ? {} : { evidence: [log] }),
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
  const told = (requests[1] ?? [])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => String(content));
  return { ran: page.runs, threw, steps, told, modelCalls: requests.length, events };
}

function recordedSteps(message: BaseMessage): RecordedStep[] {
  const { tool_calls: calls = [] } = message as AIMessage;
  return calls.map(({ name, args }) => ({
    action: { tool: name, toolInput: args },
  }));
}
