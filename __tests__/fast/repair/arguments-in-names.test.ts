import { describe, expect, test } from "@jest/globals";
import { repairToolCall } from "toolmend";
import type { JsonObject, Repair } from "#src/repair/types.ts";

// Servers cut a call in the wrong place: what the model meant as arguments arrives in the name.

const schema = {
  type: "object",
  properties: {
    before: { type: "string" },
    limit: { type: "integer" },
    from: { type: "array", items: { type: "string" } },
    query: { type: "object" },
  },
  additionalProperties: false,
};
const tools = ["delete_messages", "get_user", "web_search"].map((name) => ({ name, schema }));

const ARGS: readonly JsonObject[] = [
  { before: "2025-01-01" },
  { limit: 3, before: 'a "quoted" {brace} }' },
  { from: ["a", "b"], query: { id: "action" } },
];

/** How arguments stand in a name. */
const FORMS: readonly (readonly [string, (name: string, json: string) => string])[] = [
  ["directly behind it", (name, json) => `${name}${json}`],
  ["in brackets", (name, json) => `${name}(${json})`],
  ["behind a colon", (name, json) => `${name}:${json}`],
  ["behind a colon and a space", (name, json) => `${name}: ${json}`],
  ["on the next line", (name, json) => `${name}\n${json}`],
  ["behind a channel", (name, json) => `${name}<|channel|>commentary json<|message|>${json}`],
  ["behind Mistral's mark", (name, json) => `${name}[ARGS]${json}`],
  ["between tokens", (name, json) => `<|tool_call|>${name}<|message|>${json}<|call|>`],
  ["in a namespace", (name, json) => `functions.${name}${json}`],
  ["in another spelling", (name, json) => `${name.replaceAll("_", "-").toUpperCase()}${json}`],
];

/** What no arguments look like. */
const NONE: readonly unknown[] = [undefined, null, "", " \n", {}, "{}", [], "null", "None"];

const replay = (given: unknown, repairs: readonly Repair[]) =>
  repairs.reduce((value, { path, after }) => (path === "" ? after : value), given);

describe.each(FORMS)("arguments that stand in a tool's name, %s", (_, write) => {
  test("become the arguments if the call has no others, and are recorded", async () => {
    for (const args of ARGS) {
      for (const given of NONE) {
        const name = write("delete_messages", JSON.stringify(args));
        const result = await repairToolCall({ name, args: given }, tools);
        if (!result.ok) throw new Error(`${name} is rejected: ${result.error.message}`);
        expect(result).toMatchObject({ name: "delete_messages", toolInput: args });
        expect(result.nameRepair).toMatchObject({ before: name, after: "delete_messages" });
        expect(result.repairs).toMatchObject([
          { fixer: "cut-tool-name", path: "", before: given, after: args, level: "safe" },
        ]);
        expect(replay(given, result.repairs)).toEqual(args);
      }
    }
  });

  test("are left out if the same ones were given", async () => {
    for (const args of ARGS) {
      const name = write("delete_messages", JSON.stringify(args));
      const reversed = Object.fromEntries(Object.entries(args).reverse());
      for (const given of [args, reversed, JSON.stringify(args)]) {
        const result = await repairToolCall({ name, args: given }, tools);
        expect(result).toMatchObject({ ok: true, toolInput: args, repairs: [] });
      }
    }
  });

  test("reject the call if others were given, and the model reads why", async () => {
    const name = write("delete_messages", '{"before":"2025-01-01"}');
    const others = [
      { limit: 3 },
      '{"before":"2024-01-01"}',
      "all",
      [1],
      { before: "2025", limit: 1 },
    ];
    for (const given of others) {
      const result = await repairToolCall({ name, args: given }, tools, { level: "eager" });
      if (result.ok) throw new Error(`${name} runs with ${JSON.stringify(result.toolInput)}`);
      expect(result.error.reason).toBe("unknown_tool");
      const told = result.error.toModelMessage();
      expect(told).toContain('"delete_messages" and nothing else');
      expect(told).toContain("are not those that were given");
      expect(told).toContain('{\\"before\\":\\"2025-01-01\\"}');
      expect(result.error.message).not.toContain("2025");
    }
  });

  test("reject the call if they are cut off, at every position", async () => {
    for (const args of [...ARGS, { id: "action" }]) {
      const json = JSON.stringify(args);
      for (let end = 1; end < json.length; end++) {
        for (const level of ["safe", "eager"] as const) {
          const name = write("get_user", json.slice(0, end));
          const result = await repairToolCall({ name, args: "" }, tools, { level });
          expect([name, result.ok]).toEqual([name, false]);
        }
      }
    }
  });

  test("reject the call if there is more than one object, or a word beside it", async () => {
    const json = '{"before":"2025-01-01"}';
    for (const written of [
      `${json}${json}`,
      `${json}{"limit":1}`,
      `${json} but only preview`,
      `dry run ${json}`,
      `${json} [1]`,
      `["2025-01-01"]`,
      `{"before":"2025-01-01","before":"2024-01-01"}`,
      `{before: 2025-01-01}`,
      `"2025-01-01"`,
    ]) {
      const name = write("delete_messages", written);
      const result = await repairToolCall({ name, args: {} }, tools, { level: "eager" });
      expect([name, result.ok]).toEqual([name, false]);
    }
  });

  test("go through the ordinary repair, and are rejected by it", async () => {
    const repaired = await repairToolCall(
      { name: write("delete_messages", '{"limit":"3"}'), args: "" },
      tools,
    );
    expect(repaired).toMatchObject({ ok: true, toolInput: { limit: 3 } });
    expect(repaired.repairs).toMatchObject([
      { fixer: "cut-tool-name", after: { limit: "3" } },
      { fixer: "read-number", path: "/limit" },
    ]);
    const refused = await repairToolCall(
      { name: write("delete_messages", '{"limit":"many"}'), args: "" },
      tools,
    );
    if (refused.ok) throw new Error("must be rejected");
    expect(refused.error.toModelMessage()).toMatch(/limit: .*"many"/);
  });
});

test("digits in a name are kept as they are written", async () => {
  const open = [
    { name: "pay", schema: { type: "object", properties: { to: { type: "string" } } } },
  ];
  const result = await repairToolCall({ name: 'pay{"to":12345678901234567890}', args: "" }, open);
  expect(result).toMatchObject({ ok: true, toolInput: { to: "12345678901234567890" } });
});

test("arguments that are no JSON are other arguments", async () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  for (const args of [1n, Symbol("x"), () => 1, new Map(), cyclic]) {
    const call = { name: 'delete_messages{"before":"2025-01-01"}', args };
    const result = await repairToolCall(call, tools);
    if (result.ok) expect(result.toolInput).toEqual({ before: "2025-01-01" });
    else expect(result.error.reason).toBe("unknown_tool");
  }
});

test("nothing is moved at strict, or if the edit is switched off", async () => {
  const call = { name: 'delete_messages{"before":"2025-01-01"}', args: "" };
  for (const options of [{ level: "strict" }, { edits: { "cut-tool-name": false } }] as const) {
    expect(await repairToolCall(call, tools, options)).toMatchObject({ ok: false });
  }
});

test.each([
  'delete_messages("2025-01-01")',
  'delete_messages{"before"',
  "delete_messages(dry run)",
  "<dry_run>delete_messages",
  "delete_messages<preview>",
])("a name with more in it is no tool's, and the model reads what was found: %s", async (name) => {
  const result = await repairToolCall({ name, args: {} }, tools, { level: "eager" });
  if (result.ok) throw new Error("must be rejected");
  const told = result.error.toModelMessage();
  expect(told).toContain(`received ${JSON.stringify(name)}`);
  expect(told.length).toBeLessThan(600);
});
