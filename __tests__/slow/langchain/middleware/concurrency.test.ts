import { expect, test } from "@jest/globals";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent, humanInTheLoopMiddleware, tool } from "langchain";
import { createFixerRegistry } from "toolmend";
import { renameKey } from "toolmend/fixers";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";

const later = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 20));

test("one middleware serves many runs of agents with different tools at once", async () => {
  const registry = createFixerRegistry();
  registry.register("open", renameKey("link", "url"), async (input) => {
    await later();
    return input;
  });
  const mend = toolInputMiddleware({ fixers: registry });
  const agentFor = (key: "url" | "path", value: string) => {
    const open = tool((input) => `opened ${JSON.stringify(input)}`, {
      name: "open",
      description: "Opens.",
      schema: z.strictObject({ [key]: z.string() }),
    });
    const call = { name: "open", args: { [key === "url" ? "link" : "PATH"]: value }, id: "call_a" };
    return createAgent({
      model: saying(calling(call, { name: "open", args: { x: 1, y: 2 }, id: "call_b" })),
      tools: [open],
      middleware: [mend, humanInTheLoopMiddleware({ interruptOn: {} })],
      checkpointer: new MemorySaver(),
    });
  };
  const runs = Array.from({ length: 20 }, async (_, index) => {
    const key = index % 2 === 0 ? "url" : "path";
    const config = { configurable: { thread_id: "same" } };
    const agent = agentFor(key, `${index}`);
    const { messages } = await agent.invoke(
      { messages: [{ role: "user", content: "Go." }] },
      config,
    );
    return messages.map(({ content }) => `${content}`);
  });
  for (const [index, contents] of (await Promise.all(runs)).entries()) {
    const key = index % 2 === 0 ? "url" : "path";
    expect(contents).toHaveLength(5);
    expect(contents[2]).toMatch(new RegExp(`^opened \\{"${key}":"${index}"\\}$`));
    expect(contents[3]).toContain(`- ${key}: expected string`);
    expect(contents[4]).toBe("done");
  }
});
