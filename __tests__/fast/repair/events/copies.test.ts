import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { z } from "zod";

const schema = {
  type: "object",
  properties: { n: { type: "number" }, tags: { type: "array", items: { type: "string" } } },
  required: ["n"],
};
const count = { name: "count", schema };

/** Mutates everything that it can reach. */
function vandalize(thing: unknown, seen: Set<unknown> = new Set()): void {
  if (thing === null || typeof thing !== "object" || seen.has(thing)) return;
  seen.add(thing);
  for (const key of [...Object.keys(thing), "jsonSchema", "error"]) {
    vandalize((thing as Record<string, unknown>)[key], seen);
    try {
      (thing as Record<string, unknown>)[key] = "vandalized";
    } catch {
      // A frozen value is as good.
    }
  }
  if (Array.isArray(thing)) thing.length = 0;
}

describe("a listener that mutates its event does not affect", () => {
  const others: unknown[] = [];
  const listeners = {
    onToolCall: [vandalize, (event: unknown) => void others.push(event)],
  };

  test("a valid input", async () => {
    const raw = { n: 5, tags: ["a"] };
    const result = await repairToolInput(raw, count, listeners);
    expect(result.ok && result.toolInput).toBe(raw);
    expect(raw).toEqual({ n: 5, tags: ["a"] });
  });

  test("a repaired input: the tool's run, its record, or the next listener", async () => {
    const raw = { n: "5", tags: ["a"] };
    const toolCall = { name: "count", args: raw, id: "call_1", type: "tool_call" as const };
    const result = await repairToolInput(raw, count, { ...listeners, toolCall });
    expect(result).toMatchObject({
      ok: true,
      toolInput: { n: 5, tags: ["a"] },
      repairs: [{ fixer: "read-number", before: "5", after: 5 }],
    });
    expect(raw).toEqual({ n: "5", tags: ["a"] });
    expect(toolCall).toEqual({ name: "count", args: raw, id: "call_1", type: "tool_call" });
    expect(others.at(-1)).toMatchObject({ outcome: "repaired", toolInput: { n: 5, tags: ["a"] } });
  });

  test("a rejected input: the error or the schema", async () => {
    const raw = { n: { is: "wrong" } };
    const result = await repairToolInput(raw, count, listeners);
    expect(result).toMatchObject({
      ok: false,
      error: { causingData: { n: { is: "wrong" } }, issues: [{ path: "/n" }], toolName: "count" },
    });
    expect(schema.properties.n).toEqual({ type: "number" });
    expect(await repairToolInput({ n: "6" }, count)).toMatchObject({ toolInput: { n: 6 } });
  });

  test("one frozen copy, however many listen, which shares a valid input with what ran", async () => {
    const events: { rawToolInput?: unknown; toolInput?: unknown }[] = [];
    const listener = () => (event: object) => void events.push(event);
    const raw = { n: 5, tags: ["a"] };
    await repairToolInput(raw, count, { onToolCall: [listener(), listener()] });
    const [event, other] = events;
    expect(other).toBe(event);
    expect(event?.toolInput).toBe(event?.rawToolInput);
    expect(event?.toolInput).toEqual(raw);
    expect(event?.toolInput).not.toBe(raw);
    expect(Object.isFrozen((event?.toolInput as typeof raw | undefined)?.tags)).toBe(true);
  });

  test("they receive an event although a value cannot be copied", async () => {
    const events: { outcome?: string }[] = [];
    const onToolCall = [(event: object) => void events.push(event)];
    const tool = { name: "count", schema: z.object({ n: z.number() }) };
    await repairToolInput({ n: () => 5 }, tool, { onToolCall });
    expect(events).toMatchObject([{ outcome: "refused" }]);
  });
});
