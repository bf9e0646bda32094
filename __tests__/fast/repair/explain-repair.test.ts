import { expect, test } from "@jest/globals";
import { createFixerRegistry, explainRepair, renameKey } from "toolmend";
import { z } from "zod";

const click = { name: "click", schema: z.object({ selector: z.string() }) };
const search = { name: "search", schema: z.object({ query: z.string() }) };

async function lines(...asked: Parameters<typeof explainRepair>) {
  const { steps } = await explainRepair(...asked);
  return steps.map(({ step, says }) => `${step}: ${says}`);
}

test("a repair is told with what the schema had, and what each fixer did", async () => {
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

test("a refusal is told with the level that would repair it", async () => {
  expect(await lines({ query_text: "shoes" }, search)).toEqual([
    'read: the model wrote {"query_text":"shoes"}',
    "schema: /query: expected string, received nothing",
    'level: "eager" would repair it, by rename-only-key',
    "result: refused, invalid",
  ]);
});

test("what the tool will not hear is told, whether or not something was repaired", async () => {
  expect(await lines({ query: "shoes", dry_run: true }, search)).toEqual([
    'read: the model wrote {"query":"shoes","dry_run":true}',
    "schema: accepts it as it is",
    "schema: /dry_run is not declared: the tool will not hear it",
    'result: runs with {"query":"shoes","dry_run":true}; not declared: /dry_run',
  ]);
});

test("nobody who counts calls is told of a question about one", async () => {
  const told: string[] = [];
  const listening = {
    onRepair: () => told.push("repair"),
    onRefused: () => told.push("refusal"),
    evidence: [() => told.push("event")],
  } as never;
  const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  for (const raw of [{ n: "5" }, { m: 5 }, { n: 5 }]) {
    await explainRepair(raw, { name: "pay", schema }, listening);
  }
  expect(told).toEqual([]);
});

test("what the schema says is what it says, whatever a registry allows", async () => {
  const schema = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
  const strict = createFixerRegistry(undefined, { undeclaredKeys: "refuse" });
  const says = async (raw: unknown, options: Parameters<typeof explainRepair>[2]) =>
    (await explainRepair(raw, { name: "pay", schema }, options)).steps.map(
      ({ step, says: line }) => `${step}: ${line}`,
    );
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
