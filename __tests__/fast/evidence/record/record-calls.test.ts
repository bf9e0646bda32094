import { describe, expect, test } from "@jest/globals";
import type { RecordedCall } from "#src/evidence/record/read-export.ts";
import { recordCalls } from "#src/evidence/record/record-calls.ts";
import type { CallEvent } from "#src/repair/events/event.ts";

const click = {
  name: "click",
  schema: {
    type: "object",
    properties: { selector: { type: "string" }, times: { type: "integer" } },
    required: ["selector"],
    additionalProperties: false,
  },
};

let calls = 0;
function call(args: unknown, more: Partial<RecordedCall> = {}): RecordedCall {
  calls += 1;
  return {
    name: "click",
    args,
    id: `c${calls}`,
    tools: [click],
    model: "gpt-test",
    provider: "openai",
    run: "run",
    thread: "thread",
    time: calls * 1_000,
    truncated: false,
    isRun: false,
    ...more,
  };
}

const callsOfEvents = async (...recorded: readonly RecordedCall[]) =>
  (await recordCalls(recorded)).events.filter((one): one is CallEvent => one.kind === "call");

describe("calls that a trace holds", () => {
  test("come out as toolmend would have had them, with the trace's time, model and ids", async () => {
    const recorded = [
      call('{"selector": "#a"}'),
      call({ selector: "#a", times: "3" }),
      call('{"element": "#a"}'),
      call("{'selector': '#a'}"),
      call('{"selector": "#a', { truncated: true }),
      call({}, { name: "clack" }),
    ];
    const events = await callsOfEvents(...recorded);
    expect(events.map(({ outcome }) => outcome)).toEqual([
      "valid",
      "repaired",
      "refused",
      "repaired",
      "refused",
      "refused",
    ]);
    for (const [index, event] of events.entries()) {
      expect(event).toMatchObject({
        time: recorded[index]?.time,
        callId: recorded[index]?.id,
        model: "gpt-test",
        provider: "openai",
        runId: "run",
        threadId: "thread",
        rawToolInput: recorded[index]?.args,
      });
    }
    expect(events[5]?.issues).toMatchObject([{ code: "unknown_tool" }]);
  });

  test("the level is heeded", async () => {
    const recorded = [call({ selector: "#a", times: "3" })];
    for (const [level, outcome] of [
      ["strict", "refused"],
      ["safe", "repaired"],
    ] as const) {
      expect((await recordCalls(recorded, { level })).events).toMatchObject([{ outcome, level }]);
    }
  });

  test("are put in the order of time, and counted once however many saw them", async () => {
    const first = call({ selector: "#a" });
    const second = call({ selector: "#b" });
    const events = await callsOfEvents(second, first, { ...first, time: first.time + 5 });
    expect(events.map(({ callId }) => callId)).toEqual([first.id, second.id]);
    const elsewhere = { ...first, run: "another run" };
    expect(await callsOfEvents(first, elsewhere)).toHaveLength(2);
  });

  test("what ran counts only where the trace does not hold what the model wrote", async () => {
    const written = call({ selector: "#a", times: "3" });
    const ran = call({ selector: "#a", times: 3 }, { isRun: true, id: undefined });
    expect(await callsOfEvents(written, ran)).toMatchObject([{ outcome: "repaired" }]);
    expect(await callsOfEvents({ ...ran, run: "alone" })).toMatchObject([{ outcome: "valid" }]);
  });

  test("of a model that counts its calls from 1, each counts", async () => {
    const id = "1";
    const first = call({ selector: "#a" }, { id });
    const text = { ...first, args: '{"selector":"#a"}', time: first.time + 5 };
    expect(await callsOfEvents(first, text, call({ selector: "#b" }, { id }))).toHaveLength(2);
  });

  test.each([{ type: 5 }, { "~standard": {} }, { anyOf: 1, type: { _def: 1 } }, { $ref: "#/x" }])(
    "a schema that is none, %j, stops nothing",
    async (schema) => {
      const tools = [{ name: "click", schema }];
      const { calls: told, withoutSchema } = await recordCalls([
        call({ selector: "#a" }, { tools }),
        call({ selector: "#a" }),
      ]);
      expect(told + withoutSchema).toBe(2);
      expect(told).toBeGreaterThan(0);
    },
  );

  test("without a schema nothing is said of them; a schema that is given comes first", async () => {
    const recorded = [call({ selector: "#a" }, { tools: [] }), call({ times: 1 })];
    expect(await recordCalls(recorded)).toMatchObject({ calls: 1, withoutSchema: 1 });
    const schemas = new Map([["click", { type: "object", properties: { times: {} } }]]);
    const { events, withoutSchema } = await recordCalls(recorded, { schemas });
    expect(withoutSchema).toBe(0);
    expect(events.map((one) => one.kind === "call" && one.outcome)).toEqual(["valid", "valid"]);
    const others = new Map([["scroll", { type: "object" }]]);
    expect(await recordCalls(recorded.slice(0, 1), { schemas: others })).toMatchObject({
      calls: 0,
      withoutSchema: 1,
    });
  });
});

describe("what took the place of a refused call", () => {
  const corrections = async (...recorded: readonly RecordedCall[]) =>
    (await recordCalls(recorded)).events.flatMap((one) =>
      one.kind === "correction" ? [[one.of, one.by, one.toolInput]] : [],
    );

  test("is the next of the same tool in the same run that was accepted, and says something of it", async () => {
    const refused = call({ element: "#a" });
    const again = call('{"elem": "#b"}');
    const other = call({ selector: "#c" });
    const right = call({ selector: "#b" });
    const last = call({ selector: "#a" });
    expect(await corrections(refused, again, other, right, last)).toEqual([
      [again.id, right.id, { selector: "#b" }],
      [refused.id, last.id, { selector: "#a" }],
    ]);
    const elsewhere = call({ selector: "#a" }, { run: "another" });
    expect(await corrections(refused, elsewhere)).toEqual([]);
    expect(await corrections({ ...refused, run: undefined }, { ...right, run: undefined })).toEqual(
      [],
    );
  });

  test("is none that was made at once with it", async () => {
    const time = 5;
    expect(
      await corrections(call({ e: "#a" }, { time }), call({ selector: "#a" }, { time })),
    ).toEqual([]);
  });

  test("of a tool that nobody offers, is the next with the very same input", async () => {
    const refused = call({ selector: "#a" }, { name: "press" });
    const other = call({ selector: "#b" });
    const same = call({ selector: "#a" });
    expect(await corrections(refused, other, same)).toEqual([
      [refused.id, same.id, { selector: "#a" }],
    ]);
  });

  test("keeps what was refused, and says that nobody knows for sure", async () => {
    const { events } = await recordCalls([call({ element: "#a" }), call({ selector: "#a" })]);
    expect(events.at(-1)).toMatchObject({
      kind: "correction",
      source: "later-call",
      rawToolInput: { element: "#a" },
      toolInput: { selector: "#a" },
      issues: [{ code: "required" }, { code: "additionalProperties" }],
    });
  });
});
