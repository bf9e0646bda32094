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

describe("the calls in a trace", () => {
  test("come out as toolmend would have logged them, with the trace's time, model and ids", async () => {
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

  test("are repaired at the given level", async () => {
    const recorded = [call({ selector: "#a", times: "3" })];
    for (const [level, outcome] of [
      ["strict", "refused"],
      ["safe", "repaired"],
    ] as const) {
      expect((await recordCalls(recorded, { level })).events).toMatchObject([{ outcome, level }]);
    }
  });

  test("are sorted by time, and counted once however many spans hold them", async () => {
    const first = call({ selector: "#a" });
    const second = call({ selector: "#b" });
    const events = await callsOfEvents(second, first, { ...first, time: first.time + 5 });
    expect(events.map(({ callId }) => callId)).toEqual([first.id, second.id]);
    const elsewhere = { ...first, run: "another run" };
    expect(await callsOfEvents(first, elsewhere)).toHaveLength(2);
  });

  test("that ran count only if the trace lacks the model's output", async () => {
    const written = call({ selector: "#a", times: "3" });
    const ran = call({ selector: "#a", times: 3 }, { isRun: true, id: undefined });
    expect(await callsOfEvents(written, ran)).toMatchObject([{ outcome: "repaired" }]);
    expect(await callsOfEvents({ ...ran, run: "alone" })).toMatchObject([{ outcome: "valid" }]);
  });

  test("of a model that numbers its calls from 1 all count", async () => {
    const id = "1";
    const first = call({ selector: "#a" }, { id });
    const text = { ...first, args: '{"selector":"#a"}', time: first.time + 5 };
    expect(await callsOfEvents(first, text, call({ selector: "#b" }, { id }))).toHaveLength(2);
  });

  test.each([{ type: 5 }, { "~standard": {} }, { anyOf: 1, type: { _def: 1 } }, { $ref: "#/x" }])(
    "survive the invalid schema %j",
    async (schema) => {
      const tools = [{ name: "click", schema }];
      const { calls: counted, withoutSchema } = await recordCalls([
        call({ selector: "#a" }, { tools }),
        call({ selector: "#a" }),
      ]);
      expect(counted + withoutSchema).toBe(2);
      expect(counted).toBeGreaterThan(0);
    },
  );

  test("are not judged without a schema; a given schema comes first", async () => {
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

describe("the correction of a rejected call", () => {
  const corrections = async (...recorded: readonly RecordedCall[]) =>
    (await recordCalls(recorded)).events.flatMap((one) =>
      one.kind === "correction" ? [[one.of, one.by, one.toolInput]] : [],
    );

  test("is the next accepted one of the same tool in the same run that shares a value", async () => {
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

  test("is none of two parallel calls that both match it", async () => {
    const time = 5;
    const both = [call({ selector: "#a" }, { time }), call({ selector: "#a", x: 1 }, { time })];
    expect(await corrections(call({ element: "#a" }), ...both)).toEqual([]);
  });

  test("is not a call made in parallel with it", async () => {
    const time = 5;
    expect(
      await corrections(call({ e: "#a" }, { time }), call({ selector: "#a" }, { time })),
    ).toEqual([]);
  });

  test("keeps the rejected input, and is marked as uncertain", async () => {
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
