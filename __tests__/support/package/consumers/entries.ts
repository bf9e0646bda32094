// Every entry loads, typed, in this format; and they share one class of error.
import { fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import { createFixerRegistry, isToolInputParsingException, ToolInputError } from "toolmend";
import { repairToolInput as repairInCore } from "toolmend/core";
import { jsonlSink, type LogLine, otelSink } from "toolmend/evidence";
import { renameKey } from "toolmend/fixers";
import { readToolCalls, repairToolCalls, settleToolCalls } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";

const ran: string[] = [];
const click = tool(
  async ({ selector }) => {
    ran.push(selector);
    return `clicked ${selector}`;
  },
  { name: "click", description: "Clicks.", schema: z.object({ selector: z.string() }) },
);

async function main(): Promise<void> {
  const refused = await repairInCore({ element: 5 }, click);
  if (refused.ok) throw new Error("core did not refuse");
  if (!(refused.error instanceof ToolInputError))
    throw new Error("core has another class of error");
  if (!isToolInputParsingException(refused.error))
    throw new Error("core's error is not recognised");

  const fixers = createFixerRegistry([click]);
  fixers.register("click", renameKey("element", "selector"));
  const model = fakeModel().respondWithTools([{ name: "click", args: { element: "#buy" } }]);
  const agent = createAgent({
    model: model.respond(new (await import("@langchain/core/messages")).AIMessage("Done.")),
    tools: [click],
    middleware: [toolInputMiddleware({ fixers })],
  });
  await agent.invoke({ messages: "Buy it." });
  if (ran.join() !== "#buy") throw new Error(`ran with ${ran.join() || "nothing"}`);
  const line: LogLine["v"] = 1;
  const log = jsonlSink(`toolmend-${line}-%p.jsonl`);
  const told = await repairInCore({ element: 5 }, click, { onToolCall: [log, otelSink()] });
  if (told.ok) throw new Error("core did not refuse");
  for (const entry of [readToolCalls, settleToolCalls]) {
    if (typeof entry !== "function") throw new Error("an entry lacks a function");
  }
  const thrown: unknown = await fakeModel()
    .respondWithTools([{ name: "click", args: {} }])
    .pipe(repairToolCalls([click]))
    .invoke("Buy it.")
    .catch((error: unknown) => error);
  if (!(thrown instanceof ToolInputError)) throw new Error(`another copy of the error: ${thrown}`);
}

void main();
