import { expect, test } from "@jest/globals";
import { tool } from "@langchain/core/tools";
import { type RefusalEvent, wrapTool } from "toolmend";
import { z } from "zod";

const click = tool(async ({ selector }) => `clicked ${selector}`, {
  name: "click",
  schema: z.object({ selector: z.string() }),
});

test("what onUnfixable answered is the observation of a refusal", async () => {
  const told: RefusalEvent[] = [];
  const wrapped = wrapTool(click, {
    onUnfixable: () => "look first",
    onRefused: (event) => told.push(event),
  });
  await wrapped.invoke({ nothing: 5 } as never);
  expect(told).toMatchObject([{ toolName: "click", observation: "look first" }]);
});

test("a refusal without an answer has no observation", async () => {
  const told: RefusalEvent[] = [];
  const wrapped = wrapTool(click, { onRefused: (event) => told.push(event) });
  await expect(wrapped.invoke({ nothing: 5 } as never)).rejects.toThrow("click");
  expect(told.map(({ observation }) => observation)).toEqual([undefined]);
});
