import { describe, expect, test } from "@jest/globals";
import { tool } from "@langchain/core/tools";
import { repairToolInput, wrapTool } from "toolmend";
import { mapValue, splitList } from "toolmend/fixers";
import { repairToolCalls } from "toolmend/messages";
import { z } from "zod";
import { expectWrongUse, type WrongUse } from "../../support/usage/wrong-use.ts";

// Options that stop a wrong call must not get lost when the options are copied.

// biome-ignore lint/suspicious/noExplicitAny: every case is one that TypeScript would reject
type Wrong = any;

const pay = tool(async ({ n }) => `paid ${n}`, {
  name: "pay",
  schema: z.object({ n: z.number() }),
});
const inherits = (options: object): Wrong => Object.create(options);

const WRONG: readonly WrongUse[] = [
  ["inherited options", () => wrapTool(pay, inherits({ level: "strict" })), /inherits/],
  [
    "inherited options of a message",
    () => repairToolCalls([pay], inherits({ level: "strict" })),
    /inherits/,
  ],
  ["a Map of edits", () => wrapTool(pay, { edits: new Map() as Wrong }), /"edits"/],
  [
    "inherited edits",
    () => wrapTool(pay, { edits: inherits({ "read-number": false }) }),
    /"edits"/,
  ],
  ["a Map of limits", () => wrapTool(pay, { limits: new Map() as Wrong }), /"limits"/],
  [
    "what only looks like an AbortSignal",
    () => repairToolInput({}, pay, { signal: { aborted: false } as Wrong }),
    /"signal"/,
  ],
  ["a list that is split between all letters", () => splitList("/tags", ""), /separator/],
  ["a Map of values", () => mapValue("/n", new Map() as Wrong), /mapping/],
];

describe("wrong use", () => {
  test.each(WRONG)("%s", expectWrongUse);
});

test("options of another realm, and without a prototype, are accepted", async () => {
  const foreign = (await import("node:vm")).runInNewContext('({ level: "strict", edits: {} })');
  const bare = Object.assign(Object.create(null), { level: "strict" });
  for (const options of [foreign, bare]) {
    await expect(wrapTool(pay, options).invoke({ n: "1" } as never)).rejects.toThrow("pay");
  }
});
