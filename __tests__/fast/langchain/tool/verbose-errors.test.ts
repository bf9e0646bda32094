import { describe, expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { DynamicStructuredTool } from "@langchain/core/tools";
import { wrapTool } from "toolmend";
import { z } from "zod";
import * as z3 from "zod/v3";
import { agentKinds } from "../../../support/langchain/executor/agents.ts";
import { run, setUp } from "../../../support/langchain/executor/set-up.ts";

const schemas: Record<string, unknown> = {
  "zod 4": z.object({ selector: z.string() }),
  "zod 3": z3.z.object({ selector: z3.z.string() }),
  "JSON Schema": {
    type: "object",
    properties: { selector: { type: "string" } },
    required: ["selector"],
  },
};

function clickWith(schema: unknown, verboseParsingErrors: boolean): DynamicStructuredTool {
  const func = async () => "ran";
  const fields = { name: "click", description: "", schema: schema as never, func };
  return new DynamicStructuredTool({ ...fields, verboseParsingErrors }) as never;
}

const messageOf = async (tool: ReturnType<typeof clickWith>): Promise<string> =>
  tool.invoke({ x: 1, y: "secret" } as never).then(
    () => "ran",
    (error: Error) => error.message,
  );

describe.each(Object.keys(schemas))("a tool with verboseParsingErrors, %s", (kind) => {
  test("is rejected with LangChain's details, wrapped too", async () => {
    const verbose = clickWith(schemas[kind], true);
    expect(await messageOf(verbose)).toMatch(/\nDetails: [\s\S]*selector/);
    const [, details = ""] = /\nDetails: (.*)/.exec(await messageOf(wrapTool(verbose))) ?? [];
    expect(JSON.parse(details)).toEqual([
      { path: "/selector", code: expect.any(String), message: expect.any(String) },
    ]);
    expect(details).not.toContain("secret");
  });

  test("has no details without it", async () => {
    const quiet = clickWith(schemas[kind], false);
    expect(await messageOf(quiet)).not.toContain("Details");
    expect(await messageOf(wrapTool(quiet))).not.toContain("Details");
  });
});

test("has details after a handler that gave no answer in time, and in an executor", async () => {
  const verbose = clickWith(schemas["zod 4"], true);
  const onUnfixable = () => new Promise<never>(() => {});
  const limits = { handlerTimeoutMs: 5 };
  expect(await messageOf(wrapTool(verbose, { onUnfixable, limits }))).toMatch(/Details/);
  const { act } = agentKinds.createToolCallingAgent as (typeof agentKinds)[string];
  const outputs = [act("click", '{"x":1}'), new AIMessage("done")];
  const messages: string[] = [];
  const handleParsingErrors = (error: Error) => {
    messages.push(error.message);
    return "look first";
  };
  const { wrapped } = await setUp({ outputs, tools: [verbose], handleParsingErrors });
  await run("invoke", wrapped);
  expect(messages).toMatchObject([expect.stringMatching(/\nDetails: \[/)]);
});

test("has truncated details", async () => {
  const many = z.object(
    Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field_${index}`, z.string()])),
  );
  const message = await messageOf(wrapTool(clickWith(many, true)));
  expect(message.length).toBeLessThan(6_000);
});
