import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "#src/repair/repair-tool-input.ts";
import type { RepairResult } from "#src/repair/result.ts";
import type { JsonValue } from "#src/repair/types.ts";
import { expectLinearTime } from "../../support/growth.ts";
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

const words = closed({ query: text });

type Family = readonly [
  name: string,
  schema: Spec,
  size: number,
  make: (size: number) => JsonValue,
];

/** Hostile inputs, by what they consist of. */
const FAMILIES: readonly Family[] = [
  ["the steps of a key", closed({ unit: record(anything) }), 100_000, dotted(".b")],
  ["the slashes of a key", closed({ unit: record(anything) }), 100_000, dotted("/b")],
  ["spaces within bare text", words, 200_000, (size) => `Wien${" ".repeat(size)}Graz`],
  ["dots within bare text", words, 200_000, (size) => `Wien${".".repeat(size)}Graz`],
  ["ellipses within bare text", words, 200_000, (size) => `Wien${"…".repeat(size)}Graz`],
  ["spaces within a key", words, 200_000, (size) => ({ [`q${" ".repeat(size)}y`]: "a" })],
  ["underscores within a key", words, 200_000, (size) => ({ [`q${"_".repeat(size)}y`]: "a" })],
  ["quotes around a key", words, 200_000, (size) => ({ [`${'"'.repeat(size)}y`]: "a" })],
  [
    "spaces within a choice",
    closed({ kind: text, state: whole }),
    200_000,
    (size) => ({ kind: `${" ".repeat(size)}x` }),
  ],
  ["open brackets", words, 4_000_000, (size) => "[".repeat(size)],
  ["open braces", words, 1_000_000, (size) => "{".repeat(size)],
  ["open parentheses", words, 1_000_000, (size) => "(".repeat(size)],
  ["full-width brackets", words, 1_000_000, (size) => "［".repeat(size)],
  ["nested lists in text", words, 1_000_000, nested],
  ["nested lists in a field", words, 100_000, (size) => JSON.stringify({ query: nested(size) })],
  ["fences without an end", words, 100_000, (size) => "```json\n".repeat(size)],
  ["tags without an end", words, 100_000, (size) => "<tool_call>".repeat(size)],
  ["thoughts without an end", words, 100_000, (size) => "<think>".repeat(size)],
  ["quotes", words, 200_000, (size) => `{"query":${'"'.repeat(size)}}`],
  ["quotes and commas", words, 100_000, (size) => `{"query":${'"a",'.repeat(size)}`],
  ["backslashes", words, 300_000, (size) => `{"query":"${"\\".repeat(size + 1)}"}`],
  ["comments", words, 50_000, (size) => `{${"/* a */".repeat(size)}"query":"a",}`],
  [
    "commas in a list's text",
    closed({ items: list(text) }),
    200_000,
    (size) => ({ items: "a,".repeat(size) }),
  ],
  ["colons", words, 100_000, (size) => `{"query":a${":a".repeat(size)}}`],
  ["an apology without an end", words, 100_000, (size) => `I'm sorry, ${"I cannot ".repeat(size)}`],
  [
    "numbers in text",
    closed({ items: list(whole) }),
    50_000,
    (size) => ({ items: Array(size).fill("5") }),
  ],
  ["undeclared keys", open({ query: text }), 50_000, keys],
  ["forbidden keys", words, 50_000, keys],
];

function nested(depth: number): string {
  return `${"[".repeat(depth)}${"]".repeat(depth)}`;
}

function dotted(step: string): (size: number) => JsonValue {
  return (size) => ({ [`unit${step.repeat(size)}`]: 1 });
}

function keys(count: number): JsonValue {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));
}

describe.each(levels)("hostile sizes at %s", (level) => {
  test.each(FAMILIES)(
    "%s: rejected or repaired, in time that grows linearly",
    async (_, { json }, size, make) => {
      const tool = { name: "run_step", schema: json };
      await expectLinearTime(async (count) => {
        const result = (await repairToolInput(make(count), tool, { level })) as RepairResult;
        if (result.ok) expect(depthOf(result.toolInput)).toBeLessThanOrEqual(64);
      }, size);
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
