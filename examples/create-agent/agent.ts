import { type CreateAgentParams, createAgent, tool } from "langchain";
import { createFixerRegistry, renameKey, wrapValue } from "toolmend";
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

// 1. What the schema alone does not tell, but you know of your models, you register by tool name.
const fixers = createFixerRegistry(tools);
fixers.register("click", renameKey("element", "selector"), wrapValue("selector"));

/**
 * Makes the agent.
 *
 * @param model Any chat model: `new ChatOpenAI(…)`, `"anthropic:claude-sonnet-4-5"`, …
 * @param log Told of every repair.
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
        onRepair: ({ toolName, repairs }) => {
          log(`repaired ${toolName}: ${repairs.map(({ fixer }) => fixer).join(", ")}`);
        },
        onUnfixable: ({ toolName }) => {
          log(`refused ${toolName}`);
          return undefined; // The model is told what is wrong, and the run goes on.
        },
      }),
    ],
  });
}
