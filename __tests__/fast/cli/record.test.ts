import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { isLogLine } from "#src/evidence/log-line.ts";
import { runCli } from "../../support/cli/run-cli.ts";

const schema = {
  type: "object",
  properties: { selector: { type: "string" } },
  required: ["selector"],
  additionalProperties: false,
};
const CANARY = "canary-secret";

/** A run as LangSmith exports it. */
const run = (
  index: number,
  args: object,
  tools: object[] = [{ name: "click", input_schema: schema }],
) => ({
  id: `run-${index}`,
  trace_id: `trace-${Math.floor(index / 2)}`,
  run_type: "llm",
  name: "ChatAnthropic",
  end_time: `2026-11-0${1 + index}T10:00:00.123456`,
  extra: { invocation_params: { tools }, metadata: { ls_model_name: "m", ls_provider: "p" } },
  inputs: { messages: [[{ content: CANARY }]] },
  outputs: { content: [{ type: "tool_use", id: `call-${index}`, name: "click", input: args }] },
});
const runs = [
  run(0, { element: CANARY }),
  run(1, { selector: CANARY }),
  run(2, { selector: CANARY, [CANARY]: 1 }),
];

let project = "";
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "toolmend-record-"));
  const lines = runs.map((one) => JSON.stringify(one)).join("\n");
  writeFileSync(join(project, "runs.jsonl"), `${lines}\n{"torn`);
  writeFileSync(join(project, "runs.jsonl.gz"), gzipSync(lines));
  writeFileSync(join(project, "runs.json"), JSON.stringify(runs, null, 2));
  writeFileSync(join(project, "api.json"), JSON.stringify({ runs }, null, 2));
  writeFileSync(join(project, "bare.jsonl"), JSON.stringify(run(0, { element: 1 }, [])));
  mkdirSync(join(project, "schemas"));
  writeFileSync(join(project, "schemas", "click.json"), JSON.stringify(schema));
});
const record = (...args: string[]) => runCli(project, ["record", "--from", "langsmith", ...args]);
const parse = (text: string) =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe("toolmend record", () => {
  test("makes a log that report reads", async () => {
    const { code, err } = await record("runs.jsonl", "--out", "log.jsonl");
    expect(code).toBe(0);
    expect(err).toBe("3 calls and 1 correction, of 3 entries in 1 file; 1 line is no JSON.");
    const lines = parse(readFileSync(join(project, "log.jsonl"), "utf8"));
    expect(lines.every(isLogLine)).toBe(true);
    expect(lines.map(({ kind }) => kind).sort()).toEqual(
      ["call", "call", "correction", "count", "schema"].sort(),
    );
    const { out } = await runCli(project, ["report", "log.jsonl", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      total: { calls: 3, valid: 1, refused: 2, correctedLater: 1 },
      recorded: 3,
      rows: [{ name: "click" }],
      from: "2026-11-01T10:00:00.123Z",
    });
  });

  test("the same log from every form of file", async () => {
    const { out } = await record("runs.jsonl");
    expect(parse(out)).toHaveLength(5);
    for (const file of ["runs.jsonl.gz", "runs.json", "api.json"]) {
      expect((await record(file)).out).toBe(out);
    }
  });

  test("content none holds nothing from the model, keys its names, full its values", async () => {
    expect((await record("runs.json")).out).not.toContain(CANARY);
    expect((await record("runs.json")).out).not.toContain("element");
    const keys = (await record("runs.json", "--content", "keys")).out;
    expect(keys).toContain("element");
    const full = (await record("runs.json", "--content", "full")).out;
    expect(parse(full).filter(({ raw }) => raw?.selector === CANARY)).toHaveLength(2);
  });

  test("broken entries are skipped, counted, and not printed", async () => {
    const [first, second, third] = runs.map((one) => JSON.stringify(one));
    const torn = `{"${CANARY}": "`;
    writeFileSync(
      join(project, "torn.jsonl"),
      [torn, first, `\u0000${CANARY}`, second, torn, third].join("\n"),
    );
    writeFileSync(join(project, "half.json"), JSON.stringify(runs, null, 2).slice(0, -40));
    const { code, out, err } = await record("torn.jsonl");
    expect([code, out]).toEqual([0, (await record("runs.jsonl")).out]);
    expect(err).toContain("of 3 entries in 1 file; 3 lines are no JSON.");
    const half = await record("half.json");
    expect([half.code, half.out]).toEqual([1, ""]);
    expect(half.err).toMatch(
      /^0 calls and 0 corrections, .*; \d+ lines are no JSON; no calls were found:/,
    );
    expect(err + half.err).not.toContain(CANARY);
  });

  test("the log is readable by its owner only, and never overwrites its source", async () => {
    await record("runs.jsonl", "--out", "own.jsonl");
    expect(statSync(join(project, "own.jsonl")).mode & 0o777).toBe(0o600);
    const before = readFileSync(join(project, "runs.jsonl"), "utf8");
    symlinkSync("runs.jsonl", join(project, "link"));
    for (const out of ["./runs.jsonl", "link"]) {
      const { code, err } = await record(".", "--out", out);
      expect([code, err]).toEqual([
        1,
        `toolmend record: --out ${out} is there already: name another.`,
      ]);
    }
    expect(readFileSync(join(project, "runs.jsonl"), "utf8")).toBe(before);
  });

  test("no line is too long, however long names and ids are", async () => {
    const long = CANARY.repeat(10_000);
    const one = { ...run(0, { element: long }), trace_id: long };
    const metadata = { ls_model_name: long, ls_provider: long, thread_id: long };
    const extra = { ...one.extra, metadata };
    writeFileSync(join(project, "long.jsonl"), JSON.stringify({ ...one, extra }));
    const { out } = await record("long.jsonl", "--content", "full");
    expect(out.split("\n").map((line) => line.length < 8_192)).toEqual([true, true]);
  });

  test("schemas may be given, and missing ones are reported", async () => {
    const without = await record("bare.jsonl");
    expect(without.code).toBe(1);
    expect(without.err).toContain("give --schemas DIR");
    const { code, out } = await record("bare.jsonl", "--schemas", "schemas");
    expect(code).toBe(0);
    expect(parse(out)).toMatchObject([{ kind: "schema" }, { outcome: "refused" }]);
  });

  test("OTLP's JSON is read with --from otel", async () => {
    const attributes = [
      {
        key: "gen_ai.output.messages",
        value: {
          stringValue: JSON.stringify([
            {
              role: "assistant",
              parts: [{ type: "tool_call", id: "1", name: "click", arguments: {} }],
            },
          ]),
        },
      },
      {
        key: "gen_ai.tool.definitions",
        value: { stringValue: JSON.stringify([{ name: "click", parameters: schema }]) },
      },
    ];
    const span = { traceId: "t", endTimeUnixNano: "1793527200000000000", attributes };
    const line = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
    const { out } = await runCli(project, ["record", "--from", "otel", "-"], {
      input: `${line}\n`,
    });
    expect(parse(out)).toMatchObject([
      { kind: "schema" },
      { outcome: "refused", run: "t", t: "2026-11-01T10:00:00.000Z" },
    ]);
  });

  test.each([
    [["runs.json", "--from", "langfuse"], "--from must be langsmith or otel"],
    [[], "No file is named"],
    [["runs.json", "--content", "all"], "--content must be"],
    [["runs.json", "--level", "wild"], "--level must be"],
    [["nowhere.json"], "There is no file nowhere.json."],
    [["runs.json", "--schemas", "nowhere"], "--schemas"],
  ])("%j is misuse", async (args, message) => {
    const from = args.includes("--from") ? [] : ["--from", "langsmith"];
    const { code, out, err } = await runCli(project, ["record", ...from, ...args]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(message);
  });
});
