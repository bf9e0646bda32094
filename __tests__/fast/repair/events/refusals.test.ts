import { expect, test } from "@jest/globals";
import { tool } from "@langchain/core/tools";
import { type InputEvent, wrapTool } from "toolmend";
import { z } from "zod";

const click = tool(async ({ selector }) => `clicked ${selector}`, {
  name: "click",
  schema: z.object({ selector: z.string() }),
});

test("the answer of onUnfixable is the observation of a rejected call", async () => {
  const events: InputEvent[] = [];
  const wrapped = wrapTool(click, {
    onUnfixable: () => "look first",
    onToolCall: (event) => events.push(event),
  });
  await wrapped.invoke({ nothing: 5 } as never);
  expect(events).toMatchObject([
    { toolName: "click", outcome: "answered", observation: "look first" },
  ]);
});

test("a rejection without an answer has no observation", async () => {
  const events: InputEvent[] = [];
  const wrapped = wrapTool(click, { onToolCall: (event) => events.push(event) });
  await expect(wrapped.invoke({ nothing: 5 } as never)).rejects.toThrow("click");
  expect(events).toMatchObject([{ outcome: "refused", observation: undefined }]);
});
