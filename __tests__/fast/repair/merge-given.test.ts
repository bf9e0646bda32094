import { expect, test } from "@jest/globals";
import { createFixerRegistry, repairToolInput } from "toolmend";
import { z } from "zod";

const count = { name: "count", schema: z.object({ n: z.number() }) };

test("a limit that is undefined is the default, not no limit", async () => {
  const deep = `{"n": "5", "x": ${"[".repeat(100)}${"]".repeat(100)}}`;
  const limits = { maxDepth: undefined };
  expect(await repairToolInput(deep, count, { limits })).toMatchObject({
    ok: false,
    error: { limit: { name: "maxDepth", value: 64 } },
  });
});

test("a switch that is undefined leaves what the registry says", async () => {
  const fixers = createFixerRegistry([count], { edits: { "read-number": false } });
  const options = { fixers, edits: { "read-number": undefined } };
  expect(await repairToolInput({ n: "5" }, count, options)).toMatchObject({ ok: false });
});

test("a policy that is undefined leaves the one that was registered before", async () => {
  const fixers = createFixerRegistry([count]);
  fixers.register("count", { level: "strict", edits: { "read-number": false } });
  fixers.register("count", { level: undefined, edits: { "read-number": undefined } });
  expect(fixers.forTool("count")).toMatchObject({
    level: "strict",
    edits: { "read-number": false },
  });
});
