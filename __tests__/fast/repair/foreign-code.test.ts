import { describe, expect, test } from "@jest/globals";
import { tool } from "@langchain/core/tools";
import { createFixerRegistry, type Fixer, repairToolInput, wrapTool } from "toolmend";
import { z } from "zod";
import type { RepairLimits } from "#src/repair/types.ts";

const click = { name: "click", schema: z.object({ selector: z.string() }) };

function repair(fixers: readonly Fixer[], limits: Partial<RepairLimits> = {}) {
  const registry = createFixerRegistry();
  registry.register("click", ...fixers);
  return repairToolInput({ a: 1 }, click, { fixers: registry, limits });
}

/** A promise of another library: it has a `then`, and is not a Promise. */
function thenable(run?: (resolve: (value: unknown) => void) => void): never {
  // biome-ignore lint/suspicious/noThenProperty: that is what is tested
  return { then: (resolve: (value: unknown) => void) => run?.(resolve) } as never;
}

async function errorOf(work: ReturnType<typeof repair>) {
  const result = await work;
  if (result.ok) throw new Error("it was repaired");
  return result.error;
}

describe("a fixer", () => {
  test("that returns a thenable is awaited", async () => {
    const fixer = () => thenable((resolve) => resolve({ selector: "#a" }));
    expect(await repair([fixer])).toMatchObject({ ok: true, toolInput: { selector: "#a" } });
  });

  test("that returns a thenable that never resolves is abandoned", async () => {
    const error = await errorOf(repair([() => thenable()], { fixerTimeoutMs: 20 }));
    expect(error.message).toContain("fixer 1 took longer than 20 ms");
  });

  test("without a time limit may take its time", async () => {
    const fixer = () =>
      new Promise<{ selector: string }>((done) => setTimeout(() => done({ selector: "#a" }), 30));
    expect(await repair([fixer], { fixerTimeoutMs: 0 })).toMatchObject({ ok: true });
  });

  test("cannot change the input of the next fixer, the error or the tool's schema", async () => {
    const jsonSchema = {
      type: "object",
      properties: { selector: { type: "string" } },
      required: ["selector"],
    };
    const raw = { a: { b: 1 } };
    const vandal: Fixer = (_, context) => {
      (context.issues as unknown[]).length = 0;
      (context.jsonSchema as unknown as typeof jsonSchema).required.length = 0;
      (context.rawToolInput as typeof raw).a.b = 2;
      return undefined;
    };
    const fixers = createFixerRegistry();
    fixers.register("click", vandal);
    const result = await repairToolInput(raw, { name: "click", schema: jsonSchema }, { fixers });
    expect(result).toMatchObject({ ok: false, error: { causingData: { a: { b: 1 } } } });
    expect(!result.ok && result.error.issues.length).toBeGreaterThan(0);
    expect(jsonSchema.required).toEqual(["selector"]);
  });

  test("cannot change its result after validation", async () => {
    const kept = { selector: "#a" };
    const result = await repair([() => kept]);
    kept.selector = "#evil";
    expect(result).toMatchObject({ ok: true, toolInput: { selector: "#a" } });
  });

  test.each<[string, () => unknown]>([
    ["a Proxy", () => new Proxy({ selector: "#a" }, {})],
    [
      "a Proxy that throws",
      () =>
        new Proxy(
          {},
          {
            ownKeys() {
              throw new Error("secret");
            },
          },
        ),
    ],
    [
      "a getter that throws",
      () =>
        Object.defineProperty({}, "selector", {
          enumerable: true,
          get() {
            throw new Error("secret");
          },
        }),
    ],
    [
      "a cycle",
      () => {
        const cycle: Record<string, unknown> = { selector: "#a" };
        cycle.self = cycle;
        return cycle;
      },
    ],
    [
      "a class instance",
      () =>
        new (class Input {
          selector = "#a";
        })(),
    ],
    ["a function", () => () => "#a"],
    ["fifty million characters", () => ({ selector: "x".repeat(5_000_000) })],
    [
      "a thousand levels",
      () => {
        let deep: unknown = 1;
        for (let i = 0; i < 1_000; i++) deep = { deep };
        return deep;
      },
    ],
  ])("that returns %s is skipped and named", async (_, make) => {
    const error = await errorOf(repair([make as Fixer]));
    expect(error.message).toMatch(/fixer 1|make/);
    expect(error.toModelMessage()).not.toMatch(/secret|fixer/);
  });

  test.each<[string, unknown]>([
    ["a Map", new Map()],
    ["NaN", Number.NaN],
    ["a BigInt", 1n],
    ["a forbidden key", JSON.parse('{"__proto__": {"admin": true}}')],
    ["a text over the limit", "x".repeat(2_000_000)],
  ])("whose getter returns %s when it is copied is skipped", async (_, later) => {
    let reads = 0;
    const selector = { selector: "#a" };
    const fixer = () => {
      reads = 0;
      return Object.defineProperty({ ...selector }, "more", {
        enumerable: true,
        get: () => (reads++ === 0 ? 1 : later),
      });
    };
    const tool = { name: "click", schema: z.looseObject({ selector: z.string() }) };
    const result = await repairToolInput({ a: 1 }, tool, { fixers: { click: [fixer as Fixer] } });
    expect(result.ok).toBe(false);
  });

  test("whose list has keys, too, runs with the list alone", async () => {
    const fixer = () => ({ list: Object.assign(["#a"], { extra: new Map() }), zero: -0 });
    const tool = { name: "click", schema: z.object({ list: z.array(z.string()), zero: z.int() }) };
    const result = await repairToolInput({ a: 1 }, tool, { fixers: { click: [fixer as Fixer] } });
    expect(result.ok && Object.keys(result.toolInput.list)).toEqual(["0"]);
    expect(result.ok && result.repairs[0]?.after).toEqual({ list: ["#a"], zero: 0 });
  });

  test("that throws what cannot be looked at is skipped, and so is a schema's verdict", async () => {
    const throwRevoked = () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      throw proxy;
    };
    expect((await errorOf(repair([throwRevoked]))).message).toContain("throwRevoked threw");
    const schema = z.object({ selector: z.string().refine(throwRevoked) });
    const result = await repairToolInput({ selector: "#a" }, { name: "click", schema });
    expect(result).toMatchObject({ ok: false, error: { reason: "schema_threw" } });
  });

  test("among a thousand that fail does not fill the message", async () => {
    const failing = Array.from({ length: 1_000 }, () => () => {
      throw new Error("no");
    });
    const error = await errorOf(repair(failing));
    expect(error.message.length).toBeLessThan(1_500);
    expect(error.message).toContain("and 995 more");
  });

  test("puts its failure in the error's cause, and shows none of it to the model", async () => {
    const failing: Fixer = function lookUp() {
      throw new Error("password hunter2 was refused");
    };
    const error = await errorOf(repair([failing]));
    expect(error.message).toContain("lookUp threw");
    expect(error.message).not.toContain("hunter2");
    expect(error.toModelMessage()).not.toMatch(/hunter2|lookUp/);
    expect(((error.cause as Error).cause as Error).message).toContain("hunter2");
  });
});

describe("arguments", () => {
  test.each<[string, unknown]>([
    [
      "with a getter that throws",
      Object.defineProperty({}, "selector", {
        enumerable: true,
        get() {
          throw new Error("x");
        },
      }),
    ],
    [
      "that are a Proxy which throws",
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error("x");
          },
        },
      ),
    ],
    [
      "that hold themselves",
      (() => {
        const cycle: Record<string, unknown> = {};
        cycle.self = cycle;
        return cycle;
      })(),
    ],
  ])("%s are rejected, not thrown", async (_, raw) => {
    for (const level of ["strict", "safe", "eager"] as const) {
      expect(await repairToolInput(raw, click, { level })).toMatchObject({ ok: false });
    }
  });
});

describe("onUnfixable", () => {
  function clicking(onUnfixable: (error: Error) => unknown, limits: Partial<RepairLimits> = {}) {
    const ran: unknown[] = [];
    const bare = tool(
      async (input: unknown) => {
        ran.push(input);
        return "ran";
      },
      {
        name: "click",
        description: "Clicks",
        schema: z.object({ selector: z.string() }),
      },
    );
    const wrapped = wrapTool(bare, {
      fixers: createFixerRegistry(),
      onUnfixable: onUnfixable as never,
      limits,
    });
    return { ran, invoke: () => wrapped.invoke({ a: 1, b: 2 } as never) };
  }

  test.each<[string, () => unknown]>([
    [
      "the new length of a list",
      (() => {
        const errors: unknown[] = [];
        return () => errors.push(1);
      })(),
    ],
    ["a number", () => 2],
    ["true", () => true],
    ["false", () => false],
    ["an array", () => ["#a"]],
    ["a function", () => () => "#a"],
    ["a Proxy", () => new Proxy({ selector: "#a" }, {})],
  ])("that returns %s runs nothing, and the error says so", async (_, answer) => {
    const { ran, invoke } = clicking(answer);
    await expect(invoke()).rejects.toMatchObject({
      reason: "bad_correction",
      message: expect.stringContaining("onUnfixable returned"),
    });
    expect(ran).toEqual([]);
  });

  test("that returns an object runs the tool with a copy of it", async () => {
    const answer = { selector: "#a" };
    const { ran, invoke } = clicking(() => answer);
    expect(await invoke()).toBe("ran");
    expect(ran).toEqual([{ selector: "#a" }]);
  });

  test("that never answers is abandoned after the time limit", async () => {
    const { ran, invoke } = clicking(() => thenable(), { handlerTimeoutMs: 20 });
    await expect(invoke()).rejects.toMatchObject({
      name: "ToolInputError",
      reason: "handler_timeout",
      limit: { name: "handlerTimeoutMs", value: 20 },
      cause: { message: "took longer than 20 ms" },
    });
    expect(ran).toEqual([]);
  });

  test("cannot change the input that the error reports", async () => {
    const { invoke } = clicking(((_: Error, causingData: { a: number }) => {
      causingData.a = 5;
      return undefined;
    }) as never);
    await expect(invoke()).rejects.toMatchObject({ causingData: { a: 1, b: 2 } });
  });
});
