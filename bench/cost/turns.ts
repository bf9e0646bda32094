import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { type AgentMiddleware, createAgent, createMiddleware, tool } from "langchain";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { ByHistory, calling } from "../../__tests__/support/langchain/middleware/calling-model.ts";
import type { Row } from "./rows.ts";

const click = tool(({ selector }) => `clicked ${selector}`, {
  name: "click",
  description: "Clicks an element.",
  schema: z.object({ selector: z.string() }),
});

/** Middleware that wraps the same steps, and does nothing. */
const inert = createMiddleware({
  name: "inert",
  wrapModelCall: (request, handler) => handler(request),
  wrapToolCall: (request, handler) => handler(request),
});

const VALID = { selector: "#buy" };
const FAULTY = { Selector: "#buy" };

/** A message with these calls; in each turn of a history they have other ids. */
function callsOf(names: readonly string[], turn: number | "now", args: object = VALID): AIMessage {
  return calling(...names.map((name, at) => ({ name, args, id: `call_${turn}_${at}` })));
}

/** A new history, as a checkpointer reads it for every run: turns of four messages, and a question. */
function historyOf(length: number): readonly BaseMessage[] {
  const turns = Array.from({ length: Math.floor(length / 4) }, (_, turn) => [
    new HumanMessage("Buy it."),
    callsOf(["click"], turn),
    new ToolMessage({ content: "clicked #buy", tool_call_id: `call_${turn}_0`, name: "click" }),
    new AIMessage("Done."),
  ]);
  return [...turns.flat(), new HumanMessage("Buy it.")];
}

/** The rows of an agent's turn: two requests to the model, with its calls run between them. */
export function turnRows(): readonly Row[] {
  const row = (what: string, goal: number, length: number, names: readonly string[]): Row => {
    const model = new ByHistory(() => callsOf(names, "now"));
    const bare = createAgent({ model, tools: [click] });
    const repaired = createAgent({ model, tools: [click], middleware: [toolInputMiddleware()] });
    return {
      what: `an agent's turn ÷ bare, ${what}`,
      goal,
      over: () => repaired.invoke({ messages: [...historyOf(length)] }),
      under: () => bare.invoke({ messages: [...historyOf(length)] }),
    };
  };
  const manyCalls = (what: string, goal: number, args: object): Row => {
    const names = Array.from({ length: 500 }, () => "click");
    const agentWith = (middleware: AgentMiddleware, said: object) =>
      createAgent({
        model: new ByHistory(() => callsOf(names, "now", said)),
        tools: [click],
        middleware: [middleware],
      });
    const repaired = agentWith(toolInputMiddleware() as AgentMiddleware, args);
    const bare = agentWith(inert as AgentMiddleware, VALID);
    return {
      what: `500 ${what} calls in one message ÷ inert middleware`,
      goal,
      over: () => repaired.invoke({ messages: [...historyOf(0)] }),
      under: () => bare.invoke({ messages: [...historyOf(0)] }),
    };
  };
  const unknown = Array.from({ length: 200 }, () => "hover");
  return [
    row("20 messages", 1.3, 20, ["click"]),
    // Every message is new, as after a checkpoint: messages that are known cost less.
    row("1,000 messages", 1.3, 1_000, ["click"]),
    row("200 unknown calls", 2, 0, unknown),
    manyCalls("valid", 1.05, VALID),
    // Most of it is the repair of each call.
    manyCalls("repaired", 1.4, FAULTY),
  ];
}
