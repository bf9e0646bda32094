import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { readValidLine } from "#src/evidence/read-valid-line.ts";
import { createLineWriter } from "#src/evidence/write-lines.ts";
import type { InputEvent } from "#src/repair/events/event.ts";
import { repairToolCall } from "#src/repair/tool-call.ts";

const call = {
  kind: "call",
  v: 1,
  t: "2026-11-21T20:57:43.452Z",
  tool: "click",
  schema: "9f2c41d0",
  model: "m",
  provider: "p",
  run: "r",
  thread: "t",
  call: "c",
  seam: "tool",
  outcome: "valid",
  level: "safe",
  issues: [],
  repairs: [],
};

/** What a line is to `JSON.parse`; `undefined` where it is none. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

test("the line of a valid call, as it is written, is read without JSON.parse", async () => {
  const lines: string[] = [];
  const writer = createLineWriter((line) => lines.push(JSON.stringify(line)), {
    content: "none",
    valid: "each",
  });
  const evidence = [(event: InputEvent) => writer.add(event)];
  const schema = { type: "object", properties: { selector: { type: "string" } } };
  await repairToolCall(
    { name: "click", args: { selector: "#a" }, id: "c" },
    [{ name: "click", schema }],
    {
      evidence,
    },
  );
  const line = lines.at(-1) ?? "";
  expect(JSON.parse(line)).toMatchObject({ kind: "call", outcome: "valid" });
  expect(readValidLine(line)).toEqual(JSON.parse(line));
});

test("whatever names it has, and whatever it lacks, it is what JSON.parse makes of it, or left to that", () => {
  const optional = ["schema", "model", "provider", "run", "thread", "call"] as const;
  const name = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.constantFrom('"', "\\", "}"),
  );
  const names = fc.record({ tool: name, schema: name, model: name, run: name, call: name });
  fc.assert(
    fc.property(names, fc.subarray([...optional]), (given, missing) => {
      const entries = Object.entries({ ...call, ...given });
      const line = JSON.stringify(
        Object.fromEntries(entries.filter(([key]) => !missing.includes(key as "run"))),
      );
      const read = readValidLine(line);
      if (read !== undefined) expect(read).toEqual(JSON.parse(line));
      else expect(line).toMatch(/\\/);
    }),
  );
});

test("a damaged line is never read as another", () => {
  const line = JSON.stringify(call);
  const damage = fc.record({
    at: fc.nat(line.length),
    length: fc.nat(12),
    text: fc.oneof(
      fc.string({ maxLength: 4 }),
      fc.constantFrom('"', '","', "\u0000", "\\", "{", "[1]"),
    ),
  });
  fc.assert(
    fc.property(damage, ({ at, length, text }) => {
      const damaged = line.slice(0, at) + text + line.slice(at + length);
      const read = readValidLine(damaged);
      if (read !== undefined) expect(read).toEqual(parsed(damaged));
    }),
    { numRuns: 2_000 },
  );
});

test("a line of another kind is left to JSON.parse", () => {
  for (const other of [
    { ...call, outcome: "repaired" },
    { ...call, raw: {} },
    { ...call, undeclared: ["+1 key"] },
    { ...call, v: 2 },
    { ...call, issues: [{ path: "", code: "type" }] },
  ]) {
    expect(readValidLine(JSON.stringify(other))).toBeUndefined();
  }
});
