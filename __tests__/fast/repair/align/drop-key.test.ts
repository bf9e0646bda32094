import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import type { JsonObject, JsonValue } from "#src/repair/types.ts";
import { boolean, integer, object, outcome, run, text } from "../../../support/repair/align/run.ts";

const closed = (fields: { readonly [name: string]: unknown }) => object(fields, true);
const levels = ["safe", "eager"] as const;

describe("a forbidden key that requests nothing is dropped", () => {
  const search = closed({ query: text, "limit?": integer });
  const right = { query: "cats in Rome", limit: 5 };
  test.each<[string, JsonObject]>([
    ["what the model thinks", { thought: "They want cats, so I search." }],
    ["the same in another spelling", { myReasoning: "The word alone is enough here." }],
    ["the same in another script", { thinking: "用户想查询罗马的猫" }],
    ["the same of this tool", { tool_reasoning_2: "The cats are what is asked for." }],
    ["whatever it says, as a remark is no argument", { thought: "No, do not run this." }],
    ["a condition in a remark", { reasoning: "Only if it is old." }],
    ["a thought behind an underscore", { _thinking: "Cats live in Rome." }],
    ["null", { cursor: null }],
    ["empty text", { cursor: " " }],
    ["text that repeats a declared key's, by a name for the same", { search_query: right.query }],
    ["a number that repeats one, in another spelling", { LIMIT: 5 }],
    ["the tool's own name", { tool_name: "click" }],
  ])("%s", async (_, extra) => {
    for (const level of levels) {
      expect(await outcome(search, { ...right, ...extra }, { level })).toEqual(right);
    }
  });

  test("the repair states the reason", async () => {
    const result = await run(search, { ...right, cursor: null });
    expect(result).toMatchObject({
      ok: true,
      repairs: [{ fixer: "drop-key", path: "/cursor", reason: "nothing stands there" }],
    });
  });
});

describe("a forbidden key that may request something is rejected", () => {
  test.each<[string, JsonValue, JsonObject]>([
    ["how thoughts are written", closed({ q: text }), { q: "a", reasoning_style: "as in a play" }],
    ["nobody to tell", closed({ q: text }), { q: "a", only: [] }],
    ["an empty filter", closed({ q: text }), { q: "a", filter: {} }],
    ["a plan", closed({ q: text }), { q: "a", plan: "sum it by month" }],
    ["somebody's thoughts", closed({ q: text }), { q: "a", guest_thoughts: "It was too loud." }],
    ["a flag", closed({ path: text }), { path: "/etc", dry_run: true }],
    ["a flag that is off", closed({ id: text }), { id: "a", confirm: false }],
    ["a flag that says the same as another", closed({ a: boolean }), { a: true, dry_run: true }],
    ["a filter", closed({ table: text }), { table: "users", where: { id: 5 } }],
    ["a limit", closed({ query: text, "limit?": integer }), { query: "a", max_results: 5 }],
    ["a limit that says the same by chance", closed({ n: integer }), { n: 5, port: 5 }],
    ["a currency", closed({ amount: integer }), { amount: 5, currency: "JPY" }],
    ["a condition", closed({ id: text }), { id: "a", only_if: "expired" }],
    ["an end", closed({ start: text, "end?": text }), { start: "a", until: "b" }],
    ["recipients", closed({ to: text, body: text }), { to: "a", body: "b", bcc: ["c"] }],
    ["text to send", closed({ to: text }), { to: "a", message: "I will be late today." }],
    ["a description", closed({ title: text }), { title: "a", description: "The user wants b." }],
    ["an operator with a repeated value", closed({ table: text }), { table: "ads", not: "ads" }],
    ["the other end, with the same value", closed({ from: text }), { from: "Rome", to: "Rome" }],
    ["why the call is made, by a name of any kind", closed({ q: text }), { q: "a", intent: "b" }],
    ["a repeated value at another name", closed({ city: text }), { city: "Ulm", town: "Ulm" }],
    [
      "what the schema declares elsewhere",
      closed({ q: text, "more?": object({ explanation: text }) }),
      { q: "a", explanation: "They want it this way." },
    ],
    ["JSON text", closed({ q: text }), { q: "a", thoughts: '{"a": "b c d e"}' }],
    ["a note", closed({ q: text }), { q: "a", note: "No more than 10." }],
    ["all that there is", closed({ "q?": text }), { thoughts: "They want cats." }],
    ["another tool's name", closed({ q: text }), { q: "a", tool: "delete_everything" }],
  ])("%s", async (_, schema, input) => {
    for (const level of levels) expect(await outcome(schema, input, { level })).toBe("refused");
  });
});

test("a key similar to an absent declared key is rejected", async () => {
  const schema = closed({ query: text, "explanation?": text });
  const input = { query: "a", short_explanation: "They want it this way." };
  expect(await outcome(schema, input)).toBe("refused");
});

describe("a key that any branch of a union declares is never dropped", () => {
  const id = { id: text };
  test.each<[string, unknown, JsonObject]>([
    [
      "a flag",
      { anyOf: [closed(id), closed({ ...id, dry_run: boolean })] },
      { id: "x", dry_run: "?" },
    ],
    ["a null", { anyOf: [closed(id), closed({ ...id, at: integer })] }, { id: "x", at: null }],
    [
      "a filter",
      { oneOf: [closed({ table: text }), closed({ table: text, where: text })] },
      { table: "users", where: { id: 5 } },
    ],
    [
      "thoughts, in zod",
      z.union([
        z.strictObject({ id: z.string() }),
        z.strictObject({ id: z.string(), thought: z.enum(["a b c d"]) }),
      ]),
      { id: "x", thought: "They want it now." },
    ],
  ])("%s", async (_, schema, input) => {
    for (const level of levels) expect(await outcome(schema, input, { level })).toBe("refused");
  });
});

describe("placeholders for a tool without arguments are dropped", () => {
  test.each<[JsonObject]>([
    [{ random_string: "dummy" }],
    [{ noParams: "" }],
    [{ input: "" }],
    [{ args: {} }],
    [{ input: "none" }],
  ])("%j", async (input) => {
    for (const level of levels) expect(await outcome(closed({}), input, { level })).toEqual({});
  });

  test("but nothing that says something", async () => {
    const inputs: JsonObject[] = [
      { input: "delete all" },
      { query: "cats" },
      { dry_run: true },
      { dummy: true },
      { placeholder: "the old ones" },
    ];
    for (const input of inputs) {
      for (const level of levels) {
        expect(await outcome(closed({}), input, { level })).toBe("refused");
      }
    }
  });
});
