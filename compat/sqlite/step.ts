// One step of a run, in its own process: node ../../scripts/run-ts.mjs step.ts DATABASE STEP
import { Command } from "@langchain/langgraph";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { AIMessage, createAgent, fakeModel, humanInTheLoopMiddleware, tool } from "langchain";
import { createFixerRegistry } from "toolmend";
import { renameKey } from "toolmend/fixers";
import { readToolCalls } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";

const [database = "", step = ""] = process.argv.slice(2);

const ran: unknown[] = [];
const click = tool(
  ({ selector }) => {
    ran.push({ selector });
    return `clicked ${selector}`;
  },
  { name: "click", description: "Clicks.", schema: z.object({ selector: z.string() }) },
);
const tools = [click];
const fixers = createFixerRegistry(tools);
fixers.register("click", renameKey("element", "selector"));

/** The model's output: calls in the first process; after that, "done". */
const said = new AIMessage({
  content: "",
  tool_calls: [{ id: "call_a", name: "click", args: { element: "#buy" } }],
  invalid_tool_calls: [{ id: "call_b", name: "click", args: '{"element": "#cut', error: "x" }],
});
const model = fakeModel().respond(step === "start" ? said : new AIMessage("done"));

const agent = createAgent({
  model,
  tools,
  checkpointer: SqliteSaver.fromConnString(database),
  middleware: [
    toolInputMiddleware({ fixers, tools }),
    humanInTheLoopMiddleware({ interruptOn: { click: true } }),
  ],
});
const edited = { name: "click", args: { element: "#other" } };
const inputs = {
  start: { messages: [{ role: "user" as const, content: "Buy it." }] },
  approve: new Command({ resume: { decisions: [{ type: "approve" }] } }),
  edit: new Command({ resume: { decisions: [{ type: "edit", editedAction: edited }] } }),
};
const result = await agent.invoke(inputs[step as keyof typeof inputs] as (typeof inputs)["start"], {
  configurable: { thread_id: "1" },
});
const { __interrupt__: [interrupt] = [] } = result as {
  __interrupt__?: { value: { actionRequests: { args: unknown }[] } }[];
};
console.log(
  JSON.stringify({
    ran,
    asked: interrupt?.value.actionRequests.map(({ args }) => args),
    contents: result.messages.map(({ content }) => content),
    calls: (await readToolCalls(result.messages, tools)).map(
      ({ id, toolInput, rawToolInput, repairs, valid }) => ({
        id,
        toolInput,
        rawToolInput,
        fixers: repairs.map(({ fixer }) => fixer),
        valid,
      }),
    ),
  }),
);
