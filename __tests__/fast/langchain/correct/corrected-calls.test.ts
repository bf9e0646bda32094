import { describe, expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { createAgent, tool } from "langchain";
import { toolInputMiddleware } from "toolmend/middleware";
import { z } from "zod";
import { type Answer, ScriptedModel } from "../../../support/langchain/runnables/scripted-model.ts";

// After a model was asked to correct a call, every wrapper must run the same calls.

const done = new AIMessage("Done.");

function kit(...answers: readonly Answer[]) {
  const ran: string[] = [];
  const pay = tool(
    ({ to, amount }) => {
      ran.push(`${to}:${amount}`);
      return "ok";
    },
    { name: "pay", description: "", schema: z.object({ to: z.string(), amount: z.number() }) },
  );
  const note = tool(
    ({ text }) => {
      ran.push(`note ${text}`);
      return "ok";
    },
    { name: "note", description: "", schema: z.object({ text: z.string() }) },
  );
  return { ran, tools: [pay, note], model: new ScriptedModel(...answers) };
}

type Kit = ReturnType<typeof kit>;

const WRAPPERS = {
  async middleware({ model, tools }: Kit, { maxAttempts }: { maxAttempts?: number }) {
    const middleware = [toolInputMiddleware({ selfCorrect: { maxAttempts } })];
    const agent = createAgent({ model, tools, middleware });
    await agent.invoke({ messages: [{ role: "user", content: "go" }] });
  },
};

const pay = (to: string, amount: unknown = 10) => ({ name: "pay", args: { to, amount } });
const noted = (text: string) => ({ name: "note", args: { text } });
const unpaid = { name: "pay", args: { to: "bob" } };

function permutations<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    permutations(items.filter((_, at) => at !== index)).map((rest) => [item, ...rest]),
  );
}

/** The first answer, the model's answer to the correction request, and what runs then. */
const CASES: Record<string, readonly [Answer, readonly object[], readonly string[]]> = {
  "the right call is repeated": [
    [pay("alice"), unpaid],
    [pay("alice"), pay("bob", 5)],
    ["alice:10", "bob:5"],
  ],
  "two right ones are repeated": [
    [pay("alice"), unpaid, pay("carol", 2)],
    [pay("alice"), pay("carol", 2), pay("bob", 5)],
    ["alice:10", "bob:5", "carol:2"],
  ],
  "the right call alone is repeated": [[pay("alice"), unpaid], [pay("alice")], ["alice:10"]],
  "the repeated call is of another tool": [[noted("x"), unpaid], [noted("x")], ["note x"]],
  "the repeated call is written otherwise": [
    [pay("alice", "10"), unpaid],
    [{ name: "pay", args: { amount: 10, to: " alice " } }, pay("bob", 5)],
    ["alice:10", "bob:5"],
  ],
  "nobody can tell which of two corrects it": [
    [pay("alice"), unpaid],
    [pay("alice", 12), pay("bob", 5)],
    ["alice:10"],
  ],
  "another tool is called in its place": [
    [pay("alice"), unpaid],
    [pay("alice"), noted("bob has no account")],
    ["alice:10"],
  ],
  "the right call of another tool is changed in its place": [
    [noted("x"), unpaid],
    [noted("x, once more")],
    ["note x"],
  ],
  "it is corrected, and the right call of another tool is changed": [
    [noted("x"), unpaid],
    [noted("x, once more"), pay("bob", 5)],
    ["bob:5", "note x"],
  ],
  "one of two calls of a tool is corrected": [
    [noted("x"), { name: "pay", args: { to: "ann" } }, unpaid],
    [pay("bob", 5)],
    ["note x"],
  ],
  "nothing was right, and one of two is corrected": [
    [unpaid, { name: "note", args: { x: 1, y: 2 } }],
    [noted("x")],
    ["note x"],
  ],
};

describe.each(Object.keys(WRAPPERS) as (keyof typeof WRAPPERS)[])(
  "corrected calls of %s",
  (way) => {
    describe.each(Object.entries(CASES))("where %s", (_, [first, corrected, expected]) => {
      test.each(permutations(corrected).map((calls) => [calls]))("%j", async (calls) => {
        const own = kit(first, calls as never, done, done);
        await WRAPPERS[way](own, {});
        expect([...own.ran].sort()).toEqual([...expected].sort());
      });
    });

    test("a provider's error is thrown, and the model is not asked again", async () => {
      const limit = Object.assign(new Error("429: rate limit; your tool_choice was pay"), {
        status: 429,
      });
      for (const error of [limit, new Error("429 Too Many Requests")]) {
        const own = kit([unpaid], error, done, done);
        await expect(WRAPPERS[way](own, {})).rejects.toThrow(/429/);
        expect(own.model.asked).toHaveLength(2);
      }
    });
  },
);
