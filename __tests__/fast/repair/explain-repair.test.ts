import { expect, test } from "@jest/globals";
import {
  createFixerRegistry,
  type RepairOptions,
  repairToolCall,
  repairToolInput,
  type ToolLike,
} from "toolmend";
import { repairToolInputSync } from "toolmend/core";
import type { InputEvent } from "toolmend/evidence";
import { renameKey } from "toolmend/fixers";
import { z } from "zod";

const click = { name: "click", schema: z.object({ selector: z.string() }) };
const search = { name: "search", schema: z.object({ query: z.string() }) };

async function lines(raw: unknown, tool: ToolLike, options: RepairOptions = {}) {
  const { steps = [] } = await repairToolInput(raw, tool, { ...options, explain: true } as never);
  return steps.map(({ step, says }) => `${step}: ${says}`);
}

test("a repair is explained with the schema's issues and each fixer's result", async () => {
  const fixers = createFixerRegistry([click]);
  fixers.register("click", renameKey("target", "selector"), renameKey("element", "selector"));
  expect(await lines({ element: "#buy" }, click, { fixers })).toEqual([
    'read: the model wrote {"element":"#buy"}',
    "schema: /selector: expected string, received nothing",
    "fixer: renameKey(target → selector) leaves it alone",
    'fixer: renameKey(element → selector) makes it {"selector":"#buy"}',
    'edit: renameKey(element → selector) (strict) at the whole input: {"element":"#buy"} → {"selector":"#buy"}',
    'result: runs with {"selector":"#buy"}',
  ]);
});

test("a rejection names the level that would repair it", async () => {
  expect(await lines({ query_text: "shoes" }, search)).toEqual([
    'read: the model wrote {"query_text":"shoes"}',
    "schema: /query: expected string, received nothing",
    'level: "eager" would repair it, by rename-only-key',
    "result: refused, invalid",
  ]);
});

test("a rejection says which edit was not made, where and why, and names a fixer", async () => {
  const closed = { name: "click", schema: z.strictObject({ selector: z.string() }) };
  expect(await lines({ element: "#buy" }, closed)).toContain(
    "objection: no rename-only-key at the whole input: nothing shows that `element` means `selector`: " +
      'register renameKey("element", "selector")',
  );
  const limit = z.number().optional().describe("Row limit; null clears it");
  const list = { name: "list", schema: z.object({ query: z.string(), limit }) };
  expect(await lines({ query: "cats", limit: null }, list)).toContain(
    "objection: no drop-null at /limit: a description speaks of null or of empty text",
  );
});

test("undeclared keys are explained, with and without repairs", async () => {
  expect(await lines({ query: "shoes", dry_run: true }, search)).toEqual([
    'read: the model wrote {"query":"shoes","dry_run":true}',
    "schema: accepts it as it is",
    "schema: /dry_run is not declared: the tool ignores it",
    'result: runs with {"query":"shoes","dry_run":true}; not declared: /dry_run',
  ]);
});

test("a call is reported once, however often it is repaired to explain it", async () => {
  const outcomes: string[] = [];
  const options = {
    explain: true,
    onToolCall: ({ outcome }: InputEvent) => outcomes.push(outcome),
  };
  const call = { name: "click", args: { Selector: "#buy" } };
  const { steps } = await repairToolCall(call, [click], options);
  expect(steps?.at(-1)?.says).toBe('runs with {"selector":"#buy"}');
  expect(outcomes).toEqual(["repaired"]);
});

test("a synchronous repair is explained, too", () => {
  const fixers = { click: [renameKey("element", "selector")] };
  const { steps } = repairToolInputSync({ element: "#a" }, click, { fixers, explain: true });
  expect(steps?.map(({ step }) => step)).toEqual(["read", "schema", "fixer", "edit", "result"]);
  expect(repairToolInputSync({ element: "#a" }, click, { fixers }).steps).toBeUndefined();
});

test("the explanation shows the schema's own issues, even those that a registry allows", async () => {
  const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const strict = createFixerRegistry(undefined, { undeclaredKeys: "refuse" });
  const says = (raw: unknown, options: RepairOptions) =>
    lines(raw, { name: "pay", schema }, options);
  const refused = await says({ n: 1, zz: "" }, { fixers: strict });
  expect(refused.join()).not.toMatch(/accepts it|would repair it, by nothing/);
  expect(refused.at(-1)).toMatch(/^result: refused/);
  const switched = await says({ n: "1" }, { edits: { "read-number": true } });
  expect(switched.join()).not.toContain("accepts");
  const own = createFixerRegistry();
  own.register("pay", { edits: { "read-number": true } });
  expect((await says({ n: "1" }, { fixers: own })).join()).not.toContain("accepts");
  const text = await says('{"n": 1}', { parsed: true });
  expect(text).toContain("schema: accepts what is read from it");
});
