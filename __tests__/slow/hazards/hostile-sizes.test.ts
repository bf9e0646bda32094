import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";
import type { RepairResult } from "#src/repair/result.ts";
import type { JsonValue } from "#src/repair/types.ts";
import { levels } from "../../support/hazards/check.ts";
import {
  anything,
  closed,
  list,
  open,
  record,
  type Spec,
  text,
  whole,
} from "../../support/hazards/schemas.ts";

/** CPU time, not wall-clock time: far above what any of these takes, far below quadratic time. */
const MOST_MS = 4_000;

const words = closed({ query: text });

const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;

/** The sizes of a hostile input, by what it consists of. */
const FAMILIES: readonly (readonly [name: string, schema: Spec, raw: JsonValue])[] = [
  ["a key of 5,000 steps", closed({ unit: record(anything) }), dotted("unit", 5_000)],
  ["a key of 100,000 steps", closed({ unit: record(anything) }), dotted("unit", 100_000)],
  ["a key of 100,000 slashes", closed({ unit: record(anything) }), dotted("unit", 100_000, "/b")],
  ["spaces within bare text", words, `Wien${" ".repeat(200_000)}Graz`],
  ["dots within bare text", words, `Wien${".".repeat(200_000)}Graz`],
  ["ellipses within bare text", words, `Wien${"…".repeat(200_000)}Graz`],
  ["spaces within a key", words, { [`q${" ".repeat(200_000)}y`]: "a" }],
  ["underscores within a key", words, { [`q${"_".repeat(200_000)}y`]: "a" }],
  ["quotes around a key", words, { [`${'"'.repeat(200_000)}y`]: "a" }],
  [
    "spaces within a choice",
    closed({ kind: text, state: whole }),
    { kind: `${" ".repeat(200_000)}x` },
  ],
  ["open brackets", words, "[".repeat(4_000_000)],
  ["open braces", words, "{".repeat(1_000_000)],
  ["open parentheses", words, "(".repeat(1_000_000)],
  ["full-width brackets", words, "［".repeat(1_000_000)],
  ["nested lists in text", words, nested(1_000_000)],
  ["nested lists in a field", words, JSON.stringify({ query: nested(100_000) })],
  ["fences without an end", words, "```json\n".repeat(100_000)],
  ["tags without an end", words, "<tool_call>".repeat(100_000)],
  ["thoughts without an end", words, "<think>".repeat(100_000)],
  ["quotes", words, `{"query":${'"'.repeat(200_000)}}`],
  ["quotes and commas", words, `{"query":${'"a",'.repeat(100_000)}`],
  ["backslashes", words, `{"query":"${"\\".repeat(300_001)}"}`],
  ["comments", words, `{${"/* a */".repeat(50_000)}"query":"a",}`],
  ["commas in a list's text", closed({ items: list(text) }), { items: "a,".repeat(200_000) }],
  ["colons", words, `{"query":a${":a".repeat(100_000)}}`],
  ["an apology without an end", words, `I'm sorry, ${"I cannot ".repeat(100_000)}`],
  ["numbers in text", closed({ items: list(whole) }), { items: Array(50_000).fill("5") }],
  ["undeclared keys", open({ query: text }), keys(50_000)],
  ["forbidden keys", words, keys(50_000)],
];

function dotted(start: string, steps: number, step = ".b"): JsonValue {
  return { [start + step.repeat(steps)]: 1 };
}

function keys(count: number): JsonValue {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));
}

describe.each(levels)("hostile sizes at %s", (level) => {
  test.each(FAMILIES)(
    "%s: rejected or repaired, in time proportional to its size",
    async (...family) => {
      const [, { json }, raw] = family;
      const before = process.cpuUsage();
      const tool = { name: "run_step", schema: json };
      const result = (await repairToolInput(raw, tool, { level })) as RepairResult;
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000).toBeLessThan(MOST_MS);
      if (result.ok) expect(depthOf(result.toolInput)).toBeLessThanOrEqual(64);
    },
    120_000,
  );
});

function depthOf(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  return (
    1 +
    Math.max(
      0,
      ...Object.values(value)
        .slice(0, 10)
        .map((item) => depthOf(item as JsonValue)),
    )
  );
}
