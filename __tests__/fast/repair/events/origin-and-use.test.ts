import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import {
  type InputEvent,
  type RepairOptions,
  repairToolCall,
  repairToolInput,
} from "toolmend/core";
import { jsonlSink } from "toolmend/evidence";

const roll = {
  name: "roll",
  schema: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] },
};

/** The event of one call with these options. */
async function eventOf(args: unknown, options: RepairOptions = {}): Promise<InputEvent> {
  const events: InputEvent[] = [];
  await repairToolCall({ id: "call_1", name: "roll", args }, [roll], {
    ...options,
    onToolCall: (event) => void events.push(event),
  });
  expect(events).toHaveLength(1);
  return events[0] as InputEvent;
}

describe("the option origin", () => {
  test("says in the event where the call came from", async () => {
    const ids = () => ({ runId: "run_1", threadId: "thread_1" });
    const origin = { seam: "mcp", model: "m", provider: "p", ids } as const;
    const said = { seam: "mcp", model: "m", provider: "p", runId: "run_1", threadId: "thread_1" };
    expect(await eventOf({ count: "5" }, { origin })).toMatchObject(said);
  });

  test("may say only some of it", async () => {
    const event = await eventOf({ count: 5 }, { origin: { model: "m" } });
    expect(event).toMatchObject({ seam: "core", model: "m", provider: undefined });
  });

  test("stops no call with a look-up that throws", async () => {
    const ids = () => {
      throw new Error("no ids");
    };
    expect(await eventOf({ count: 5 }, { origin: { ids } })).toMatchObject({ runId: undefined });
  });

  test("must be one that there is", async () => {
    const wrong = { origin: { seam: "ai" } } as never;
    await expect(repairToolInput({}, roll, wrong)).rejects.toThrow(
      /must be "tool", .* "mcp" or "record"/,
    );
    const odd = { origin: { thread: "t" } } as never;
    await expect(repairToolInput({}, roll, odd)).rejects.toThrow('no option "thread"');
  });
});

/** The outcomes by what is used of the result. */
const OUTCOMES = {
  all: { valid: "valid", repaired: "repaired", rejected: "refused" },
  repairs: { valid: "valid", repaired: "repaired", rejected: "passed" },
  none: { valid: "valid", repaired: "unused", rejected: "passed" },
} as const;

describe.each(["all", "repairs", "none"] as const)("the option use: %j", (use) => {
  test("is the outcome in the event", async () => {
    expect(await eventOf({ count: 5 }, { use })).toMatchObject({ outcome: OUTCOMES[use].valid });
    const repaired = { outcome: OUTCOMES[use].repaired, toolInput: { count: 5 } };
    expect(await eventOf({ count: "5" }, { use })).toMatchObject(repaired);
    const rejected = { outcome: OUTCOMES[use].rejected, toolInput: undefined };
    expect(await eventOf({ count: "five" }, { use })).toMatchObject(rejected);
    const unknown = await repairToolCall({ name: "other", args: {} }, [roll], { use });
    expect(unknown).toMatchObject({ ok: false });
  });

  test("is in a log, too", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "toolmend-use-")), "log.jsonl");
    const sink = jsonlSink(file);
    await repairToolInput({ count: "five" }, roll, { use, onToolCall: sink });
    await sink.flush();
    expect(readFileSync(file, "utf8")).toContain(`"outcome":"${OUTCOMES[use].rejected}"`);
  });
});

describe("a success says whether anything was changed", () => {
  test.each([
    ["a valid input", { name: "roll", args: { count: 5 } }, false],
    ["valid text", { name: "roll", args: '{"count": 5}' }, false],
    ["a repaired input", { name: "roll", args: { count: "5" } }, true],
    ["a repaired name", { name: "Roll", args: { count: 5 } }, true],
  ])("%s", async (_, call, changed) => {
    expect(await repairToolCall(call, [roll])).toMatchObject({ ok: true, changed });
  });
});
