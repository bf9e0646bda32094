import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { z } from "zod";

const schema = {
  type: "object",
  properties: { n: { type: "number" }, tags: { type: "array", items: { type: "string" } } },
  required: ["n"],
};
const count = { name: "count", schema };

/** Changes all that it can reach. */
function vandalize(thing: unknown, seen: Set<unknown> = new Set()): void {
  if (thing === null || typeof thing !== "object" || seen.has(thing)) return;
  seen.add(thing);
  for (const key of [...Object.keys(thing), "jsonSchema", "error"]) {
    vandalize((thing as Record<string, unknown>)[key], seen);
    try {
      (thing as Record<string, unknown>)[key] = "vandalized";
    } catch {
      // It is frozen, which is as good.
    }
  }
  if (Array.isArray(thing)) thing.length = 0;
}

describe("listeners get copies, so that they change nothing", () => {
  const others: unknown[] = [];
  const listeners = {
    onRepair: (event: unknown) => vandalize(event),
    onRefused: (event: unknown) => vandalize(event),
    evidence: [vandalize, (event: unknown) => void others.push(event)],
  };

  test("of an input that is right", async () => {
    const raw = { n: 5, tags: ["a"] };
    const result = await repairToolInput(raw, count, listeners);
    expect(result.ok && result.toolInput).toBe(raw);
    expect(raw).toEqual({ n: 5, tags: ["a"] });
  });

  test("of one that is repaired: not what is run, what is recorded, nor what the next one gets", async () => {
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

  test("of one that is refused: neither the error nor the schema", async () => {
    const raw = { n: { is: "wrong" } };
    const result = await repairToolInput(raw, count, listeners);
    expect(result).toMatchObject({
      ok: false,
      error: { causingData: { n: { is: "wrong" } }, issues: [{ path: "/n" }], toolName: "count" },
    });
    expect(schema.properties.n).toEqual({ type: "number" });
    expect(await repairToolInput({ n: "6" }, count)).toMatchObject({ toolInput: { n: 6 } });
  });

  test("of what cannot be copied they are told all the same", async () => {
    const events: { outcome?: string }[] = [];
    const evidence = [(event: object) => void events.push(event)];
    const tool = { name: "count", schema: z.object({ n: z.number() }) };
    await repairToolInput({ n: () => 5 }, tool, { evidence });
    expect(events).toMatchObject([{ outcome: "refused" }]);
  });
});
