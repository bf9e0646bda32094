import { beforeEach, expect, test } from "@jest/globals";
import type { AIMessage } from "@langchain/core/messages";
import { createAgent, toolStrategy } from "langchain";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";
import { describeSince } from "../../../support/langchain/middleware/langchain-version.ts";

let kit: ReturnType<typeof clickTools>;
beforeEach(() => {
  kit = clickTools();
});

const order = z.object({ product: z.string(), count: z.number() }).meta({ title: "order" });
const ASK = { messages: [{ role: "user" as const, content: "Buy it." }] };

function agentFor(messages: readonly AIMessage[], handleError = true as boolean | string) {
  const model = saying(...messages);
  const { tools, fixers } = kit;
  const middleware = [toolInputMiddleware({ fixers })];
  const responseFormat = toolStrategy(order, { handleError });
  return { model, agent: createAgent({ model, tools: [...tools], middleware, responseFormat }) };
}

// Earlier versions of LangChain reject every structured response if there is a wrapModelCall.
describeSince("1.5")("a structured response by a tool", () => {
  test("is left to LangChain; the calls before it are repaired", async () => {
    const { model, agent } = agentFor([
      calling({ name: "click", args: { element: "#buy" }, id: "call_a" }),
      calling({ name: "order", args: { product: "shoe", count: 2 }, id: "call_b" }),
    ]);
    const { structuredResponse } = await agent.invoke(ASK);
    expect(structuredResponse).toEqual({ product: "shoe", count: 2 });
    expect(kit.ran).toEqual([{ selector: "#buy" }]);
    expect(model.callCount).toBe(2);
  });

  test("that is wrong is left to LangChain's handleError, which asks again", async () => {
    const { agent, model } = agentFor(
      [
        calling({ name: "order", args: { product: "shoe" }, id: "call_a" }),
        calling({ name: "order", args: { product: "shoe", count: 3 }, id: "call_b" }),
      ],
      "Say how many.",
    );
    const { structuredResponse, messages } = await agent.invoke(ASK);
    expect(structuredResponse).toEqual({ product: "shoe", count: 3 });
    expect(messages[2]?.content).toBe("Say how many.");
    expect(model.callCount).toBe(2);
  });
});
