import { afterAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { tool } from "@langchain/core/tools";
import { createFixerRegistry, repairToolInput, wrapTool } from "toolmend";
import { z } from "zod";
import type { Fixer, JsonValue } from "#src/repair/types.ts";

const limits = { fixerTimeoutMs: 100 };

/** A tool that records its inputs, behind a handler for what cannot be repaired. */
function recorded(schema: z.ZodObject, answer: unknown) {
  const ran: unknown[] = [];
  const note = tool(
    async (input) => {
      ran.push(input);
      return "done";
    },
    { name: "run_step", schema },
  );
  const options = { onUnfixable: () => answer as JsonValue, limits };
  const wrapped = wrapTool(note, { fixers: createFixerRegistry([note]), ...options });
  return { ran, run: (input: unknown) => wrapped.invoke(input as never).then(String, String) };
}

describe("what a handler returns", () => {
  test.each([
    ["a number", 7],
    ["true", true],
    ["false", false],
    ["zero", 0],
    ["an empty list", []],
    ["a list of one", ["a"]],
    ["a symbol", Symbol("a")],
    ["a function", () => ({ text: "a" })],
  ])("%s does not run a tool that expects text", async (_, answer) => {
    const { ran, run } = recorded(z.object({ text: z.string() }), answer);
    await run({ other: {} });
    expect(ran).toEqual([]);
  });

  test("a number does not run a tool that expects a number", async () => {
    const { ran, run } = recorded(z.object({ count: z.number() }), 3);
    await run({ other: {} });
    expect(ran).toEqual([]);
  });

  test("an object is validated and run", async () => {
    const { ran, run } = recorded(z.object({ text: z.string() }), { text: "a" });
    await run({ other: {} });
    expect(ran).toEqual([{ text: "a" }]);
  });
});

describe("JSON that a handler returns as text", () => {
  const emit = jest.spyOn(process, "emitWarning");
  beforeEach(() => void emit.mockReset().mockImplementation(() => undefined));
  afterAll(() => emit.mockRestore());

  test("is the observation, and a warning says once that an object would run the tool", async () => {
    const { ran, run } = recorded(z.object({ text: z.string() }), '{"text": "a"}');
    expect(await run({ other: {} })).toContain('{"text": "a"}');
    await run({ other: {} });
    expect(ran).toEqual([]);
    expect(emit.mock.calls).toEqual([
      [expect.stringMatching(/for "run_step".*return the object to run it/), WARNED],
    ]);
  });

  test.each(["look first", '{"hint": "text is missing"}', "[1]", '"a"'])(
    "is not warned of if the tool would not run with it: %s",
    async (answer) => {
      await recorded(z.strictObject({ text: z.string() }), answer).run({ other: {} });
      expect(emit).not.toHaveBeenCalled();
    },
  );
});

const WARNED = { code: "TOOLMEND_INPUT_AS_TEXT" };

const search = { name: "run_step", schema: z.object({ query: z.string() }) };

function withFixer(fixer: Fixer, raw: unknown = { term: 1 }) {
  const fixers = createFixerRegistry();
  fixers.register("run_step", fixer);
  return repairToolInput(raw, search, { fixers, limits });
}

describe("a fixer that misbehaves costs a repair, never the run", () => {
  test.each<[string, Fixer]>([
    ["never settles", () => new Promise(() => {})],
    // biome-ignore lint/suspicious/noThenProperty: a thenable that never resolves is the hazard
    ["returns a thenable that never settles", () => ({ then: () => {} }) as never],
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["rejects with nothing", () => Promise.reject()],
    ["returns a number that is none", () => Number.NaN],
    ["returns a date", () => new Date(0) as never],
    ["returns a map", () => new Map([["query", "a"]]) as never],
    ["returns a function", () => (() => "a") as never],
    ["returns fifty million characters", () => ({ query: "x".repeat(50_000_000) })],
    ["returns what is too deep", () => JSON.parse(`${'{"a":'.repeat(100)}1${"}".repeat(100)}`)],
  ])(
    "one that %s",
    async (_, fixer) => {
      expect((await withFixer(fixer)).ok).toBe(false);
    },
    20_000,
  );

  test("a thenable that resolves is awaited", async () => {
    // biome-ignore lint/suspicious/noThenProperty: libraries return such thenables
    const later = { then: (done: (value: JsonValue) => void) => done({ query: "a" }) };
    expect(await withFixer(() => later as never)).toMatchObject({ toolInput: { query: "a" } });
  });

  test("mutating its context changes nothing else", async () => {
    const schema = {
      type: "object",
      properties: { query: { type: "string" } },
      required: ["query"],
    };
    const fixers = createFixerRegistry();
    fixers.register("run_step", (_, context) => {
      const {
        issues,
        jsonSchema,
        rawToolInput: raw,
      } = context as never as {
        issues: unknown[];
        jsonSchema: { required: string[] };
        rawToolInput: { term: number };
      };
      for (const change of [
        () => {
          issues.length = 0;
        },
        () => {
          jsonSchema.required.length = 0;
        },
        () => {
          raw.term = 2;
        },
      ]) {
        try {
          change();
        } catch {}
      }
      return undefined;
    });
    const tool = { name: "run_step", schema };
    const result = await repairToolInput({ term: 1 }, tool, { fixers });
    expect(!result.ok && result.error.issues.length).toBeGreaterThan(0);
    expect(!result.ok && result.error.causingData).toEqual({ term: 1 });
    expect(schema.required).toEqual(["query"]);
    expect((await repairToolInput({ term: 1 }, tool)).ok).toBe(false);
  });

  test("mutating its result later changes nothing", async () => {
    const held: { query: JsonValue } = { query: "a" };
    const result = await withFixer(() => held);
    held.query = 5;
    expect(result.ok && result.toolInput).toEqual({ query: "a" });
  });

  test("a thousand that fail do not make an endless message", async () => {
    const fixers = createFixerRegistry();
    for (let count = 0; count < 1_000; count++) {
      fixers.register("run_step", function failing() {
        throw new Error("no");
      });
    }
    const result = await repairToolInput({ term: 1 }, search, { fixers, limits });
    expect(!result.ok && result.error.message.length).toBeLessThan(4_000);
  });
});
