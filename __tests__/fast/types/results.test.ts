import { expect, test } from "@jest/globals";
import { DynamicTool, tool } from "@langchain/core/tools";
import {
  createFixerRegistry,
  type FixerRegistry,
  type JsonValue,
  repairToolCall,
  repairToolInput,
  type ToolInput,
  wrapTool,
  wrapTools,
} from "toolmend";
import { wrapValue } from "toolmend/fixers";
import { z } from "zod";
import * as z3 from "zod/v3";

type Equal<Left, Right> =
  (<Type>() => Type extends Left ? 1 : 2) extends <Type>() => Type extends Right ? 1 : 2
    ? true
    : false;
type Expect<Truth extends true> = Truth;

const click = tool(async ({ selector }) => selector, {
  name: "click",
  schema: z.object({ selector: z.string(), count: z.coerce.number().default(1) }),
});
const open = tool(async ({ url }) => url, {
  name: "open",
  schema: z3.z.object({ url: z3.z.string() }),
});
const wide = tool(async () => "", {
  name: "wide" as string,
  schema: { type: "object", properties: {} },
});
const text = new DynamicTool({ name: "text", description: "", func: async (input) => input });
const tools = [click, open] as const;

export type Cases = [
  Expect<Equal<Parameters<FixerRegistry<typeof tools>["renameTool"]>[1], "click" | "open">>,
  Expect<Equal<ToolInput<typeof click>, { selector: string; count?: unknown }>>,
  Expect<Equal<ToolInput<typeof open>, { url: string }>>,
  Expect<Equal<ToolInput<typeof text>, string | { input: string }>>,
  Expect<Equal<ToolInput<typeof wide>, JsonValue>>,
];

test("results are typed by the tools", async () => {
  const result = await repairToolCall({ name: "open", args: { url: "x" } }, tools);
  if (!result.ok) throw result.error;
  if (result.name === "open") {
    const { url }: { url: string } = result.toolInput;
    expect(url).toBe("x");
    // @ts-expect-error open has no selector
    expect(result.toolInput.selector).toBeUndefined();
  }
  // @ts-expect-error no tool has this name
  expect(result.name === "shut").toBe(false);

  const single = await repairToolInput({ selector: "#a" }, click);
  if (!single.ok) throw single.error;
  const { selector, count }: { selector: string; count: number } = single.parsed;
  expect([selector, count]).toEqual(["#a", 1]);
});

test("a tool whose name is not a literal type leaves the others typed", async () => {
  const result = await repairToolCall({ name: "open", args: { url: "x" } }, [...tools, wide, text]);
  if (!result.ok) throw result.error;
  if (result.name === "open") {
    const { url }: { url: string } = result.toolInput;
    expect(url).toBe("x");
  }
  const loose = await repairToolCall({ name: "wide", args: {} }, [wide]);
  expect(loose.ok && loose.name === "wide").toBe(true);
});

test("a registry knows the names of its tools", () => {
  const fixers = createFixerRegistry(tools);
  fixers.register("click", wrapValue("selector"));
  fixers.register("*", { level: "eager" });
  // @ts-expect-error no tool has this name
  expect(() => fixers.register("clik", wrapValue("selector"))).toThrow(TypeError);
  // @ts-expect-error no such level
  expect(() => fixers.register("open", { level: "reckless" })).toThrow(TypeError);
});

test("wrappers keep the types of their tools", async () => {
  const wrapped: typeof click = wrapTool(click);
  const [first, second] = wrapTools(tools);
  const same: [typeof click, typeof open] = [first, second];
  expect(same).toHaveLength(2);
  expect(await wrapped.invoke({ selector: "#a" })).toBe("#a");
  // @ts-expect-error a wrapped tool takes what the tool takes
  await expect(second.invoke({ selector: "#a" })).rejects.toThrow();
});
