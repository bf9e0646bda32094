import { type CreateAgentParams, createAgent, tool } from "langchain";
import { createFixerRegistry } from "toolmend";
import { renameKey, wrapValue } from "toolmend/fixers";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";

const search = tool(async ({ query, limit }) => `${limit} hits for "${query}"`, {
  name: "search",
  description: "Searches the shop.",
  schema: z.object({ query: z.string(), limit: z.number().int().default(10) }),
});

const click = tool(async ({ selector }) => `Clicked ${selector}.`, {
  name: "click",
  description: "Clicks an element of the page.",
  schema: z.object({ selector: z.string().describe("A CSS selector.") }),
});

export const tools = [search, click];

// 1. Register by tool name what you know about your models and the schema alone cannot tell.
const fixers = createFixerRegistry(tools);
fixers.register("click", renameKey("element", "selector"), wrapValue("selector"));

/**
 * Makes the agent.
 *
 * @param model Any chat model: `new ChatOpenAI(…)`, `"anthropic:claude-sonnet-4-5"`, …
 * @param log Receives every repair.
 */
export function createShopAgent(
  model: NonNullable<CreateAgentParams["model"]>,
  log: (line: string) => void,
) {
  return createAgent({
    model,
    tools,
    middleware: [
      // 2. The middleware does the rest. Put it first.
      toolInputMiddleware({
        fixers,
        onToolCall: (event) => {
          if (event.kind !== "call" || event.repairs.length === 0) return;
          log(`repaired ${event.toolName}: ${event.repairs.map(({ fixer }) => fixer).join(", ")}`);
        },
        onUnfixable: ({ toolName }) => {
          log(`refused ${toolName}`);
          return undefined; // The model gets the error, and the run goes on.
        },
      }),
    ],
  });
}
