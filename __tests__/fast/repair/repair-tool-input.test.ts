import { describe, expect, jest, test } from "@jest/globals";
import {
  createFixerRegistry,
  type Fixer,
  type JsonValue,
  repairToolCall,
  repairToolInput,
  type ToolInputError,
} from "toolmend";
import { renameKey, wrapValue } from "toolmend/fixers";
import { z } from "zod";
import { applyRepairs } from "../../support/repair/apply-repairs.ts";

const click = {
  name: "click",
  schema: z.object({ selector: z.string(), count: z.int().optional() }),
};
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

  test("JSON text is only parsed", async () => {
    expect(await repairToolInput('{"selector":"#a"}', click, { fixers: strict })).toEqual({
      ok: true,
      changed: false,
      toolInput: { selector: "#a" },
      parsed: { selector: "#a" },
      repairs: [],
      undeclared: [],
    });
  });

  test("a schema that accepts a string receives the text unchanged", async () => {
    const note = { name: "note", schema: { type: "string" } };
    const text = '{"selector": "#a"';
    expect(await repairToolInput(text, note)).toMatchObject({
      ok: true,
      toolInput: text,
      repairs: [],
    });
  });
});

describe("promise 2: the tool's own schema decides", () => {
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

  test("a fixer's result passes refinements and transforms, and parsed is their output", async () => {
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
  test("run in order until one result is accepted, and compose", async () => {
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

  test("do not build on a result that is worse than its input", async () => {
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

  test("receive tool, schema, issues, raw text and signal", async () => {
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

  test("receive a copy: the caller's input is not changed", async () => {
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
    expect(error.message).not.toContain("boom"); // The fixer's own words stay in the cause.
  });

  test("the process is warned of it once, without the input or the fixer's words", async () => {
    const emit = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const fixers = withFixers(renameKey as unknown as Fixer, good);
    const repaired = [];
    for (const element of ["#a", "#b"])
      repaired.push(await repairToolInput({ element }, click, { fixers }));
    expect(repaired).toMatchObject([{ ok: true }, { ok: true }]);
    expect(emit.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^The fixer renameKey of "click" threw, or returned no JSON. Is it called/,
        ),
        { code: "TOOLMEND_FIXER_FAILED" },
      ],
    ]);
    emit.mockRestore();
  });

  test("every failed fixer is named", async () => {
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

describe("promise 5: truncated text is rejected", () => {
  test.each(["strict", "safe", "eager"] as const)("cut inside a value, at %s", async (level) => {
    const fixers = withFixers(wrapValue("selector"));
    const error = await refused('{"selector": "#bu', click, { level, fixers });
    expect(error.issues).toMatchObject([{ code: "cut_off" }]);
  });

  test("only missing closing brackets are added, at eager, if nothing else is missing", async () => {
    for (const level of ["strict", "safe"] as const) {
      expect((await refused('{"selector": "#buy"', click, { level })).issues[0]?.code).toBe(
        "cut_off",
      );
    }
    const result = await repairToolInput('{"selector": "#buy"', click, { level: "eager" });
    expect(result).toMatchObject({ ok: true, toolInput: { selector: "#buy" } });
    expect(result.repairs).toMatchObject([{ fixer: "close-brackets", level: "eager" }]);
    const truncated = true;
    await refused('{"selector": "#buy"', click, { level: "eager", truncated });
  });

  test("a key that the tool would ignore keeps a text from being completed", async () => {
    const error = await refused('{"selector": "#buy", "dry_run": true', click, { level: "eager" });
    expect(error.issues).toMatchObject([{ path: "/dry_run" }]);
  });

  test("if the provider says it was cut off, only complete JSON passes", async () => {
    const truncated = true;
    await refused({ selector: "#buy" }, click, { truncated });
    await refused("{selector: '#buy'}", click, { truncated });
    await refused("", { name: "now", schema: z.object({}) }, { truncated });
    const complete = await repairToolInput('{"selector":"#buy"}', click, { truncated });
    expect(complete.ok).toBe(true);
  });
});

describe("empty arguments", () => {
  const now = { name: "now", schema: z.object({ zone: z.string().optional() }) };

  test.each(["", "  ", undefined, null])("%j is {} for a tool that needs none", async (raw) => {
    const result = await repairToolInput(raw, now);
    expect(result).toMatchObject({ ok: true, toolInput: {}, repairs: [{ fixer: "no-arguments" }] });
    await refused(raw, click);
    await refused(raw, now, { level: "strict" });
  });
});

describe("text for empty arguments", () => {
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
    "%s has content, and is rejected",
    async (text) => {
      for (const tool of without) await refused(text, tool);
    },
  );

  test("an empty list is no argument, for a tool that needs none", async () => {
    const map = {
      name: "tag",
      schema: { type: "object", additionalProperties: { type: "string" } },
    };
    expect(await repairToolInput("[]", map)).toMatchObject({ toolInput: {} });
    const now = { name: "now", schema: z.object({ zone: z.string().optional() }) };
    expect(await repairToolInput("[]", now)).toMatchObject({ toolInput: {} });
    await refused("[]", { name: "now", schema: z.object({ zone: z.string() }) });
  });
});

test.each([
  '{"selector": 1/6}',
  '{"selector": NaN}',
  'Do not run this: {"selector": "#delete"} It is dangerous.',
])("broken JSON goes to fixers only: %s", async (text) => {
  await refused(text, click, { level: "eager" });
  const fixers = withFixers((input) => (input === text ? { selector: "#known" } : undefined));
  expect(await repairToolInput(text, click, { fixers })).toMatchObject({
    toolInput: { selector: "#known" },
  });
});

test.each(["strict", "safe", "eager"] as const)(
  "text that was cut off is not a bare value after a prefix, at %s",
  async (level) => {
    for (const text of ['click({"selector": "#bu', 'Here: {"selector": "#bu']) {
      const fixers = withFixers(wrapValue("selector"));
      const error = await refused(text, click, { level, fixers });
      expect(error.issues).toMatchObject([{ code: "cut_off" }]);
    }
  },
);

test("several values in a row are ambiguous", async () => {
  const error = await refused('{"selector":"#a"}{"selector":"#b"}', click, { level: "eager" });
  expect(error.issues).toMatchObject([{ code: "several" }]);
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

test("a string that holds the whole input, given as a parsed value, is a recorded repair", async () => {
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

test("bare text is not a tool call's input, but a JSON string is", async () => {
  const call = (args: string) => repairToolCall({ name: "click", args }, [click]);
  expect(await repairToolInput("#buy", click)).toMatchObject({ toolInput: { selector: "#buy" } });
  expect(await call("#buy")).toMatchObject({ ok: false });
  expect(await call('"#buy"')).toMatchObject({ ok: true, toolInput: { selector: "#buy" } });
});

describe("promise 8: limits", () => {
  test("an input over a limit is rejected, and the error names the limit", async () => {
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

  test("nesting beyond the stack is rejected, not thrown", async () => {
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
  const fixers = withFixers(
    renameKey("element", "selector"),
    (input) => ({ count: 1, ...(input as object) }) as never,
  );
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

describe("handlers and listeners", () => {
  test("a rejected onToolCall does not end the process", async () => {
    const rejected: unknown[] = [];
    const listen = (reason: unknown) => void rejected.push(reason);
    process.on("unhandledRejection", listen);
    const onToolCall = async () => {
      throw new Error("metrics down");
    };
    const fixers = withFixers(wrapValue("selector"));
    expect((await repairToolInput("#a", click, { fixers, onToolCall })).ok).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("unhandledRejection", listen);
    expect(rejected).toEqual([]);
  });
});

describe("a schema of unknown shape", () => {
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

  test("validates the text itself if it rejects the parsed value", async () => {
    for (const raw of ["5", "true", '{"a":1}']) {
      expect(await repairToolInput(raw, text)).toMatchObject({ toolInput: raw, repairs: [] });
    }
  });

  test("keeps a string value a string", async () => {
    const raw = '{"a":1}';
    expect(await repairToolInput(raw, any, { parsed: true })).toMatchObject({ toolInput: raw });
    expect(await repairToolInput(raw, any)).toMatchObject({ toolInput: { a: 1 } });
  });
});

describe("the message of a rejection", () => {
  test("names the key of a misplaced value, and the declared keys", async () => {
    const error = await refused({ elem: "#a", count: 1 }, click);
    expect(error.toModelMessage()).toContain('the input has: "elem", "count"');
    expect(error.issues[0]?.didYouMean ?? "").not.toBe('"#a"');
  });

  test("says that nothing was given", async () => {
    const error = await refused(undefined, click);
    expect(error.issues).toMatchObject([
      { message: "no arguments were given", received: "nothing" },
    ]);
    expect(error.toModelMessage()).toContain(
      "expected object { selector: string, count?: integer }",
    );
  });
});

test("an unknown level throws, wherever it is given", async () => {
  const level = "stict" as "strict";
  const said = /must be "strict", "safe", "eager" or "auto", not "stict"\. Did you mean "strict"\?/;
  expect(() => createFixerRegistry(undefined, { level })).toThrow(said);
  expect(() => createFixerRegistry().register("click", { level })).toThrow(said);
  await expect(repairToolInput({}, click, { level })).rejects.toThrow(said);
});

test("a value that a fixer fills in is not shared between calls", async () => {
  const tagged = { name: "click", schema: { type: "object", required: ["tags"] } };
  const base = ["base"];
  const fixers = withFixers(() => ({ tags: base }));
  const first = await repairToolInput({}, tagged, { fixers });
  (first as unknown as { toolInput: { tags: string[] } }).toolInput.tags.push("mine");
  expect(await repairToolInput({}, tagged, { fixers })).toMatchObject({
    toolInput: { tags: ["base"] },
  });
});

test("an aborted signal ends the repair, with or without fixers", async () => {
  const signal = AbortSignal.abort(new Error("stopped"));
  await expect(repairToolInput({}, click, { signal })).rejects.toThrow("stopped");
});

test.each([{ selector: "#a" }, '{"selector": "#a"}', "garbage"])(
  "an aborted signal ends even the check of %j",
  async (raw) => {
    const signal = AbortSignal.abort(new Error("stopped"));
    await expect(repairToolInput(raw, click, { signal })).rejects.toThrow("stopped");
  },
);

test("aborting ends the wait for a refinement that hangs", async () => {
  const controller = new AbortController();
  const hangs = () => new Promise<boolean>(() => {});
  const tool = { name: "click", schema: z.object({ selector: z.string().refine(hangs) }) };
  const waiting = repairToolInput({ selector: "#a" }, tool, { signal: controller.signal });
  controller.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
});
