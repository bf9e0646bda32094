import { describe, expect, test } from "@jest/globals";
import { tool } from "@langchain/core/tools";
import { createFixerRegistry, repairToolInput } from "toolmend";
import { renameKey, wrapValue } from "toolmend/fixers";
import { z } from "zod";

const click = tool(async () => "", { name: "click", schema: z.object({ selector: z.string() }) });
const type = tool(async () => "", {
  name: "constructor",
  schema: z.object({ text: z.string() }),
});
const tools = [click, type];

describe("createFixerRegistry", () => {
  test("register returns a function that undoes that registration only", async () => {
    const fixers = createFixerRegistry(tools, { level: "strict" });
    const undo = fixers.register("click", renameKey("element", "selector"));
    fixers.register("click", wrapValue("selector"));
    expect((await repairToolInput({ element: "#a" }, click, { fixers })).ok).toBe(true);
    undo();
    undo();
    expect((await repairToolInput({ element: "#a" }, click, { fixers })).ok).toBe(false);
    expect((await repairToolInput("#a", click, { fixers })).ok).toBe(true);
  });

  test('"*" is for every tool, after its own fixers', async () => {
    const fixers = createFixerRegistry(tools, { level: "strict" });
    fixers.register("*", (input) =>
      typeof input === "string" ? { selector: `all:${input}` } : undefined,
    );
    expect(await repairToolInput("#a", click, { fixers })).toMatchObject({
      toolInput: { selector: "all:#a" },
    });
    fixers.register("click", wrapValue("selector"));
    expect(await repairToolInput("#a", click, { fixers })).toMatchObject({
      toolInput: { selector: "#a" },
    });
  });

  test("an option's limits count before the registry's", async () => {
    const fixers = createFixerRegistry(tools, { limits: { maxLength: 10 } });
    const long = { Selector: "#a-long-selector" };
    const refused = await repairToolInput(long, click, { fixers });
    expect(refused.ok ? "" : refused.error.reason).toBe("limit");
    const limits = { maxLength: 100 };
    expect((await repairToolInput(long, click, { fixers, limits })).ok).toBe(true);
    const odd = { limits: { maxLength: -1 } };
    expect(() => createFixerRegistry(tools, odd)).toThrow(/"maxLength" of createFixerRegistry/);
  });

  test("the tool's level overrides the option, and the option overrides the registry's", async () => {
    const fixers = createFixerRegistry(tools, { level: "safe" });
    const broken = '{"selector": "#a",}';
    expect((await repairToolInput(broken, click, { fixers })).ok).toBe(true);
    expect((await repairToolInput(broken, click, { fixers, level: "strict" })).ok).toBe(false);
    fixers.register("click", { level: "strict" });
    expect((await repairToolInput(broken, click, { fixers, level: "eager" })).ok).toBe(false);
  });

  test("an unknown tool name throws at once and suggests the nearest", () => {
    const fixers = createFixerRegistry(tools);
    // @ts-expect-error no tool has this name; the names here are wide enough only with "*"
    const register = () => fixers.register("clik", wrapValue("selector"));
    expect(register).toThrow(TypeError);
    expect(register).toThrow(/no such tool\. Did you mean "click"\? Known tools: "click"/);
    expect(() => fixers.register("Click" as "click", wrapValue("x"))).toThrow(
      /Did you mean "click"/,
    );
  });

  test("an invalid fixer throws at once", () => {
    const fixers = createFixerRegistry(tools);
    expect(() => fixers.register("click", "renameKey" as never)).toThrow(
      /fixer 1 for "click": it must be a function, not "renameKey"/,
    );
  });

  test("a tool named like an inherited property has only its own fixers", () => {
    const fixers = createFixerRegistry(tools);
    expect(fixers.forTool("constructor").fixers).toEqual([]);
    expect(fixers.forTool("toString").fixers).toEqual([]);
  });

  test("a registry by hand may know nothing of a tool", async () => {
    const fixers = {
      ...createFixerRegistry(),
      level: "strict" as const,
      forTool: () => undefined as never,
    };
    const result = await repairToolInput({ Selector: "#a" }, click, { fixers });
    expect(result).toMatchObject({ ok: false, error: { reason: "invalid" } });
  });

  test("a registry without tools accepts every name", () => {
    const fixers = createFixerRegistry();
    fixers.register("whatever", wrapValue("x"));
    expect(fixers.forTool("whatever").fixers).toHaveLength(1);
  });
});
