import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { z } from "zod";
import type { JsonObject, JsonValue } from "#src/repair/types.ts";
import {
  NO_OBJECTION,
  type RepairedCase,
  testsOf,
} from "../../../../support/repair/align/edit-tables.ts";
import {
  boolean,
  integer,
  object,
  outcome,
  run,
  text,
} from "../../../../support/repair/align/run.ts";

const dropKey = testsOf("drop-key", "safe");

const closed = (fields: { readonly [name: string]: unknown }) => object(fields, true);
const levels = ["safe", "eager"] as const;

const search = closed({ query: text, "limit?": integer });
const right = { query: "cats in Rome", limit: 5 };
const withKey = (name: string, extra: JsonObject): RepairedCase => [
  name,
  search,
  { ...right, ...extra },
  right,
];

dropKey.repairs("a forbidden key that requests nothing", [
  withKey("what the model thinks", { thought: "They want cats, so I search." }),
  withKey("the same in another spelling", { myReasoning: "The word alone is enough here." }),
  withKey("the same in another script", { thinking: "用户想查询罗马的猫" }),
  withKey("the same of this tool", { tool_reasoning_2: "The cats are what is asked for." }),
  withKey("a remark that denies", { thought: "No, do not run this." }),
  withKey("a remark with a condition", { reasoning: "Only if it is old." }),
  withKey("a thought behind an underscore", { _thinking: "Cats live in Rome." }),
  withKey("null", { cursor: null }),
  withKey("empty text", { cursor: " " }),
  withKey("text that repeats a declared key's, by a name for the same", {
    search_query: right.query,
  }),
  withKey("a number that repeats one, in another spelling", { LIMIT: 5 }),
  withKey("the tool's own name", { tool_name: "click" }),
  withKey("the call's own id", { tool_call_id: "call_1a2b" }),
  withKey("an id of another provider", { toolUseId: "toolu_01A" }),
  withKey("an id of a local server", { callId: "chatcmpl-tool-9f" }),
  [
    "empty text at a key without a name",
    closed({ query: text, "page?": integer }),
    { query: "a", "": "" },
    { query: "a" },
  ],
  [
    "null at a key that is like an absent one",
    closed({ query: text, "comment?": text }),
    { query: "a", comment_2: null },
    { query: "a" },
  ],
]);

dropKey.rejects("a forbidden key that may request something", NO_OBJECTION, [
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
  ["a denied name with a repeated value", closed({ q: text }), { q: "a", "!q_text": "a" }],
  ["a repeated value at another name", closed({ city: text }), { city: "Ulm", town: "Ulm" }],
  ["JSON text", closed({ q: text }), { q: "a", thoughts: '{"a": "b c d e"}' }],
  ["a note", closed({ q: text }), { q: "a", note: "No more than 10." }],
  ["a hint", closed({ q: text }), { q: "a", hint: "at most 10 of them" }],
  ["another tool's name", closed({ q: text }), { q: "a", tool: "delete_everything" }],
  ["another call's id", closed({ q: text }), { q: "a", call_id: "K-17" }],
  ["an id that only ends as a call's", closed({ q: text }), { q: "a", call_id: "recall_7" }],
  [
    "words that begin as a call's id",
    closed({ q: text }),
    { q: "a", call_id: "call_12, then hang up" },
  ],
  ["a word that a call's id begins with", closed({ q: text }), { q: "a", call_id: "call" }],
  ["a call's id at another key", closed({ q: text }), { q: "a", ticket: "call_12" }],
  ["the tool's name at another key", closed({ q: text }), { q: "a", mode: "click" }],
  ["a thought beside a flag", closed({ "q?": text }), { thought: "Yes.", dry_run: true }],
  ["a thought where other keys are let through", object({ id: integer }), { thought: "Yes." }],
]);

dropKey.rejects("all that was written", "nothing else was written", [
  ["a thought", closed({ "q?": text }), { thoughts: "They want cats." }],
  ["two thoughts", closed({ "q?": text }), { thoughts: "They want cats.", comment: "Yes." }],
]);

dropKey.rejects("what is declared elsewhere", "a field of that name is declared elsewhere", [
  [
    "further in",
    closed({ q: text, "more?": object({ explanation: text }) }),
    { q: "a", explanation: "They want it this way." },
  ],
]);

dropKey.rejects("what is like an absent key", "it may be a misspelt field", [
  [
    "a part of its name",
    closed({ query: text, "explanation_text?": text }),
    { query: "a", explanation: "They want it this way." },
  ],
  [
    "its name and more",
    closed({ query: text, "comment?": text }),
    { query: "a", comment_2: "They want it this way." },
  ],
  [
    "its name with a letter lost",
    closed({ query: text, "limit?": integer }),
    { query: "a", lmit: "" },
  ],
]);

describe("drop-key: a key that any branch of a union declares is never dropped", () => {
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

test("drop-key: the repair states the reason", async () => {
  const reasonFor = async (extra: JsonObject) => {
    const result = await run(search, { ...right, ...extra });
    return result.ok && result.repairs.map(({ path, reason }) => [path, reason]);
  };
  expect(await reasonFor({ cursor: null })).toEqual([["/cursor", "nothing stands there"]]);
  expect(await reasonFor({ thought: "Cats." })).toEqual([["/thought", "a remark is no argument"]]);
  expect(await reasonFor({ Limit: 5 })).toEqual([["/Limit", "a declared key says the same"]]);
});

const nothing = (name: string, input: JsonObject): RepairedCase => [name, closed({}), input, {}];

dropKey.repairs("a placeholder for a tool without arguments", [
  nothing("a random string", { random_string: "dummy" }),
  nothing("no parameters", { noParams: "" }),
  nothing("no input", { input: "" }),
  nothing("no arguments", { args: {} }),
  nothing("an empty list", { items: [] }),
  nothing("a word for none", { input: "none" }),
  nothing("the tool's own name", { query: "Click" }),
  nothing("the tool's own empty schema", { type: "object", properties: {}, required: [] }),
  nothing("the same, closed", { type: "object", additionalProperties: false }),
]);

dropKey.rejects("what says something to a tool without arguments", NO_OBJECTION, [
  ["an order", closed({}), { input: "delete all" }],
  ["a query", closed({}), { query: "cats" }],
  ["a flag", closed({}), { dry_run: true }],
  ["a flag at a placeholder", closed({}), { dummy: true }],
  ["words at a placeholder", closed({}), { placeholder: "the old ones" }],
  ["a list at a placeholder", closed({}), { dummy: ["none"] }],
  ["a placeholder at another key", closed({}), { query: "dummy" }],
  ["another type", closed({}), { type: "string" }],
  ["an object at another key than the type's", closed({}), { kind: "object" }],
  ["a flag at another key than a schema's", closed({}), { required: true }],
  ["a schema of other keys", closed({}), { additionalProperties: { type: "string" } }],
  ["a schema with a field", closed({}), { properties: { a: 1 } } as JsonValue],
]);

dropKey.rejects("a placeholder where other arguments may be wanted", NO_OBJECTION, [
  [
    "in an object further in",
    closed({ q: text, filter: closed({}) }),
    { q: "a", filter: { input: "none" } },
  ],
  ["in a branch of a union", { anyOf: [closed({}), closed({ id: integer })] }, { input: "none" }],
]);

test("drop-key: a placeholder that the schema of a tool without arguments lets through goes", async () => {
  const result = await repairToolInput(
    { random_string: "dummy" },
    { name: "ping", schema: object({}) },
  );
  expect(result).toMatchObject({ ok: true, toolInput: {}, repairs: [{ fixer: "drop-key" }] });
});

test("drop-key: a remark that the schema lets through stays", async () => {
  const input = { query: "cats", thought: "They want cats." };
  const result = await repairToolInput(input, { name: "search", schema: object({ query: text }) });
  expect(result).toMatchObject({ ok: true, toolInput: input, repairs: [] });
});

test("drop-key: a forbidden remark is rejected where `undeclaredKeys` is `refuse`", async () => {
  const input = { query: "cats", thought: "They want cats." };
  const tool = { name: "search", schema: search };
  expect(await repairToolInput(input, tool)).toMatchObject({
    ok: true,
    toolInput: { query: "cats" },
  });
  expect((await repairToolInput(input, tool, { undeclaredKeys: "refuse" })).ok).toBe(false);
});
