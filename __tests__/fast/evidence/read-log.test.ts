import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { LogLine } from "#src/evidence/log-line.ts";
import { readLog } from "#src/evidence/read-log.ts";
import { callLine } from "../../support/evidence/call-line.ts";

const call = (id: number, more: object = {}) =>
  callLine({ t: `2026-11-0${id}T10:00:00.000Z`, ...more });
const toText = (...lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-log-"));
  mkdirSync(join(folder, "logs", "deep"), { recursive: true });
  writeFileSync(join(folder, "logs", "a.jsonl"), toText(call(1)));
  writeFileSync(join(folder, "logs", "b.jsonl.gz"), gzipSync(toText(call(2), call(3))));
  writeFileSync(join(folder, "logs", "deep", "c.jsonl"), toText(call(4)));
  writeFileSync(join(folder, "logs", "notes.txt"), "nothing");
  symlinkSync("nowhere", join(folder, "logs", "link.jsonl"));
});

async function read(
  names: readonly string[],
  stdin: AsyncIterable<string | Uint8Array> = parts("", 1),
) {
  const lines: LogLine[] = [];
  const result = await readLog(names, (line) => lines.push(line), { folder, stdin });
  return { days: lines.map(({ t }) => Number(t.slice(8, 10))), lines, result };
}

async function* parts(text: string | Uint8Array, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

describe("which files", () => {
  test.each([
    [["logs/a.jsonl"], [1]],
    [["logs"], [1, 2, 3]],
    [
      ["logs/deep", "logs"],
      [4, 1, 2, 3],
    ],
    [["./logs/../logs/a.jsonl", "logs/a.jsonl"], [1]],
  ])("%j", async (names, days) => {
    expect((await read(names)).days).toEqual(days);
  });

  test.each([
    ["nowhere.jsonl", "There is no file nowhere.jsonl."],
    ["logs/*.jsonl", "There is no file logs/*.jsonl. Patterns are for the shell"],
  ])("%s is an error that says so", async (name, message) => {
    await expect(read([name])).rejects.toThrow(message);
  });

  test("a folder without logs is an error", async () => {
    mkdirSync(join(folder, "empty"));
    await expect(read(["empty"])).rejects.toThrow("empty holds no logs");
  });

  test("- is the standard input, in chunks of any size, split within a character", async () => {
    const text = Buffer.from(`\uFEFF${toText(call(1, { tool: "größe" }), call(2))}`);
    for (const size of [1, 7, 1_000]) {
      const { lines, result } = await read(["-"], parts(text, size));
      expect(lines.map(({ tool }) => tool)).toEqual(["größe", "click"]);
      expect(result).toMatchObject({ lines: 2, torn: 0, foreign: 0 });
    }
  });
});

describe("which lines", () => {
  test("broken and foreign lines are counted and skipped", async () => {
    const text = [
      JSON.stringify(call(1)),
      "",
      JSON.stringify(call(2)).slice(0, 50),
      '{"level":"info","msg":"another log"}',
      JSON.stringify(call(3, { v: 2 })),
      "null",
      "[1]",
      `${JSON.stringify(call(4))}\r`,
      JSON.stringify(call(5)),
    ].join("\n");
    const { days, result } = await read(["-"], parts(text, 100));
    expect(days).toEqual([1, 4, 5]);
    expect(result).toMatchObject({ lines: 3, torn: 1, foreign: 4 });
  });

  test.each([
    ["no time", { t: "yesterday" }],
    ["a time of another type", { t: 5 }],
    ["no tool", { tool: undefined }],
    ["an outcome that there is not", { outcome: "constructor" }],
    ["issues that are no list", { issues: { length: 1 } }],
    ["an issue without a path", { issues: [{ code: "x" }] }],
    ["an issue that is null", { issues: [null] }],
    ["repairs without a fixer", { repairs: [{ path: "", level: "safe" }] }],
    ["a model that is an object", { model: {} }],
    ["a kind that there is not", { kind: "__proto__" }],
    ["a level that there is not", { level: "wild" }],
    ["a run that is an object", { run: {} }],
    ["a repaired name that is a number", { nameRepair: 5 }],
    ["a source that ends a comment", { kind: "correction", source: "human\nprocess.exit()" }],
    ["a count that no minute has", { kind: "count", n: Number.MAX_SAFE_INTEGER }],
    ["a count below zero", { kind: "count", n: -1 }],
    ["a count that is no number", { kind: "count", n: "12" }],
  ])("a line with %s is foreign", async (_, fields) => {
    const { result } = await read(["-"], parts(toText(call(1, fields)), 100));
    expect(result).toMatchObject({ lines: 0, foreign: 1 });
  });

  test("a line that is nested too deeply to look through is foreign", async () => {
    const deep = `{"raw":${"[".repeat(50_000)}${"]".repeat(50_000)},`;
    const text = `${JSON.stringify(call(1)).replace("{", deep)}\n${toText(call(2))}`;
    const { days, result } = await read(["-"], parts(text, 10_000));
    expect([days, result.foreign]).toEqual([[2], 1]);
  });

  test("an endless line is not kept in memory, and the line after it is read", async () => {
    async function* endless() {
      for (let index = 0; index < 90; index++) yield "x".repeat(100_000);
      yield `\n${toText(call(1))}`;
    }
    const { days, result } = await read(["-"], endless());
    expect(days).toEqual([1]);
    expect(result).toMatchObject({ torn: 1 });
  });

  test("a truncated compressed file is an error that names it", async () => {
    const whole = gzipSync(toText(call(1)));
    writeFileSync(join(folder, "cut.jsonl.gz"), whole.subarray(0, whole.length / 2));
    await expect(read(["cut.jsonl.gz"])).rejects.toThrow(/cut\.jsonl\.gz cannot be read/);
  });

  test("a file that is not compressed despite its name is an error", async () => {
    writeFileSync(join(folder, "plain.jsonl.gz"), toText(call(1)));
    await expect(read(["plain.jsonl.gz"])).rejects.toThrow(/plain\.jsonl\.gz/);
  });
});
