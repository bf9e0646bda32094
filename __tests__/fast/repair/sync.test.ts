import { describe, expect, jest, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { createFixerRegistry, preload, repairToolInputSync } from "toolmend/core";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";
import { drive, type Steps } from "#src/repair/drive.ts";

const click = { name: "click", schema: z.object({ selector: z.string() }) };
const jsonClick = {
  name: "click",
  schema: {
    type: "object",
    properties: { selector: { type: "string", minLength: 1 } },
    required: ["selector"],
    additionalProperties: false,
  },
};
const fixers = { click: [renameKey("element", "selector")] };

/** An input with many faults: its repair takes longer than other work should wait. */
const many = {
  tool: {
    name: "put_rows",
    schema: {
      type: "object",
      properties: {
        rows: {
          type: "array",
          items: {
            type: "object",
            properties: { id: { type: "integer" }, next_id: { type: "integer" } },
            required: ["id", "next_id"],
            additionalProperties: false,
          },
        },
      },
      required: ["rows"],
    },
  },
  raw: { rows: Array.from({ length: 500 }, (_, id) => ({ id: `${id}`, nextId: `${id + 1}` })) },
  limits: { timeoutMs: 60_000 },
};

describe("a long repair", () => {
  test("lets other work of the process go on", async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1));
    const result = await repairToolInput(many.raw, many.tool, { limits: many.limits });
    clearInterval(timer);
    expect(result).toMatchObject({ ok: true });
    expect(turns).toBeGreaterThan(0);
  });

  test("ends at a pause if it is aborted", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")));
    const { signal } = controller;
    const repair = repairToolInput(many.raw, many.tool, { limits: many.limits, signal });
    await expect(repair).rejects.toThrow("enough");
  });

  test("does not pause if it is synchronous, and repairs alike", async () => {
    const result = repairToolInputSync(many.raw, many.tool, { limits: many.limits });
    expect(JSON.stringify(result)).toBe(
      JSON.stringify(await repairToolInput(many.raw, many.tool, { limits: many.limits })),
    );
  });
});

describe("repairToolInputSync", () => {
  test.each([
    ["zod", click],
    ["JSON Schema", jsonClick],
  ])("repairs as repairToolInput does, for %s", async (_, tool) => {
    for (const raw of [
      { selector: "#a" },
      '{"element": "#a"}',
      '{"selector": "#a",}',
      { Selector: "#a" },
      { selector: 5 },
      { other: true },
      undefined,
    ]) {
      const result = repairToolInputSync(raw, tool, { fixers });
      expect(JSON.stringify(result)).toEqual(
        JSON.stringify(await repairToolInput(raw, tool, { fixers })),
      );
    }
  });

  test("reports the call before it returns", () => {
    const onToolCall = jest.fn();
    repairToolInputSync({ element: "#a" }, click, { fixers, onToolCall });
    expect(onToolCall).toHaveBeenCalledTimes(1);
  });

  test("says that a fixer is asynchronous, where, and what to do", () => {
    const slow = async function lookUp() {
      throw new Error("nobody hears of it");
    };
    expect(() => repairToolInputSync({}, click, { fixers: { click: [slow] } })).toThrow(
      /cannot wait for the schema or a fixer of tool "click".*Await repairToolInput instead/,
    );
  });

  test("says that the schema is asynchronous", () => {
    const schema = click.schema.refine(async () => true);
    expect(() => repairToolInputSync({ selector: "#a" }, { name: "click", schema })).toThrow(
      /cannot wait for the schema or a fixer of tool "click".*Await repairToolInput instead/,
    );
  });

  test("rejects misuse as repairToolInput does", () => {
    expect(() => repairToolInputSync({}, {} as never)).toThrow(/repairToolInputSync.*needs a tool/);
    expect(() => repairToolInputSync({}, click, { fixer: fixers } as never)).toThrow(TypeError);
  });
});

describe("fixers as lists", () => {
  test("run like those of a registry, those for every tool last", async () => {
    const order: string[] = [];
    const seen = (name: string) => () => void order.push(name) as undefined;
    const lists = { "*": [seen("any")], click: [seen("own")], other: [seen("other")] };
    await repairToolInput({}, click, { fixers: lists });
    expect(order).toEqual(["own", "any"]);
  });

  test("of a tool named like a method of objects are only its own", async () => {
    const tool = { ...click, name: "toString" };
    expect(await repairToolInput({ element: "#a" }, tool, { fixers })).toMatchObject({ ok: false });
  });

  test("that mutate their input, or their result later, do not affect the run", async () => {
    const kept: { selector?: string }[] = [];
    const registry = createFixerRegistry([click]);
    registry.register("click", (input) => {
      const own = input as { selector?: string };
      own.selector = "#a";
      kept.push(own);
      return own as never;
    });
    const raw = { element: "#a" };
    const result = await repairToolInput(raw, click, { fixers: registry });
    for (const one of kept) one.selector = "#evil";
    expect(raw).toEqual({ element: "#a" });
    expect(result).toMatchObject({ ok: true, toolInput: { selector: "#a" } });
  });
});

test("preload may be called at any time, and more than once", async () => {
  await preload();
  await preload();
  expect(repairToolInputSync({ element: "#a" }, click, { fixers })).toMatchObject({ ok: true });
});

describe("sync-or-async work", () => {
  function* adding(values: readonly (number | Promise<number>)[]): Steps<number> {
    let sum = 0;
    for (const value of values) sum += yield value;
    return sum;
  }

  test("runs without a promise if every step is synchronous, and with one from the first asynchronous step on", async () => {
    expect(drive(adding([1, 2]))).toBe(3);
    const waited = drive(adding([1, Promise.resolve(2), 3]));
    expect(waited).toBeInstanceOf(Promise);
    expect(await waited).toBe(6);
  });

  test("sees a rejection where it awaits it", async () => {
    function* careful(): Steps<string> {
      try {
        yield Promise.reject(new Error("no"));
      } catch (error) {
        return (error as Error).message;
      }
      return "went on";
    }
    expect(await drive(careful())).toBe("no");
  });

  test("that throws rejects once, and does not see its own throw", async () => {
    function* failing(): Steps<void> {
      yield Promise.resolve();
      throw new Error("mine");
    }
    await expect(drive(failing())).rejects.toThrow("mine");
  });
});
