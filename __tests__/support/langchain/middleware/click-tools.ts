import { tool } from "langchain";
import { createFixerRegistry, type FixerRegistry } from "toolmend";
import { renameKey, wrapValue } from "toolmend/fixers";
import { z } from "zod";

/** Tools that record their inputs, and fixers for the mistakes of the tests' models. */
export function clickTools() {
  const ran: unknown[] = [];
  const click = tool(
    ({ selector }) => {
      ran.push({ selector });
      return `clicked ${selector}`;
    },
    {
      name: "click",
      description: "Clicks an element.",
      schema: z.object({ selector: z.string() }),
    },
  );
  const type = tool(
    ({ selector, text }) => {
      ran.push({ selector, text });
      return `typed ${text}`;
    },
    {
      name: "type",
      description: "Types a text.",
      schema: z.object({ selector: z.string(), text: z.string() }),
    },
  );
  const tools = [click, type] as const;
  const registry = createFixerRegistry(tools);
  registry.register("click", renameKey("element", "selector"), wrapValue("selector"));
  registry.register("type", renameKey("element", "selector"));
  return { click, type, tools, ran, fixers: registry as FixerRegistry };
}
