import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { createFixerRegistry, repairToolCall, repairToolInput } from "toolmend";
import { type InputEvent, type JsonlSinkOptions, jsonlSink, type LogLine } from "toolmend/evidence";
import { z } from "zod";
import { readLines } from "../../support/evidence/write-processes.ts";
import { CALL_ID, clickTool, type SeamOptions, seams } from "../../support/seams.ts";

const core = seams.core as (typeof seams)[string];

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "toolmend-log-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The log lines of calls with these arguments. */
async function log(
  all: readonly unknown[],
  options: JsonlSinkOptions = {},
  more: SeamOptions = {},
): Promise<LogLine[]> {
  const file = join(folder, "log.jsonl");
  const sink = jsonlSink(file, options);
  for (const args of all) await core(args, { onToolCall: [sink], ...more });
  await sink.flush();
  return readLines(file);
}

const REPAIRED = { element: "secret-value" };
const REFUSED = { "secret-key": "secret-value", selector: ["secret-value"] };

describe("a log", () => {
  test("writes each hashed value once, and the outcome of each call", async () => {
    const lines = await log([REPAIRED, REFUSED, REPAIRED]);
    expect(lines.map(({ kind }) => kind)).toEqual(["schema", "call", "call", "call"]);
    expect(lines[0]).toMatchObject({
      v: 1,
      tool: "click",
      schema: expect.stringMatching(/^[\da-f]{8}$/),
      jsonSchema: { required: ["selector"] },
    });
    expect(lines[1]).toEqual({
      v: 1,
      kind: "call",
      t: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/),
      tool: "click",
      schema: lines[0]?.schema,
      call: CALL_ID,
      seam: "core",
      outcome: "repaired",
      level: "safe",
      issues: [
        { path: "/selector", code: "invalid_type", expected: "string", received: "nothing" },
        { path: "/+1 key", code: "unrecognized_keys", received: "string" },
      ],
      repairs: [{ fixer: "renameKey", path: "", level: "strict" }],
      us: expect.any(Number),
    });
  });

  test("holds nothing from the model at content none", async () => {
    const lines = await log([REPAIRED, REFUSED]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|"\/?element"/);
  });

  test("holds no code that a refinement made of a value, and nor does its error's message", async () => {
    const schema = z.object({
      selector: z.string().superRefine((said, { addIssue }) => {
        addIssue({ code: said as never, message: "is unknown" });
      }),
    });
    const file = join(folder, "codes.jsonl");
    const sink = jsonlSink(file);
    const tool = { name: "click", schema };
    const input = { selector: "secret-value" };
    const result = await repairToolInput(input, tool, { onToolCall: [sink] });
    await sink.flush();
    const [line] = readLines(file).filter(({ kind }) => kind === "call");
    expect(line).toMatchObject({ issues: [{ path: "/selector", code: "custom" }] });
    expect(JSON.stringify(line) + (result.ok || result.error.message)).not.toContain("secret");
  });

  test("holds no tool name that a model made up at content none, renamed or not", async () => {
    const file = join(folder, "names.jsonl");
    const sink = jsonlSink(file);
    const fixers = createFixerRegistry([clickTool()]);
    fixers.renameTool("made-up-name", "click");
    for (const name of ["made-up-name", "another-made-up-name"]) {
      const call = { name, args: { selector: "#a" } };
      await repairToolCall(call, [clickTool()], { fixers, onToolCall: [sink] });
    }
    await sink.flush();
    const calls = readLines(file).filter(({ kind }) => kind === "call");
    expect(calls).toMatchObject([
      { tool: "click", nameRepair: { fixer: "renameTool", level: "strict" } },
      { tool: "_unknown", outcome: "refused" },
    ]);
    expect(JSON.stringify(calls)).not.toContain("made-up-name");
  });

  test("holds keys, and no values, at content keys", async () => {
    const lines = await log([REPAIRED, REFUSED], { content: "keys" });
    expect(lines[1]).toMatchObject({
      repairs: [{ fixer: "renameKey(element → selector)" }],
    });
    expect(JSON.stringify(lines)).toContain("secret-key");
    expect(JSON.stringify(lines)).not.toContain("secret-value");
  });

  test("holds the model's input and the one that ran at content full, after redact", async () => {
    const redact = (value: unknown) => (value === "secret-value" ? "***" : value);
    const lines = await log([REPAIRED, REFUSED], { content: "full", redact });
    expect(lines[1]).toMatchObject({ raw: { element: "***" }, toolInput: { selector: "***" } });
    expect(JSON.stringify(lines)).not.toContain("secret-value");
  });

  test("counts valid calls, one line a minute; or writes each", async () => {
    const valid = { selector: "#a" };
    const counted = await log([valid, valid, valid]);
    expect(counted.map(({ kind }) => kind)).toEqual(["schema", "count"]);
    expect(counted[1]).toMatchObject({
      n: 3,
      tool: "click",
      seam: "core",
      t: /:00\.000Z$/ as never,
    });
  });

  test("keeps back no more counts than schemas, within a minute too", async () => {
    const file = join(folder, "counts.jsonl");
    const sink = jsonlSink(file);
    const events: InputEvent[] = [];
    await core({ selector: "#a" }, { onToolCall: [(event) => events.push(event)] });
    const counted = () =>
      readLines(file).reduce((sum, line) => sum + (line.kind === "count" ? line.n : 0), 0);
    for (let index = 0; index < 600; index++) {
      const schema = { schemaHash: `hash-${index}`, jsonSchema: { maxProperties: index } };
      sink({ ...events[0], ...schema } as InputEvent);
    }
    expect(counted()).toBeGreaterThan(250);
    await sink.flush();
    expect(counted()).toBe(600);
  });

  test("writes each call once if it is given twice", async () => {
    const file = join(folder, "twice.jsonl");
    const sink = jsonlSink(file, { valid: "each" });
    for (const args of [REPAIRED, { selector: "#a" }]) {
      await core(args, { onToolCall: [sink, sink] });
    }
    await sink.flush();
    expect(readLines(file).filter(({ kind }) => kind === "call")).toHaveLength(2);
  });

  test("has no line over 8 kB: long values are left out, and named", async () => {
    const lines = await log([{ element: "x".repeat(20_000) }], { content: "full" });
    expect(lines[1]).toMatchObject({ outcome: "repaired", cut: expect.arrayContaining(["raw"]) });
  });

  test.each([
    ["functions.made-up-name:0", "made-up-name"],
    ["made-up-name-77", "made-up-name"],
  ])(
    "holds no id that contains the name of a made-up tool at content none: %s",
    async (id, name) => {
      const file = join(folder, `ids-${id.length}.jsonl`);
      const sink = jsonlSink(file);
      const fixers = createFixerRegistry([clickTool()]);
      fixers.renameTool(name, "click");
      const args = { selector: "#a" };
      await repairToolCall({ name, args, id }, [clickTool()], { onToolCall: [sink] });
      await repairToolCall({ name, args, id }, [clickTool()], { fixers, onToolCall: [sink] });
      const own = { name: "click", args: { Selector: "#a" }, id: "functions.click:0" };
      await repairToolCall(own, [clickTool()], { onToolCall: [sink] });
      await sink.flush();
      const calls = readLines(file).filter(({ kind }) => kind === "call");
      expect(calls.map((line) => "call" in line && line.call)).toEqual([
        expect.stringMatching(/^id-[0-9a-f]{16}$/),
        expect.stringMatching(/^id-[0-9a-f]{16}$/),
        "functions.click:0",
      ]);
      expect(JSON.stringify(calls)).not.toContain("made-up-name");
    },
  );

  test("passes redact the values of JSON text at content full, each with its own path", async () => {
    const redact = (value: unknown, path: string) => (path.endsWith("/ssn") ? "***" : value);
    const input = { selector: '{"ssn": "secret-value"}', element: '{"kept": 1 }' };
    const lines = await log([input], { content: "full", redact });
    expect(JSON.stringify(lines)).not.toContain("secret-value");
    expect(lines[1]).toMatchObject({ raw: { element: '{"kept": 1 }' } });
  });

  test("a redaction that returns no JSON costs the value, and not the line", async () => {
    const lines = await log([REPAIRED], { content: "full", redact: () => 5n });
    const [line] = lines.filter(({ kind }) => kind === "call");
    expect(line).toMatchObject({ raw: { element: "[redact threw]" } });
  });

  const throwing = {
    get selector(): string {
      throw new Error("secret-value");
    },
  };
  test.each<[string, unknown, JsonlSinkOptions]>([
    ["a number that JSON has not", { element: 5n }, { content: "full" }],
    ["an input that throws when it is read", throwing, { content: "full" }],
  ])("has a line of each call, also of %s", async (_, input, options) => {
    const lines = await log([input], options);
    const [line] = lines.filter(({ kind }) => kind === "call");
    expect(line).toMatchObject({ cut: expect.any(Array) });
    expect(JSON.stringify(lines)).not.toContain("secret-value");
  });

  test("continues in a new file if the old one was moved away or removed", async () => {
    const file = join(folder, "rotated.jsonl");
    const sink = jsonlSink(file, { valid: "each" });
    const countOf = () => readLines(file).filter(({ kind }) => kind === "call").length;
    for (const away of [() => renameSync(file, `${file}.1`), () => rmSync(file)]) {
      await core(REPAIRED, { onToolCall: [sink] });
      await sink.flush();
      expect(countOf()).toBe(1);
      away();
    }
    await core(REPAIRED, { onToolCall: [sink] });
    await sink.flush();
    expect(countOf()).toBe(1);
    // Nothing of the old file is needed to read the new one.
    expect(readLines(file).map(({ kind }) => kind)).toEqual(["schema", "call"]);
    truncateSync(file);
    await core(REPAIRED, { onToolCall: [sink] });
    await sink.flush();
    expect(readLines(file).map(({ kind }) => kind)).toEqual(["schema", "call"]);
  });

  test("of a tool whose schema changes keeps the latest, and each file has what its calls need", async () => {
    const file = join(folder, "changing.jsonl");
    const sink = jsonlSink(file);
    const names = [file];
    const events: InputEvent[] = [];
    await core(REFUSED, { onToolCall: [(event) => events.push(event)] });
    const [refused] = events;
    const call = (index: number, isValid: boolean) => {
      const schema = { schemaHash: `hash-${index}`, jsonSchema: { maxProperties: index } };
      const outcome = isValid ? "valid" : "refused";
      sink({ ...refused, ...schema, outcome } as InputEvent);
    };
    for (let index = 0; index < 600; index++) {
      // One schema is of all calls, two hundred are of some, and one is of this call only.
      call(0, index % 3 > 0);
      call(10_000 + (index % 200), index % 2 > 0);
      call(20_000 + index, false);
      if (index % 85 !== 0) continue;
      if (index % 170 === 0) await sink.flush();
      if (!existsSync(file)) continue;
      names.push(`${file}.${index}`);
      renameSync(file, `${file}.${index}`);
    }
    await sink.flush();
    for (const name of names) {
      const known = new Set<string | undefined>();
      const lines = readLines(name);
      const without = lines.filter(({ kind, schema }) => {
        if (kind === "schema") known.add(schema);
        return kind === "call" && !known.has(schema);
      });
      expect(without).toEqual([]);
      expect(lines.findIndex(({ kind }) => kind !== "schema")).toBeLessThan(300);
    }
    expect(names.length).toBeGreaterThan(4);
  });

  test.each([
    ["has no such name", () => join(folder, "log.jsonl", "not", "a\0folder.jsonl")],
    ["is a folder", () => folder],
    ["is in a file", () => join(__filename, "log.jsonl")],
    ["is on a full disk", () => "/dev/full"],
  ])("that %s warns once, and breaks nothing", async (_, fileOf) => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    const sink = jsonlSink(fileOf());
    for (let index = 0; index < 3; index++) {
      await core(REPAIRED, { onToolCall: [sink] });
      await sink.flush();
    }
    expect(warn).toHaveBeenCalledTimes(1);
    expect(String(warn.mock.calls[0]?.[0])).toContain("could not write to its log");
    warn.mockRestore();
  });

  test("has the schema of its calls also if the first could not be written", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    const file = join(folder, "later.jsonl");
    symlinkSync("/dev/full", file);
    const sink = jsonlSink(file);
    await core(REPAIRED, { onToolCall: [sink] });
    await sink.flush();
    rmSync(file);
    writeFileSync(file, '{"v":1,"kind":"ca');
    for (let index = 0; index < 2; index++) {
      await core(REPAIRED, { onToolCall: [sink] });
      await sink.flush();
    }
    const [torn, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
    expect(torn).toBe('{"v":1,"kind":"ca');
    expect(lines.map((line) => JSON.parse(line).kind)).toEqual(["schema", "call", "call"]);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  test("is readable by its owner only, and its name may contain the process id", async () => {
    const sink = jsonlSink(join(folder, "new", "log-%p.jsonl"));
    await core(REPAIRED, { onToolCall: [sink] });
    await sink.flush();
    const [name = ""] = readdirSync(join(folder, "new"));
    expect(name).toBe(`log-${process.pid}.jsonl`);
    expect(statSync(join(folder, "new", name)).mode & 0o777).toBe(0o600);
  });

  describe("with the environment's TOOLMEND_CONTENT", () => {
    afterEach(() => {
      delete process.env.TOOLMEND_CONTENT;
    });

    test("holds as much as that says, unless the option says otherwise", async () => {
      process.env.TOOLMEND_CONTENT = "full";
      expect(JSON.stringify(await log([REPAIRED]))).toContain("secret-value");
      const lines = await log([REFUSED], { content: "none" });
      expect(JSON.stringify(lines.slice(2))).not.toContain("secret-value");
    });

    test("holds nothing from the model where it is no such word, and one warning names those that are", async () => {
      const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
      process.env.TOOLMEND_CONTENT = "Full";
      const lines = await log([REPAIRED, REFUSED]);
      expect(JSON.stringify([...lines, ...(await log([REFUSED]))])).not.toContain("secret");
      const says =
        /^The environment variable TOOLMEND_CONTENT must be "none", "keys" or "full", not "Full"\. Did you mean "full"\?/;
      expect(warn.mock.calls).toEqual([
        [expect.stringMatching(says), { code: "TOOLMEND_CONTENT" }],
      ]);
      warn.mockRestore();
    });

    test.each(["", "none"])(
      "holds nothing from the model, without a warning, at %j",
      async (word) => {
        const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
        process.env.TOOLMEND_CONTENT = word;
        expect(JSON.stringify(await log([REFUSED]))).not.toContain("secret");
        expect(warn).not.toHaveBeenCalled();
        warn.mockRestore();
      },
    );
  });

  test.each([{ content: "all" }, { valid: "none" }])("%j throws", (options) => {
    expect(() => jsonlSink("x", options as never)).toThrow(TypeError);
  });
});
