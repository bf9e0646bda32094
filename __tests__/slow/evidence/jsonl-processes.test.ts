import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { callsIn, readLines, runWriter } from "../../support/evidence/write-processes.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-log-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("a process that ends", () => {
  test.each([
    ["process.exit", "exit"],
    ["a normal end", "end"],
  ] as const)(
    "loses no line without flush(), after %s",
    async (_, how) => {
      const file = join(folder, "few.jsonl");
      await runWriter(file, 300, how);
      expect(callsIn(readLines(file))).toHaveLength(300);
    },
    60_000,
  );

  test("loses no line of 20,000 by process.exit after flush()", async () => {
    const file = join(folder, "many.jsonl");
    await runWriter(file, 20_000, "flush");
    const calls = callsIn(readLines(file));
    expect(calls).toHaveLength(20_000);
    expect(new Set(calls).size).toBe(20_000);
  }, 120_000);

  test("breaks no line of another that writes to the same file", async () => {
    const file = join(folder, "shared.jsonl");
    await Promise.all([runWriter(file, 5_000, "flush"), runWriter(file, 5_000, "flush")]);
    expect(callsIn(readLines(file))).toHaveLength(10_000);
  }, 120_000);
});
