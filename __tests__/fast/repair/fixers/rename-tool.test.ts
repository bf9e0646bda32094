import { describe, expect, test } from "@jest/globals";
import { AgentExecutor, createToolCallingAgent } from "@langchain/classic/agents";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { ChatPromptTemplate } from "@langchain/core/prompts";
import { fakeModel } from "@langchain/core/testing";
import { tool } from "@langchain/core/tools";
import { createAgent } from "langchain";
import {
  createFixerRegistry,
  type FixerRegistry,
  repairToolCall,
  wrapAgentExecutor,
} from "toolmend";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";

const click = tool(async ({ selector }) => `clicked ${selector}`, {
  name: "click",
  schema: z.object({ selector: z.string() }),
});
const browse = tool(async () => "browsed", { name: "browse", schema: z.object({}) });
const tools = [click, browse];
const args = { selector: "#buy" };

function renaming(from: string): FixerRegistry<typeof tools> {
  const fixers = createFixerRegistry(tools);
  fixers.renameTool(from, "click");
  return fixers;
}

const model = () =>
  fakeModel()
    .respondWithTools([{ name: "press_button", args }])
    .respond(new AIMessage("Done."));

describe("renameTool", () => {
  test("maps a name to its registered tool, and records it", async () => {
    const fixers = renaming("press_button");
    const call = { name: "press_button", args };
    expect(await repairToolCall(call, tools)).toMatchObject({ ok: false });
    expect(await repairToolCall(call, tools, { fixers, level: "strict" })).toMatchObject({
      ok: true,
      name: "click",
      toolInput: args,
      nameRepair: {
        fixer: "renameTool(press_button → click)",
        before: "press_button",
        after: "click",
        level: "strict",
      },
    });
  });

  test("never redirects a call of an offered tool", async () => {
    const fixers = createFixerRegistry();
    fixers.renameTool("browse", "click");
    const called = await repairToolCall({ name: "browse", args: {} }, tools, { fixers });
    expect(called).toMatchObject({ ok: true, name: "browse" });
  });

  test("rejects the call if its tool is not offered, and picks no similar one", async () => {
    const fixers = createFixerRegistry();
    fixers.renameTool("Browse", "click");
    const call = { name: "Browse", args: {} };
    expect(await repairToolCall(call, [browse])).toMatchObject({ ok: true, name: "browse" });
    expect(await repairToolCall(call, [browse], { fixers })).toMatchObject({ ok: false });
  });

  test("returns a function that undoes it", async () => {
    const fixers = createFixerRegistry(tools);
    const undo = fixers.renameTool("press_button", "click");
    undo();
    const call = { name: "press_button", args };
    expect(await repairToolCall(call, tools, { fixers })).toMatchObject({ ok: false });
  });

  test("throws for names that cannot be renamed", () => {
    const fixers = createFixerRegistry(tools);
    fixers.renameTool("press_button", "click");
    expect(() => fixers.renameTool("press_button", "browse")).toThrow(/registered for "click"/);
    expect(() => fixers.renameTool("browse", "click")).toThrow(/there is a tool "browse"/);
    expect(() => fixers.renameTool("clik", "clck" as "click")).toThrow(/Did you mean "click"\?/);
    expect(() => fixers.renameTool("any", "*" as "click")).toThrow(/every tool/);
  });

  test("works in createAgent", async () => {
    const fixers = renaming("press_button");
    const agent = createAgent({
      model: model(),
      tools,
      middleware: [toolInputMiddleware({ fixers })],
    });
    const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Buy." }] });
    expect((messages as BaseMessage[]).map(({ text }) => text)).toContain("clicked #buy");
  });

  test("works in an AgentExecutor", async () => {
    const prompt = ChatPromptTemplate.fromMessages([
      ["human", "{input}"],
      ["placeholder", "{agent_scratchpad}"],
    ]);
    const agent = createToolCallingAgent({ llm: model(), tools, prompt });
    const executor = new AgentExecutor({ agent, tools, returnIntermediateSteps: true });
    const fixers = renaming("press_button");
    const { intermediateSteps } = await wrapAgentExecutor(executor, { fixers }).invoke({
      input: "Buy.",
    });
    expect(intermediateSteps[0]).toMatchObject({
      action: { tool: "click", toolInput: args, valid: true },
      observation: "clicked #buy",
    });
  });
});
