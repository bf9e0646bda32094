import { expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { createAgent, createMiddleware, DynamicTool, tool } from "langchain";
import { wrapTool } from "toolmend";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";

const schema = z.object({ q: z.string() });
const plain = tool(async () => "inner", { name: "inner", schema });

/** A middleware that changes the arguments after toolmend has seen them, as a human does. */
function editing(args: Record<string, unknown>) {
  return createMiddleware({
    name: "editing",
    afterModel: ({ messages }) => {
      const last = messages.at(-1) as AIMessage;
      if (!last.tool_calls?.length) return;
      const tool_calls = last.tool_calls.map((call) => ({ ...call, args }));
      return { messages: [new AIMessage({ id: last.id ?? "", content: "", tool_calls })] };
    },
  });
}

test.each([
  ["LangChain's own refusal", plain],
  ["a wrapper's refusal", wrapTool(plain)],
])(
  "a tool that has run is not run again because a tool that it called rejected its input: %s",
  async (_, inner) => {
    const ran: unknown[] = [];
    const nesting = async (input: unknown) => {
      ran.push(input);
      return inner.invoke({ a: {}, b: 1 } as never);
    };
    const fields = { name: "outer", description: "" };
    const limited = z.object({ q: z.string(), limit: z.number().optional() });
    const outers = [
      [tool(nesting, { ...fields, schema: limited }), { q: "x", Limit: 5 }, { q: "x", limit: 5 }],
      [new DynamicTool({ ...fields, func: nesting as never }), { Input: "x" }, "x"],
    ] as const;
    for (const [outer, args, given] of outers) {
      ran.length = 0;
      const agent = createAgent({
        model: saying(
          calling({ name: "outer", args: { q: "y" }, id: "c1" }),
          new AIMessage("done"),
        ),
        tools: [outer as never],
        middleware: [editing(args), toolInputMiddleware()] as never,
      });
      const { messages } = (await agent.invoke({
        messages: [{ role: "user", content: "go" }],
      } as never)) as {
        messages: BaseMessage[];
      };
      expect(ran).toEqual([given]);
      const answers = messages.filter((message) => ToolMessage.isInstance(message));
      expect(answers).toMatchObject([{ tool_call_id: "c1", status: "error" }]);
      expect(messages.at(-1)?.content).toBe("done");
    }
  },
);

test("a tool that rejected its own input is still run with the repaired one", async () => {
  const ran: unknown[] = [];
  const outer = tool(async (input) => void ran.push(input), { name: "outer", schema });
  const agent = createAgent({
    model: saying(calling({ name: "outer", args: { q: "y" }, id: "c1" }), new AIMessage("done")),
    tools: [outer],
    middleware: [editing({ q: 5 }), toolInputMiddleware()],
  });
  await agent.invoke({ messages: [{ role: "user", content: "go" }] } as never);
  expect(ran).toEqual([{ q: "5" }]);
});
