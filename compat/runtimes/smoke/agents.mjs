// toolmend with LangChain, in any runtime: wrapped tools, and createAgent with the middleware.
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import { createFixerRegistry, isToolInputParsingException, wrapTool } from "toolmend";
import { renameKey } from "toolmend/fixers";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";

function clickTool(ran) {
  return tool(
    async ({ selector }) => {
      ran.push(selector);
      return `clicked ${selector}`;
    },
    { name: "click", description: "Clicks.", schema: z.object({ selector: z.string() }) },
  );
}

function fixersFor(tools) {
  const fixers = createFixerRegistry(tools);
  fixers.register("click", renameKey("element", "selector"));
  return fixers;
}

/** A wrapped tool: its result for a wrong key, and its error for a wrong call. */
export async function wrapped() {
  const ran = [];
  const click = clickTool(ran);
  const repairing = wrapTool(click, { fixers: fixersFor([click]) });
  const output = await repairing.invoke({ element: "#buy" });
  const refused = await repairing.invoke({ x: 1, y: 2 }).catch((error) => error);
  return { ran, output, refused: isToolInputParsingException(refused) && refused.reason };
}

/** An agent whose model makes a wrong call that is repaired, and then one that is rejected. */
export async function agent() {
  const ran = [];
  const click = clickTool(ran);
  const repairs = [];
  const model = fakeModel()
    .respondWithTools([{ name: "click", args: { element: "#buy" } }])
    .respondWithTools([{ name: "click", args: { x: 1, y: 2 } }])
    .respond(new AIMessage("Bought."));
  const repair = toolInputMiddleware({
    fixers: fixersFor([click]),
    onToolCall: ({ outcome, repairs: [repair] }) =>
      outcome === "repaired" && repairs.push(repair.fixer),
  });
  const events = [];
  const callbacks = [{ handleCustomEvent: (name) => events.push(name) }];
  const made = createAgent({ model, tools: [click], middleware: [repair] });
  const { messages } = await made.invoke(
    { messages: [new HumanMessage("Buy it.")] },
    { callbacks },
  );
  const toolMessages = messages.filter((message) => message.getType() === "tool");
  return {
    ran,
    repairs,
    events,
    recorded: messages[1].tool_calls[0].args,
    answers: toolMessages.map(
      ({ status, text }) => `${status ?? "success"}: ${text.split("\n")[0]}`,
    ),
    last: messages.at(-1).text,
  };
}
