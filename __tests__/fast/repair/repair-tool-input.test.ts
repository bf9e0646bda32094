import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import {
  applyRepairs,
  createFixerRegistry,
  type Fixer,
  type JsonValue,
  renameKey,
  repairToolCall,
  repairToolInput,
  setDefault,
  type ToolInputError,
  wrapValue,
} from "toolmend";
import { z } from "zod";

const click = {
  name: "click",
  schema: z.object({ selector: z.string(), count: z.int().optional() }),
};
const root = join(__dirname, "../../..");
const strict = createFixerRegistry(undefined, { level: "strict" });

async function refused(...args: Parameters<typeof repairToolInput>): Promise<ToolInputError> {
  const result = await repairToolInput(...args);
  if (result.ok) throw new Error(`must be refused, but gave ${JSON.stringify(result)}`);
  expect(result.repairs).toEqual([]);
  return result.error;
}

function withFixers(...fixers: Fixer[]) {
  const registry = createFixerRegistry(undefined, { level: "strict" });
  registry.register("click", ...fixers);
  return registry;
}

describe("promise 1: a valid input is returned untouched", () => {
  test.each(["strict", "safe", "eager"] as const)("by reference, at %s", async (level) => {
    const input = { selector: "True", extra: null };
    const fixers = withFixers(() => ({ selector: "improved" }));
    const result = await repairToolInput(input, click, { level, fixers });
    if (!result.ok) throw result.error;
    expect(result.toolInput).toBe(input);
    expect(result.repairs).toEqual([]);
    expect(result.parsed).toEqual({ selector: "True" });
  });

  test("text that is JSON is parsed and no more", async () => {
    expect(await repairToolInput('{"selector":"#a"}', click, { fixers: strict })).toEqual({
      ok: true,
      toolInput: { selector: "#a" },
      parsed: { selector: "#a" },
      repairs: [],
      undeclared: [],
    });
  });

  test("a schema that takes a string gets the text as it is", async () => {
    const note = { name: "note", schema: { type: "string" } };
    const text = '{"selector": "#a"';
    expect(await repairToolInput(text, note)).toMatchObject({
      ok: true,
      toolInput: text,
      repairs: [],
    });
  });
});

describe("promise 2: the tool's own schema has the last word", () => {
  const even = {
    name: "click",
    schema: z.object({
      n: z.coerce
        .number()
        .refine(async (n) => n % 2 === 0, "must be even")
        .transform((n) => n / 2),
      unit: z.string().default("px"),
    }),
  };

  test("a fixer's result passes refinements and transforms, and parsed holds their outcome", async () => {
    const fixers = withFixers(renameKey("number", "n"));
    expect(await repairToolInput({ number: 4 }, even, { fixers })).toMatchObject({
      ok: true,
      toolInput: { n: 4 },
      parsed: { n: 2, unit: "px" },
    });
    const error = await refused({ number: 3 }, even, { fixers });
    expect(error.issues).toMatchObject([{ path: "/n" }]);
  });
});

describe("registered fixers", () => {
  test("run in order until one is accepted, and compose", async () => {
    const fixers = withFixers(wrapValue("element"), renameKey("element", "selector"), () => {
      throw new Error("is never asked");
    });
    const result = await repairToolInput("#a", click, { fixers });
    if (!result.ok) throw result.error;
    expect(result.toolInput).toEqual({ selector: "#a" });
    expect(result.repairs.map(({ fixer }) => fixer)).toEqual([
      "wrapValue(element)",
      "renameKey(element → selector)",
    ]);
    expect(applyRepairs("#a", result.repairs)).toEqual(result.toolInput);
  });

  test("a result that is worse than what was there is no step for the next", async () => {
    const seen: JsonValue[] = [];
    const fixers = withFixers(
      () => ({ selector: 1, count: "x" }),
      (input) => {
        seen.push(structuredClone(input));
        return undefined;
      },
    );
    await refused({ selector: 1 }, click, { fixers });
    expect(seen).toEqual([{ selector: 1 }]);
  });

  test("are told of tool, schema, issues, raw text and signal", async () => {
    let context: Parameters<Fixer>[1] | undefined;
    const fixers = withFixers((_, told) => {
      context = told;
      return undefined;
    });
    await refused('{"element":"#a"}', click, { fixers });
    expect(context).toMatchObject({
      toolName: "click",
      tool: click,
      rawToolInput: '{"element":"#a"}',
      truncated: false,
      issues: [{ path: "/selector", expected: "string", received: "nothing" }],
      jsonSchema: { type: "object", required: ["selector"] },
    });
    expect(context?.signal.aborted).toBe(false);
  });

  test("get a copy: the caller's input is not changed", async () => {
    const input = { element: "#a", deep: { list: [1] } };
    const fixers = withFixers((given) => {
      const own = given as typeof input;
      own.deep.list.push(2);
      return { selector: own.element };
    });
    expect((await repairToolInput(input, click, { fixers })).ok).toBe(true);
    expect(input).toEqual({ element: "#a", deep: { list: [1] } });
  });
});

describe("promise 10: a bad fixer costs a repair, never the run", () => {
  const good = renameKey("element", "selector");

  test.each<[string, Fixer, RegExp]>([
    [
      "throws",
      () => {
        throw new Error("boom");
      },
      /badFixer threw/,
    ],
    [
      "rejects",
      async () => {
        throw new Error("boom");
      },
      /badFixer threw/,
    ],
    ["hangs", () => new Promise(() => {}), /took longer than 20 ms/],
    ["returns a function", () => (() => 1) as never, /returned no JSON/],
    ["returns NaN", () => Number.NaN, /returned no JSON/],
    [
      "returns a cycle",
      () => {
        const cycle: Record<string, unknown> = {};
        cycle.self = cycle;
        return cycle as never;
      },
      /nested too deeply/,
    ],
    [
      "returns a polluting key",
      () => JSON.parse('{"selector":"#a","__proto__":{"x":1}}'),
      /forbidden key/,
    ],
  ])("one that %s", async (_, bad, reason) => {
    const limits = { fixerTimeoutMs: 20 };
    Object.defineProperty(bad, "name", { value: "badFixer" });
    const repaired = await repairToolInput({ element: "#a" }, click, {
      fixers: withFixers(bad, good),
      limits,
    });
    expect(repaired).toMatchObject({ ok: true, toolInput: { selector: "#a" } });
    const error = await refused({ other: "#a" }, click, { fixers: withFixers(bad), limits });
    expect(error.message).toMatch(reason);
    expect(error.message).toContain("badFixer");
    expect(error.cause).toBeInstanceOf(Error);
    expect(error.message).not.toContain("boom"); // a stranger's words stay in the cause
  });

  test("all that failed are named", async () => {
    const fail = (name: string) =>
      Object.defineProperty(
        () => {
          throw new Error(name);
        },
        "name",
        { value: name },
      );
    const error = await refused({}, click, { fixers: withFixers(fail("first"), fail("second")) });
    expect(error.cause).toBeInstanceOf(AggregateError);
    expect(error.message).toMatch(/first threw; second threw/);
  });

  test("aborting the run aborts the fixer and the repair", async () => {
    const controller = new AbortController();
    const fixers = withFixers((_, { signal }) => {
      setTimeout(() => controller.abort(new Error("stopped")), 5);
      return new Promise((resolve) => signal.addEventListener("abort", () => resolve(undefined)));
    });
    const { signal } = controller;
    await expect(repairToolInput({}, click, { fixers, signal })).rejects.toThrow("stopped");
  });
});

describe("promise 5: truncated text is refused", () => {
  test.each(["strict", "safe", "eager"] as const)("cut inside a value, at %s", async (level) => {
    const fixers = withFixers(wrapValue("selector"));
    const error = await refused('{"selector": "#bu', click, { level, fixers });
    expect(error.issues).toMatchObject([{ code: "truncated" }]);
  });

  test("with only closing brackets missing: at eager alone, and only when all is there", async () => {
    for (const level of ["strict", "safe"] as const) {
      expect((await refused('{"selector": "#buy"', click, { level })).issues[0]?.code).toBe(
        "truncated",
      );
    }
    const result = await repairToolInput('{"selector": "#buy"', click, { level: "eager" });
    expect(result).toMatchObject({ ok: true, toolInput: { selector: "#buy" } });
    expect(result.repairs).toMatchObject([{ fixer: "close-brackets", level: "eager" }]);
    const truncated = true;
    await refused('{"selector": "#buy"', click, { level: "eager", truncated });
  });

  test("known to be cut off: nothing counts but text that is complete JSON", async () => {
    const truncated = true;
    await refused({ selector: "#buy" }, click, { truncated });
    await refused("{selector: '#buy'}", click, { truncated });
    await refused("", { name: "now", schema: z.object({}) }, { truncated });
    const complete = await repairToolInput('{"selector":"#buy"}', click, { truncated });
    expect(complete.ok).toBe(true);
  });
});

describe("no arguments at all", () => {
  const now = { name: "now", schema: z.object({ zone: z.string().optional() }) };

  test.each(["", "  ", undefined, null])("%j is {} for a tool that needs none", async (raw) => {
    const result = await repairToolInput(raw, now);
    expect(result).toMatchObject({ ok: true, toolInput: {}, repairs: [{ fixer: "no-arguments" }] });
    await refused(raw, click);
    await refused(raw, now, { level: "strict" });
  });
});

describe("text for nothing", () => {
  const optional = { name: "now", schema: z.object({ zones: z.array(z.string()).optional() }) };
  const without = [
    { name: "ping", schema: z.strictObject({}) },
    { name: "ping", schema: z.object({}) },
    { name: "ping", schema: { type: "object", properties: {} } },
    { name: "ping", schema: { type: "object", properties: {}, additionalProperties: false } },
  ];

  test.each(["null", '""', " null ", "[]", "None", "undefined", "n/a", "()"])(
    "%s is {} for a tool without arguments",
    async (text) => {
      for (const tool of without) {
        const result = await repairToolInput(text, tool);
        expect(result).toMatchObject({ toolInput: {}, repairs: [{ path: "", after: {} }] });
        await refused(text, tool, { level: "strict" });
      }
      await refused(text, click);
    },
  );

  test.each(["null", '""'])("%s is {} for a tool whose arguments are optional", async (text) => {
    expect(await repairToolInput(text, optional)).toMatchObject({ toolInput: {} });
  });

  test.each(["now", "5", "[1]", "false", '"x"', '["x"]', "I'm sorry, I can't."])(
    "%s is something, and refused",
    async (text) => {
      for (const tool of without) await refused(text, tool);
    },
  );

  test("of undeclared keys, an empty list and a word are given to none", async () => {
    const map = {
      name: "tag",
      schema: { type: "object", additionalProperties: { type: "string" } },
    };
    await refused("[]", map);
    await refused("[]", { name: "now", schema: z.object({ zone: z.string().optional() }) });
  });
});

test.each([
  '{"selector": 1/6}',
  '{"selector": NaN}',
  'Do not run this: {"selector": "#delete"} It is dangerous.',
])("JSON that could not be taken is for fixers alone: %s", async (text) => {
  await refused(text, click, { level: "eager" });
  const fixers = withFixers((input) => (input === text ? { selector: "#known" } : undefined));
  expect(await repairToolInput(text, click, { fixers })).toMatchObject({
    toolInput: { selector: "#known" },
  });
});

test.each(["strict", "safe", "eager"] as const)(
  "text that was cut off is no bare value behind a prefix either, at %s",
  async (level) => {
    for (const text of ['click({"selector": "#bu', 'Here: {"selector": "#bu']) {
      const fixers = withFixers(wrapValue("selector"));
      const error = await refused(text, click, { level, fixers });
      expect(error.issues).toMatchObject([{ code: "truncated" }]);
    }
  },
);

test("several values, one after another: which one was meant is not known", async () => {
  const error = await refused('{"selector":"#a"}{"selector":"#b"}', click, { level: "eager" });
  expect(error.issues).toMatchObject([{ code: "several_values" }]);
});

test("JSON syntax faults are repaired from safe on, and recorded", async () => {
  const text = "{selector: '#a',}";
  await refused(text, click, { level: "strict" });
  const result = await repairToolInput(text, click);
  expect(result).toMatchObject({ ok: true, toolInput: { selector: "#a" } });
  expect(result.repairs).toMatchObject([
    { fixer: "json-syntax", path: "", before: text, level: "safe" },
  ]);
});

const lookUp = {
  name: "look_up",
  schema: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
};

test("a string that holds the whole input, where a parsed value is given, is a recorded repair", async () => {
  const text = '{"selector":"#a"}';
  const result = await repairToolInput(text, click, { fixers: strict, parsed: true });
  if (!result.ok) throw result.error;
  expect(result.repairs).toMatchObject([{ fixer: "parse-json", before: text, level: "strict" }]);
  expect(applyRepairs(text, result.repairs)).toEqual(result.toolInput);
  const scalar = await repairToolInput("5", lookUp, { parsed: true });
  expect(scalar).toMatchObject({ toolInput: { word: "5" }, repairs: [{ before: "5" }] });
});

test.each(["1.0", "1e3", "00713", "12345678901234567890"])(
  "no digit of a bare %s is lost",
  async (text) => {
    expect(await repairToolInput(text, lookUp)).toMatchObject({ toolInput: { word: text } });
  },
);

test("a bare text is no input of a tool call, but a JSON string is", async () => {
  const call = (args: string) => repairToolCall({ name: "click", args }, [click]);
  expect(await repairToolInput("#buy", click)).toMatchObject({ toolInput: { selector: "#buy" } });
  expect(await call("#buy")).toMatchObject({ ok: false });
  expect(await call('"#buy"')).toMatchObject({ ok: true, toolInput: { selector: "#buy" } });
});

describe("promise 8: limits", () => {
  test("an input over a limit is refused, and told which", async () => {
    const long = { element: "x".repeat(100) };
    const limits = { maxLength: 50, maxDepth: 3 };
    expect((await refused(long, click, { limits })).message).toContain("limits.maxLength");
    expect((await refused(JSON.stringify(long), click, { limits })).message).toContain(
      "limits.maxLength",
    );
    const deep = { a: { b: { c: { d: 1 } } } };
    const limit = { name: "maxDepth", value: 3 };
    expect(await refused(deep, click, { limits })).toMatchObject({ reason: "limit", limit });
    expect((await refused(deep, click, { limits })).message).toContain("nested too deeply");
    expect((await refused(JSON.stringify(deep), click, { limits })).message).toContain(
      "nested too deeply",
    );
  });

  test("nesting beyond the stack is refused, not thrown", async () => {
    const text = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    await refused(text, click);
    await refused(JSON.parse(text), click);
  });
});

describe("promise 9: no prototype pollution", () => {
  test.each([
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    "{__proto__: {polluted: 1}}",
  ])("%s", async (text) => {
    for (const level of ["strict", "safe", "eager"] as const) await refused(text, click, { level });
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});

test("promise 7: repairing a repaired input changes nothing", async () => {
  const fixers = withFixers(renameKey("element", "selector"), setDefault("/count", 1));
  const first = await repairToolInput({ element: "#a" }, click, { fixers });
  if (!first.ok) throw first.error;
  const second = await repairToolInput(first.toolInput, click, { fixers });
  expect(second).toMatchObject({ ok: true, repairs: [] });
});

test("a handler's error carries action and tool call", async () => {
  const action = { tool: "click", toolInput: {}, log: "" };
  const toolCall = { name: "click", args: {}, id: "1" };
  expect(await refused({}, click, { action, toolCall })).toMatchObject({ action, toolCall });
});

describe("handlers and watchers", () => {
  test("an onRepair that rejects does not end the process", async () => {
    const rejected: unknown[] = [];
    const listen = (reason: unknown) => void rejected.push(reason);
    process.on("unhandledRejection", listen);
    const onRepair = async () => {
      throw new Error("metrics down");
    };
    const fixers = withFixers(wrapValue("selector"));
    expect((await repairToolInput("#a", click, { fixers, onRepair })).ok).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", listen);
    expect(rejected).toEqual([]);
  });

  test("a fixer that hangs is given up though the process has nothing else to do", () => {
    const script = `
      import { createFixerRegistry, repairToolInput } from "toolmend";
      const fixers = createFixerRegistry();
      fixers.register("t", () => new Promise(() => {}));
      const tool = { name: "t", schema: { type: "object", required: ["a"] } };
      const result = await repairToolInput({}, tool, { fixers, limits: { fixerTimeoutMs: 50 } });
      console.log(result.ok, result.error.cause.message);`;
    const folder = mkdtempSync(join(root, "node_modules", ".hanging-fixer-"));
    try {
      const file = join(folder, "hanging-fixer.ts");
      writeFileSync(file, script);
      const runner = join(root, "scripts", "run-ts.mjs");
      const printed = execFileSync("node", [runner, file], { encoding: "utf8" });
      expect(printed.trim()).toBe("false fixer 1 took longer than 50 ms");
    } finally {
      rmSync(folder, { recursive: true });
    }
  }, 30_000);
});

describe("a schema of whose shape nothing is known", () => {
  const any = { name: "any", schema: z.any() };
  const text = {
    name: "text",
    schema: {
      "~standard": {
        version: 1,
        vendor: "test",
        validate: (value: unknown) =>
          typeof value === "string" ? { value } : { issues: [{ message: "must be text" }] },
      },
    },
  };

  test("is asked about the text itself where the parsed value is refused", async () => {
    for (const raw of ["5", "true", '{"a":1}']) {
      expect(await repairToolInput(raw, text)).toMatchObject({ toolInput: raw, repairs: [] });
    }
  });

  test("keeps a string that was one", async () => {
    const raw = '{"a":1}';
    expect(await repairToolInput(raw, any, { parsed: true })).toMatchObject({ toolInput: raw });
    expect(await repairToolInput(raw, any)).toMatchObject({ toolInput: { a: 1 } });
  });
});

describe("what a refusal says", () => {
  test("which key holds what belongs elsewhere, and which keys there are", async () => {
    const error = await refused({ elem: "#a", count: 1 }, click);
    expect(error.toModelMessage()).toContain('the input has: "elem", "count"');
    expect(error.issues[0]?.didYouMean ?? "").not.toBe('"#a"');
  });

  test("that nothing was given", async () => {
    const error = await refused(undefined, click);
    expect(error.issues).toMatchObject([
      { message: "no arguments were given", received: "nothing" },
    ]);
    expect(error.toModelMessage()).toContain(
      "expected object { selector: string, count?: integer }",
    );
  });
});

test("a level that there is not is refused, wherever it is given", async () => {
  const level = "stict" as "strict";
  const said = /must be "strict", "safe" or "eager", not "stict"\. Did you mean "strict"\?/;
  expect(() => createFixerRegistry(undefined, { level })).toThrow(said);
  expect(() => createFixerRegistry().register("click", { level })).toThrow(said);
  await expect(repairToolInput({}, click, { level })).rejects.toThrow(said);
});

test("what a fixer fills in is not shared between calls", async () => {
  const tagged = { name: "click", schema: { type: "object", required: ["tags"] } };
  const fixers = withFixers(setDefault("/tags", ["base"]));
  const first = await repairToolInput({}, tagged, { fixers });
  (first as unknown as { toolInput: { tags: string[] } }).toolInput.tags.push("mine");
  expect(await repairToolInput({}, tagged, { fixers })).toMatchObject({
    toolInput: { tags: ["base"] },
  });
});

test("an aborted signal ends the repair, fixers or not", async () => {
  const signal = AbortSignal.abort(new Error("stopped"));
  await expect(repairToolInput({}, click, { signal })).rejects.toThrow("stopped");
});
