import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { createAgent, type DynamicStructuredTool } from "langchain";
import { createFixerRegistry, wrapTools } from "toolmend";
import { renameKey } from "toolmend/fixers";
import { toolInputMiddleware } from "toolmend/middleware";
import {
  calling,
  saying,
  unreadable,
} from "../../../support/langchain/middleware/calling-model.ts";

const server = (name: string) => ({
  transport: "stdio" as const,
  command: process.execPath,
  args: [join(__dirname, "../../../support/langchain/mcp/shop-server.mjs"), name],
});

let client: MultiServerMCPClient;
let tools: DynamicStructuredTool[];
beforeAll(async () => {
  client = new MultiServerMCPClient({
    prefixToolNameWithServerName: true,
    mcpServers: { shoes: server("shoes"), books: server("books") },
  });
  tools = (await client.getTools()) as unknown as DynamicStructuredTool[];
}, 30_000);
afterAll(() => client.close());

/** The arguments that the servers received. */
function received(messages: readonly BaseMessage[]): readonly unknown[] {
  return messages
    .filter(({ type, content }) => type === "tool" && `${content}`.startsWith("{"))
    .map(({ content }) => {
      const { server: from, name, arguments: args } = JSON.parse(`${content}`);
      return { from, name, args };
    });
}

describe("tools of MCP servers", () => {
  test("come with JSON Schemas", () => {
    expect(tools.map(({ name }) => name).sort()).toEqual([
      "books__order",
      "books__search",
      "shoes__order",
      "shoes__search",
    ]);
  });

  test("receive the arguments that they declare, despite the model's mistakes", async () => {
    const fixers = createFixerRegistry(tools);
    fixers.register("books__search", renameKey("q", "query"));
    const agent = createAgent({
      model: saying(
        calling(
          { name: "books__search", args: { q: "jest", limit: "5" }, id: "call_a" },
          { name: "shoes__search", args: { query: "red", tags: '["new", "sale"]' }, id: "call_b" },
        ),
        calling({
          name: "shoes__order",
          args: { item: '{"id": "00713", "count": "2"}', express: "True" },
          id: "call_c",
        }),
        unreadable({
          name: "books__order",
          args: "{'item': {'id': 'b1', 'count': 1},}",
          id: "call_d",
        }),
        calling({ name: "books__order", args: { item: { id: "b2" } }, id: "call_e" }),
      ),
      tools,
      middleware: [toolInputMiddleware({ fixers })],
    });

    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Shop." }] });

    expect(received(messages)).toEqual([
      { from: "books", name: "search", args: { query: "jest", limit: 5 } },
      { from: "shoes", name: "search", args: { query: "red", tags: ["new", "sale"] } },
      { from: "shoes", name: "order", args: { item: { id: "00713", count: 2 }, express: true } },
      { from: "books", name: "order", args: { item: { id: "b1", count: 1 } } },
    ]);
    expect(messages.at(-2)?.content).toMatch(/"books__order" was not accepted.*\n- item.count/);
    expect(messages.at(-1)?.content).toBe("done");
  });

  test("in LangGraph's ToolNode, wrapped", async () => {
    const node = new ToolNode(wrapTools(tools));
    const call: AIMessage = calling({
      name: "shoes__order",
      args: { item: '{"id": "s1", "count": 1}' },
      id: "call_a",
    });
    const { messages } = (await node.invoke({ messages: [call] })) as { messages: BaseMessage[] };
    expect(received(messages)).toEqual([
      { from: "shoes", name: "order", args: { item: { id: "s1", count: 1 } } },
    ]);
  });
});
