import { expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { createAgent, tool } from "langchain";
import { createFixerRegistry } from "toolmend";
import { renameKey } from "toolmend/fixers";
import { readToolCalls } from "toolmend/messages";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { repairMessage } from "../../../support/langchain/message/repair-message.ts";
import { calling, saying } from "../../../support/langchain/middleware/calling-model.ts";

type Equal<Left, Right> =
  (<Type>() => Type extends Left ? 1 : 2) extends <Type>() => Type extends Right ? 1 : 2
    ? true
    : false;
function expectType<_Check extends true>(): void {}

const click = tool(({ selector }) => `clicked ${selector}`, {
  name: "click",
  description: "Clicks.",
  schema: z.object({ selector: z.string() }),
});
const add = tool(({ left, right }) => `${left + right}`, {
  name: "add",
  description: "Adds.",
  schema: z.object({ left: z.number(), right: z.number().default(1) }),
});
const tools = [click, add];
const ASK = { messages: [{ role: "user" as const, content: "Go." }] };

/** The calls of a result, as LangChain types them by the tools. */
async function run() {
  const fixers = createFixerRegistry(tools);
  fixers.register("click", renameKey("element", "selector"));
  // @ts-expect-error There is no such tool.
  expect(() => fixers.register("clack", renameKey("a", "b"))).toThrow(TypeError);
  const agent = createAgent({
    model: saying(calling({ name: "click", args: { element: "#a" }, id: "call_a" })),
    tools,
    middleware: [toolInputMiddleware({ fixers })],
  });
  return agent.invoke(ASK);
}

test("result.messages stay typed by the tools", async () => {
  const plain = createAgent({ model: saying(), tools });
  type Plain = Awaited<ReturnType<typeof plain.invoke>>["messages"];
  type Mended = Awaited<ReturnType<typeof run>>["messages"];
  expectType<Equal<Mended, Plain>>();

  const { messages } = await run();
  const names: string[] = [];
  for (const message of messages) {
    if (!AIMessage.isInstance(message)) continue;
    for (const call of message.tool_calls ?? []) {
      if (call.name === "click") {
        expectType<Equal<typeof call.args, { selector: string }>>();
        names.push(call.args.selector);
      }
    }
  }
  expect(names).toEqual(["#a"]);
});

test("readToolCalls is a union discriminated by name, of calls that are valid", async () => {
  const { messages } = await run();
  const calls = await readToolCalls(messages, tools);
  for (const call of calls) {
    if (!call.valid) continue;
    if (call.name === "click") {
      expectType<Equal<typeof call.toolInput, { selector: string }>>();
      // @ts-expect-error No such field.
      expect(call.toolInput.selektor).toBeUndefined();
      expect(call.repairs[0]?.fixer).toContain("renameKey");
    } else {
      expectType<Equal<typeof call.toolInput, { left: number; right?: number | undefined }>>();
    }
  }
  expect(calls).toHaveLength(1);
});

test("repairMessage takes and gives a message", async () => {
  const message: AIMessage = await repairMessage(calling(), tools);
  expect(message.tool_calls).toEqual([]);
});
