import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { createAgent, fakeModel, tool } from "langchain";
import { wrapTools } from "toolmend";
import { renameKey } from "toolmend/fixers";
import { repairNode, repairToolCalls } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { setUp } from "../../support/langchain/executor/set-up.ts";

const click = tool(({ selector }) => `clicked ${selector}`, {
  name: "click",
  description: "",
  schema: z.object({ selector: z.string() }),
});
const own = [renameKey("element", "selector")];
const WARNING = [
  'toolmend has fixers for "clik", but no such tool. Did you mean "click"?',
  { code: "TOOLMEND_UNKNOWN_TOOL" },
];

const emit = jest.spyOn(process, "emitWarning");
beforeEach(() => void emit.mockReset().mockImplementation(() => undefined));
afterEach(() => void emit.mockReset());

/** Gives fixers to tools in each way that knows the tools. */
const WAYS: Record<string, (fixers: object) => Promise<unknown>> = {
  wrapTools: async (fixers) => wrapTools([click], { fixers } as never),
  wrapAgentExecutor: (fixers) =>
    setUp({ outputs: [new AIMessage("done")], options: { fixers } as never }),
  repairToolCalls: async (fixers) => repairToolCalls([click], { fixers } as never),
  repairNode: async (fixers) => repairNode([click], { fixers } as never),
  toolInputMiddleware: (fixers) => {
    const model = fakeModel().respond(new AIMessage("done"));
    const middleware = [toolInputMiddleware({ fixers } as never)];
    return createAgent({ model, tools: [click], middleware }).invoke({ messages: "go" });
  },
};

test.each(Object.keys(WAYS))("%s warns, once, of fixers for a misspelt tool", async (name) => {
  const way = WAYS[name] as (typeof WAYS)[string];
  const fixers = { clik: own };
  await way(fixers);
  await way(fixers);
  expect(emit.mock.calls).toEqual([WARNING]);
});

test.each(Object.keys(WAYS))(
  "%s warns of nothing where the names fit, are far, or are of two tools",
  async (name) => {
    const way = WAYS[name] as (typeof WAYS)[string];
    for (const fixers of [{ click: own }, { scroll: own }, { click: own, clik: own }, { "*": own }])
      await way(fixers);
    expect(emit).not.toHaveBeenCalled();
  },
);
