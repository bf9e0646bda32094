import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { BaseMessage } from "@langchain/core/messages";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createAgent, type DynamicStructuredTool } from "langchain";
import { ToolInputError, wrapTools } from "toolmend";
import { repairToolInput } from "toolmend/core";
import type { InputEvent } from "toolmend/evidence";
import { toolInputMiddleware } from "toolmend/middleware";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";

const command = process.execPath;
const args = [join(__dirname, "../../../support/langchain/mcp/files-server.mjs")];
const names = ["list_files", "delete_files", "touch_files"] as const;

let adapters: MultiServerMCPClient;
let tools: DynamicStructuredTool[];
beforeAll(async () => {
  const files = { transport: "stdio" as const, command, args };
  adapters = new MultiServerMCPClient({ mcpServers: { files } });
  tools = (await adapters.getTools()) as unknown as DynamicStructuredTool[];
}, 30_000);
afterAll(() => adapters.close());

const typo = { directry: "src" };
const repaired = { directory: "src" };

/** The calls that the server received. */
function received(messages: readonly BaseMessage[]): readonly unknown[] {
  return messages
    .filter(({ type, content }) => type === "tool" && `${content}`.startsWith("{"))
    .map(({ content }) => JSON.parse(`${content}`));
}

describe("tools of an MCP server", () => {
  test("come from the adapters with their annotations", () => {
    const annotations = tools.map(({ name, metadata }) => [name, metadata?.annotations]);
    expect(Object.fromEntries(annotations)).toEqual({
      list_files: { title: "List files", readOnlyHint: true },
      delete_files: { readOnlyHint: false, destructiveHint: true },
      touch_files: undefined,
    });
  });

  test('at level "auto", a typo is repaired for the tool that only reads, and rejected for others', async () => {
    const events: InputEvent[] = [];
    const onToolCall = (event: InputEvent) => void events.push(event);
    const calls = names.map((name) => ({ name, args: typo, id: name }));
    const agent = createAgent({
      model: saying(calling(...calls)),
      tools,
      middleware: [toolInputMiddleware({ level: "auto", onToolCall })],
    });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Go." }] });
    expect(received(messages)).toEqual([{ ran: "list_files", args: repaired }]);
    expect(events.map(({ toolName, outcome, level }) => [toolName, outcome, level])).toEqual([
      ["list_files", "repaired", "eager"],
      ["delete_files", "refused", "safe"],
      ["touch_files", "refused", "safe"],
    ]);
  });

  test('at level "auto", what safe repairs is repaired for each of them', async () => {
    const fault = { Directory: "src", depth: "2" };
    const calls = names.map((name) => ({ name, args: fault, id: name }));
    const agent = createAgent({
      model: saying(calling(...calls)),
      tools,
      middleware: [toolInputMiddleware({ level: "auto" })],
    });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Go." }] });
    const ran = names.map((name) => ({ ran: name, args: { ...repaired, depth: 2 } }));
    expect(received(messages)).toEqual(ran);
  });

  test.each(["eager", "safe"] as const)(
    "at %s, their annotations make no difference",
    async (level) => {
      const outcomes = tools.map(async (tool) => (await repairToolInput(typo, tool, { level })).ok);
      const isRepaired = level === "eager";
      expect(await Promise.all(outcomes)).toEqual([isRepaired, isRepaired, isRepaired]);
    },
  );

  test("are judged one by one where they are wrapped", async () => {
    const wrapped = wrapTools(tools, { level: "auto" });
    const toolOf = (name: string) => wrapped.find((tool) => tool.name === name);
    const answer = await toolOf("list_files")?.invoke(typo as never);
    expect(JSON.parse(`${answer}`)).toEqual({ ran: "list_files", args: repaired });
    for (const name of ["delete_files", "touch_files"]) {
      await expect(toolOf(name)?.invoke(typo as never)).rejects.toBeInstanceOf(ToolInputError);
    }
  });
});

test("what an MCP client lists needs no LangChain", async () => {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command, args }));
  const listed = await client.listTools();
  await client.close();
  const outcomes: Record<string, boolean> = {};
  for (const { inputSchema: schema, ...described } of listed.tools) {
    const tool = { ...described, schema };
    const result = await repairToolInput(typo, tool, { level: "auto" });
    outcomes[described.name] = result.ok;
  }
  expect(outcomes).toEqual({ list_files: true, delete_files: false, touch_files: false });
});
