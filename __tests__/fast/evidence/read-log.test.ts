import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBConnection } from "@duckdb/node-api";
import { beforeAll, describe, expect, jest, test } from "@jest/globals";
import type { LogLine } from "#src/evidence/log-line.ts";
import { readLog } from "#src/evidence/read-log.ts";

const call = (id: number, more: object = {}) => ({
  v: 1,
  kind: "call",
  t: `2026-11-0${id}T10:00:00.000Z`,
  tool: "click",
  model: "m",
  seam: "tool",
  outcome: "refused",
  level: "safe",
  issues: [{ path: "/selector", code: "required" }],
  repairs: [],
  ...more,
});
const toText = (...lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-log-"));
  mkdirSync(join(folder, "logs", "deep"), { recursive: true });
  writeFileSync(join(folder, "logs", "a.jsonl"), toText(call(1)));
  writeFileSync(join(folder, "logs", "b.jsonl.gz"), gzipSync(toText(call(2), call(3))));
  writeFileSync(join(folder, "logs", "deep", "c.jsonl"), toText(call(4)));
  writeFileSync(join(folder, "logs", "notes.txt"), "nothing");
});

async function read(names: readonly string[], stdin?: AsyncIterable<string | Uint8Array>) {
  const lines: LogLine[] = [];
  const result = await readLog(names, (line) => lines.push(line), {
    folder,
    ...(stdin === undefined ? {} : { stdin }),
  });
  return { days: lines.map(({ t }) => Number(t.slice(8, 10))), lines, result };
}

async function* parts(text: string | Uint8Array, size: number) {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

describe("which files", () => {
  test.each([
    [["logs/a.jsonl"], [1]],
    [["logs"], [1, 2, 3]],
    [["logs/*.jsonl"], [1]],
    [["logs/*"], [1, 2, 3]],
    [["logs/**/*.jsonl"], [1, 4]],
    [["**/?.jsonl"], [1, 4]],
    [["./logs/../logs/a.jsonl", "logs/a.jsonl"], [1]],
    [["lo*/d*p/*"], [4]],
  ])("%j", async (names, days) => {
    const readable = names[0] === "logs/*" ? ["logs/*.jsonl", "logs/*.gz"] : names;
    expect((await read(readable)).days).toEqual(days);
  });

  test.each([
    ["nowhere.jsonl", "There is no file nowhere.jsonl."],
    ["logs/*.csv", "No file matches logs/*.csv."],
    ["logs/deep/..x/*", "No file matches logs/deep/..x/*."],
  ])("%s is an error that says so", async (name, message) => {
    await expect(read([name])).rejects.toThrow(message);
  });

  test("a folder without logs is an error", async () => {
    mkdirSync(join(folder, "empty"));
    await expect(read(["empty"])).rejects.toThrow("empty holds no logs");
  });

  test("- is the standard input, in parts of any size, split amid a character", async () => {
    const text = Buffer.from(`\uFEFF${toText(call(1, { tool: "größe" }), call(2))}`);
    for (const size of [1, 7, 1_000]) {
      const { lines, result } = await read(["-"], parts(text, size));
      expect(lines.map(({ tool }) => tool)).toEqual(["größe", "click"]);
      expect(result).toMatchObject({ lines: 2, torn: 0, foreign: 0 });
    }
  });
});

describe("which lines", () => {
  test("torn, foreign and newer lines are counted and passed over", async () => {
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
    expect(result).toMatchObject({ lines: 3, torn: 1, foreign: 3, newer: 1 });
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
    ["a count below zero", { kind: "count", n: -1 }],
    ["a count that is no number", { kind: "count", n: "12" }],
  ])("a line with %s is foreign", async (_, fields) => {
    const { result } = await read(["-"], parts(toText(call(1, fields)), 100));
    expect(result).toMatchObject({ lines: 0, foreign: 1 });
  });

  test("a line without end is not kept, and what follows it is read", async () => {
    async function* endless() {
      for (let index = 0; index < 90; index++) yield "x".repeat(100_000);
      yield `\n${toText(call(1))}`;
    }
    const { days, result } = await read(["-"], endless());
    expect(days).toEqual([1]);
    expect(result).toMatchObject({ torn: 1 });
  });

  test("of a compressed file that was cut, the beginning is read, and it is said", async () => {
    const lines = Array.from({ length: 5_000 }, (_, id) => call(1, { call: `c${id * 7919}` }));
    const whole = gzipSync(toText(...lines));
    writeFileSync(join(folder, "cut.jsonl.gz"), whole.subarray(0, whole.length / 2));
    const { result } = await read(["cut.jsonl.gz", "logs/a.jsonl"]);
    expect(result.lines).toBeGreaterThan(100);
    expect(result.lines).toBeLessThan(5_000);
    expect(result.cut).toEqual(["cut.jsonl.gz"]);
  });

  test("a file that is not compressed in spite of its name is an error", async () => {
    writeFileSync(join(folder, "plain.jsonl.gz"), toText(call(1)));
    await expect(read(["plain.jsonl.gz"])).rejects.toThrow(/plain\.jsonl\.gz/);
  });

  test("progress ends with all bytes", async () => {
    const told: { done: number; total: number }[] = [];
    await readLog(["logs"], () => {}, { folder, onProgress: (progress) => told.push(progress) });
    expect(told.at(-1)?.done).toBe(told.at(-1)?.total);
    expect(told.at(-1)?.total).toBeGreaterThan(100);
  });
});

describe("Parquet, by DuckDB", () => {
  const lines = [
    call(1, { raw: { element: "#a", times: null }, us: 12 }),
    { v: 1, kind: "count", t: "2026-11-02T10:00:00.000Z", tool: "click", seam: "tool", n: 7 },
  ];
  async function write(file: string, select: string) {
    const connection = await DuckDBConnection.create();
    writeFileSync(join(folder, "to-convert.jsonl"), toText(...lines));
    await connection.run(
      `COPY (${select.replace("LOG", `'${join(folder, "to-convert.jsonl")}'`)}) TO '${join(folder, file)}'`,
    );
    connection.closeSync();
  }

  test("one column of JSON text is a line as it was written", async () => {
    await write("text.parquet", "SELECT json AS line FROM read_json_objects(LOG)");
    expect((await read(["text.parquet"])).lines).toEqual(lines);
  });

  test("columns are fields, times are times", async () => {
    await write("columns.parquet", "SELECT * EXCLUDE (raw) FROM read_json_auto(LOG)");
    const { raw: _, ...withoutRaw } = lines[0] as { raw?: unknown };
    const { lines: read1, result } = await read(["columns.parquet"]);
    expect(result).toMatchObject({ lines: 2, foreign: 0 });
    expect(read1.map((line) => ({ ...line, t: Date.parse(line.t) }))).toEqual(
      [withoutRaw, lines[1]].map((line) => ({
        ...line,
        t: Date.parse((line as { t: string }).t),
      })),
    );
  });

  test("without the package, the error says what to install", async () => {
    jest.resetModules();
    jest.doMock("@duckdb/node-api", () => {
      throw new Error("Cannot find module");
    });
    const fresh = await import("#src/evidence/read-log.ts");
    await expect(fresh.readLog(["text.parquet"], () => {}, { folder })).rejects.toThrow(
      "npm install @duckdb/node-api",
    );
    jest.dontMock("@duckdb/node-api");
  });
});
