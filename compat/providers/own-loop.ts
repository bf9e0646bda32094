// A custom loop, without streaming: LangChain's agents always make Mistral's client stream.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type BaseMessage, HumanMessage, type ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { repairToolCalls, settleToolCalls } from "toolmend/messages";
import { z } from "zod";
import { startLoopback } from "../../__tests__/support/langchain/middleware/loopback.ts";
import type { Api, Body, WrittenCall } from "./api.ts";

const RIGHT: WrittenCall = { id: "calla0001", name: "move", args: '{"path":"/a","count":3}' };
const BAD: WrittenCall = { ...RIGHT, args: '{"one":1,"two":2}' };

const FAULTS: Readonly<Record<string, string>> = {
  "nothing wrong": RIGHT.args,
  "a key in another case": '{"Path":"/a","count":3}',
  "a number as text": '{"path":"/a","count":"3"}',
};
/** The same, if arguments are text. */
const TEXT_FAULTS: Readonly<Record<string, string>> = {
  "single quotes": "{'path': '/a', 'count': 3}",
  "JSON in a JSON string": JSON.stringify(JSON.stringify({ path: "/a", count: 3 })),
};

/** Asks a model, runs its calls, and asks it again. */
async function loop(api: Api, call: WrittenCall, stop?: string) {
  const provider = await startLoopback();
  provider.answer(api.whole([call], { stop }), api.whole([]));
  const ran: string[] = [];
  const move = tool(
    ({ path, count }) => {
      ran.push(`${path} ${count}`);
      return `moved ${path}`;
    },
    {
      name: "move",
      description: "Moves.",
      schema: z.object({ path: z.string(), count: z.number() }),
    },
  );
  const model = api.model(provider.url, "v0").bindTools?.([move]);
  assert.ok(model);
  const history: BaseMessage[] = [new HumanMessage("Go.")];
  try {
    const repairing = repairToolCalls([move], { onUnfixable: "tellModel" });
    const said = await repairing.invoke(await model.invoke(history));
    const answers: ToolMessage[] = [];
    for (const made of said.tool_calls ?? []) {
      answers.push(await move.invoke({ ...made, type: "tool_call" }));
    }
    history.push(...settleToolCalls([said, ...answers]));
    await model.invoke(history);
    return { ran, requests: [...provider.requests] as readonly Body[] };
  } finally {
    await provider.close();
  }
}

/**
 * Tests a custom loop on a provider's wire.
 *
 * @param api The provider.
 */
export function testOwnLoop(api: Api): void {
  describe(`${api.name} without streaming, in a custom loop`, () => {
    const faults = { ...FAULTS, ...(api.text.whole && TEXT_FAULTS) };
    for (const [fault, args] of Object.entries(faults)) {
      test(`${fault}: the next request equals that of a valid call`, async () => {
        const { ran, requests } = await loop(api, { ...RIGHT, args });
        assert.deepEqual(ran, ["/a 3"]);
        if (api.agentsStream) assert.equal(requests[0].stream, false);
        const { calls, answers } = api.sent(requests[1]);
        const [made, answer] = [calls[0], answers[0]];
        assert.deepEqual([calls.length, answers.length], [1, 1]);
        assert.deepEqual([made?.name, made?.args], ["move", JSON.parse(RIGHT.args)]);
        assert.deepEqual([answer?.id, answer?.text], [made?.id, "moved /a"]);
      });
    }

    test("a rejected call is answered with its error", async () => {
      const { ran, requests } = await loop(api, BAD);
      assert.deepEqual(ran, []);
      const { calls, answers } = api.sent(requests[1]);
      assert.equal(answers[0]?.id, calls[0]?.id);
      assert.match(answers[0]?.text ?? "", /^The input of tool "move" was not accepted/);
    });

    for (const stop of api.cutOff) {
      const isCleared = api.text.whole && !api.losesText;
      test(`a complete call is ${isCleared ? "run" : "rejected"} before the stop reason ${stop}`, async () => {
        const { ran } = await loop(api, RIGHT, stop);
        assert.equal(ran.length, isCleared ? 1 : 0);
      });
    }
  });
}
