// node scripts/run-ts.mjs examples/create-agent/main.ts
import { AIMessage, fakeModel } from "langchain";
import { readToolCalls } from "toolmend/messages";
import { createShopAgent, tools } from "./agent.ts";

// A model with the usual mistakes. Yours goes here.
const model = fakeModel()
  .respond(
    new AIMessage({
      content: "",
      tool_calls: [
        { id: "1", name: "search", args: { query: "red shoes", limit: "3" } },
        { id: "2", name: "click", args: { element: "#first-hit" } },
      ],
    }),
  )
  .respond(
    new AIMessage({
      content: "",
      // LangChain drops calls that it cannot parse, and the run would end here.
      invalid_tool_calls: [{ id: "3", name: "click", args: "#buy", error: "Malformed args." }],
    }),
  )
  .respond(new AIMessage({ content: "", tool_calls: [{ id: "4", name: "search", args: {} }] }))
  .respond(new AIMessage("I have bought the red shoes."));

const agent = createShopAgent(model, console.log);
const { messages } = await agent.invoke({
  messages: [{ role: "user", content: "Buy me red shoes." }],
});

console.log("\nWhat was run:");
for (const call of await readToolCalls(messages, tools)) {
  if (!call.valid) console.log(`  nothing, for ${call.name}(${JSON.stringify(call.rawToolInput)})`);
  else if (call.name === "click") console.log(`  click on ${call.toolInput.selector}`);
  else console.log(`  search for ${call.toolInput.query}, limit ${call.toolInput.limit}`);
}
console.log(`\nThe answer: ${messages.at(-1)?.text}`);
