import { expect, test } from "@jest/globals";
import { createFixerRegistry, repairToolInput } from "toolmend";
import { z } from "zod";

const count = { name: "count", schema: z.object({ n: z.number() }) };

test("an undefined limit means the default, not unlimited", async () => {
  const deep = `{"n": "5", "x": ${"[".repeat(100)}${"]".repeat(100)}}`;
  const limits = { maxDepth: undefined };
  expect(await repairToolInput(deep, count, { limits })).toMatchObject({
    ok: false,
    error: { limit: { name: "maxDepth", value: 64 } },
  });
});

test("an undefined switch leaves the registry's setting", async () => {
  const fixers = createFixerRegistry([count], { edits: { "read-number": false } });
  const options = { fixers, edits: { "read-number": undefined } };
  expect(await repairToolInput({ n: "5" }, count, options)).toMatchObject({ ok: false });
});

test("an undefined policy leaves the one registered before", async () => {
  const fixers = createFixerRegistry([count]);
  fixers.register("count", { level: "strict", edits: { "read-number": false } });
  fixers.register("count", { level: undefined, edits: { "read-number": undefined } });
  expect(fixers.forTool("count")).toMatchObject({
    level: "strict",
    edits: { "read-number": false },
  });
});
