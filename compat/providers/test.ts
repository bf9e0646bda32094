// Tests the requests to a provider after calls were repaired or rejected, on the wires of eight
// clients.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Body, WrittenCall } from "./api.ts";
import { CELLS, type Cell, runsOf } from "./cells.ts";
import { testOtherSeams } from "./other-seams.ts";
import { testOwnLoop } from "./own-loop.ts";
import { type Ran, runAgent } from "./run.ts";

// LangChain warns of messages whose calls it could not parse: these tests are about them.
console.warn = () => {};

const MOVE = { path: "/a", count: 3 };
const LOOK = { path: "/b" };
const call = (id: string, name: string, args: object | string): WrittenCall => ({
  id,
  name,
  args: typeof args === "string" ? args : JSON.stringify(args),
});
const look = call("callb0002", "look", LOOK);
const RIGHT = [call("calla0001", "move", MOVE), look];

/** The call of `move` with a model's mistakes. */
const FAULTS: Readonly<Record<string, WrittenCall>> = {
  "a key in another case": call("calla0001", "move", { Path: "/a", count: 3 }),
  "a number as text": call("calla0001", "move", { path: "/a", count: "3" }),
  "an envelope": call("calla0001", "move", { input: MOVE }),
  "a name in another case": call("calla0001", "Move", MOVE),
};
/** The same, if arguments are text. */
const TEXT_FAULTS: Readonly<Record<string, WrittenCall>> = {
  "single quotes": call("calla0001", "move", "{'path': '/a', 'count': 3}"),
  "JSON in a JSON string": call("calla0001", "move", JSON.stringify(JSON.stringify(MOVE))),
  "a fence": call("calla0001", "move", `\`\`\`json\n${JSON.stringify(MOVE)}\n\`\`\``),
};

function run(
  { api, way, outputVersion }: Cell,
  calls: readonly WrittenCall[],
  { repaired = true, stop = undefined as string | undefined } = {},
): Promise<Ran> {
  const form = way === "whole" && !api.agentsStream ? "whole" : "streamed";
  const answers = [api[form](calls, { stop }), api[form]([])];
  return runAgent({ api, way, outputVersion, answers, hasToolmend: repaired });
}

/** Checks that a request has exactly these calls, each answered once, in order. */
function isRight({ api }: Cell, body: unknown, expected: readonly WrittenCall[]): boolean {
  if (body === undefined) return false;
  const { calls, answers } = api.sent(body);
  const made = calls.map(({ name, args }) => ({ name, args }));
  const wanted = expected.map(({ name, args }) => ({ name, args: JSON.parse(args) }));
  const isPaired = calls.every(({ id }, index) => answers[index]?.id === id);
  return isPaired && answers.length === calls.length && equals(made, wanted);
}

function equals(left: unknown, right: unknown): boolean {
  try {
    assert.deepEqual(left, right);
    return true;
  } catch {
    return false;
  }
}

/** LangChain alone sends empty texts in its newer format, which Bedrock rejects. */
function withoutEmptyTexts(requests: Ran["requests"]): unknown {
  const isEmpty = (block: Body) => block?.text === "" && Object.keys(block).length === 1;
  return JSON.parse(JSON.stringify(requests), (_, value) =>
    Array.isArray(value) ? value.filter((block) => !isEmpty(block)) : value,
  );
}

for (const cell of CELLS) {
  describe(cell.name, () => {
    const bare = run(cell, RIGHT, { repaired: false });
    const ranOnce = ["look /b undefined", "move /a 3"];
    // Where LangChain makes two calls of one, toolmend may correct that as well.
    const isRanRight = (ran: readonly string[]) =>
      equals(ran.toSorted(), ranOnce) ||
      (runsOf(cell) === 2 && equals(ran.toSorted(), [...ranOnce, ...ranOnce].sort()));

    test("LangChain alone sends valid calls back with its known faults only", async () => {
      const { requests, ran } = await bare;
      assert.equal(isRight(cell, requests[1], RIGHT), cell.own === undefined);
      assert.equal(ran.length, runsOf(cell) * RIGHT.length);
    });

    const faults = { "nothing wrong": RIGHT[0], ...FAULTS, ...(cell.isText && TEXT_FAULTS) };
    for (const [fault, faulty] of Object.entries(faults)) {
      test(`${fault}: the next request equals that of a valid call`, async () => {
        const repaired = await run(cell, [faulty as WrittenCall, look]);
        assert.ok(isRanRight(repaired.ran), repaired.ran.join());
        const alone = await bare;
        // If LangChain alone sends a request that no provider accepts, toolmend may correct that as
        // well.
        if (cell.own !== undefined && isRight(cell, repaired.requests[1], RIGHT)) return;
        // The second of two is a call without an id, which toolmend gives it.
        if (runsOf(cell) === 1) {
          assert.deepEqual(withoutEmptyTexts(repaired.requests), withoutEmptyTexts(alone.requests));
        }
        assert.equal(repaired.error, alone.error);
      });
    }

    test("a rejected call among others is answered with its error, in its place", async () => {
      const bad = call("callc0003", "move", { one: 1, two: 2 });
      const { ran, requests, error } = await run(cell, [RIGHT[0] as WrittenCall, bad, look]);
      assert.ok(isRanRight(ran), ran.join());
      if (cell.own !== undefined) return;
      assert.equal(error, undefined);
      assert.ok(isRight(cell, requests[1], [RIGHT[0] as WrittenCall, bad, look]));
      const { answers } = cell.api.sent(requests[1]);
      const texts = answers.map(({ text }) => text.split("\n")[0]);
      const refused = 'The input of tool "move" was not accepted, and the tool was not run:';
      assert.deepEqual(texts, ["move of /a done", refused, "look of /b done"]);
    });

    test("a rejected call on its own is answered with its error, and the run goes on", async () => {
      const bad = call("callc0003", "move", { one: 1, two: 2 });
      const { ran, requests } = await run(cell, [bad]);
      assert.deepEqual(ran, []);
      if (cell.own === undefined) assert.ok(isRight(cell, requests[1], [bad]));
    });
  });
}

for (const { api } of CELLS.filter(
  ({ way, outputVersion }) => way === "whole" && outputVersion === "v0",
)) {
  // What LangChain runs twice, it takes for two calls, and only the second is the last one.
  const cells = CELLS.filter((one) => one.api === api && one.way !== "events" && runsOf(one) === 1);
  const ranBy = (calls: readonly WrittenCall[], stop: string | undefined, of = cells) =>
    Promise.all(of.map(async (cell) => (await run(cell, calls, { stop })).ran.length));

  describe(`${api.name}: a complete last call`, () => {
    // Only its text shows that it is complete; both forms must have text.
    const isCleared = api.text.whole && api.text.streamed;
    for (const stop of api.cutOff) {
      test(`is ${isCleared ? "run" : "rejected"} before the stop reason ${stop}, with and without streaming`, async () => {
        const count = isCleared ? 2 : 1;
        assert.deepEqual(
          await ranBy(RIGHT, stop),
          cells.map(() => count),
        );
      });
    }
    for (const stop of api.finished) {
      test(`is run before the stop reason ${stop}, with and without streaming`, async () => {
        assert.deepEqual(
          await ranBy(RIGHT, stop),
          cells.map(() => 2),
        );
      });
    }
  });

  testOwnLoop(api);

  // Mistral's next request throws under LangChain's events, even with valid calls.
  const streams = CELLS.filter((one) => one.api === api && one.way !== "whole" && one.isText);
  test(`${api.name}: a last call whose text is cut off is rejected, with any stop reason`, async () => {
    const cut = [RIGHT[0] as WrittenCall, call("callb0002", "look", '{"path":"/b')];
    for (const stop of [undefined, ...api.cutOff]) {
      assert.deepEqual(
        await ranBy(cut, stop, streams),
        streams.map(() => 1),
      );
    }
  });
}

testOtherSeams();
