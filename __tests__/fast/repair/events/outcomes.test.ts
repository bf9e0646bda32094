import { describe, expect, test } from "@jest/globals";
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import { repairToolInput } from "toolmend";
import type { InputEvent } from "toolmend/evidence";
import { langchainSeams, type SeamOptions } from "../../../support/seams.ts";

/** The outcome of a call, how it is made, and the custom events that LangChain's listeners receive. */
const OUTCOMES: readonly {
  readonly outcome: string;
  readonly args: unknown;
  readonly options?: SeamOptions;
  readonly custom: readonly string[];
}[] = [
  { outcome: "valid", args: { selector: "#a" }, custom: [] },
  { outcome: "repaired", args: { element: "#a" }, custom: ["toolmend.repair"] },
  { outcome: "refused", args: { nothing: 5 }, custom: ["toolmend.refusal"] },
  { outcome: "rescued", args: '{"selector": "#a",}', custom: ["toolmend.repair"] },
  {
    outcome: "answered",
    args: { nothing: 5 },
    options: { onUnfixable: () => "say it otherwise" },
    custom: ["toolmend.refusal"],
  },
  {
    outcome: "corrected",
    args: { nothing: 5 },
    options: { onUnfixable: () => ({ selector: "#a" }) },
    custom: ["toolmend.correction", "toolmend.repair"],
  },
];

/** LangChain reads the model's calls here, so it can lose some. */
const READS_CALLS = ["executor", "middleware", "messages"];

const rows = langchainSeams.flatMap(([name, run]) =>
  OUTCOMES.filter(({ outcome }) => outcome !== "rescued" || READS_CALLS.includes(name)).map(
    (row) => [row.outcome, name, row, run] as const,
  ),
);

describe("within a run", () => {
  test.each(rows)("a call that is %s with %s is reported once", async (_, name, row, run) => {
    const custom: string[] = [];
    const events: InputEvent[] = [];
    const onToolCall = [(event: InputEvent) => events.push(event)];
    const callbacks = [{ handleCustomEvent: (event: string) => void custom.push(event) } as never];
    await run(row.args, { ...row.options, onToolCall }, { callbacks });
    await awaitAllCallbacks();
    expect(custom.sort()).toEqual(row.custom);
    const calls = events.filter(({ kind }) => kind === "call");
    expect(calls).toMatchObject([{ outcome: row.outcome, seam: name, toolName: "click" }]);
    expect(events.length - calls.length).toBe(row.outcome === "corrected" ? 1 : 0);
  });
});

test.each([
  ["JSON as text, where values were parsed before", '{"selector": "#a"}', "json_as_text"],
  ["JSON as text within text", '"{\\"selector\\": \\"#a\\"}"', "json_as_text"],
  ["text that is no JSON", "{'selector': '#a'}", "not_json"],
])("the fault of %s is told apart", async (_, raw, code) => {
  const events: InputEvent[] = [];
  const tool = {
    name: "click",
    schema: { type: "object", properties: { selector: { type: "string" } } },
  };
  const parsed = code === "json_as_text" && !raw.startsWith('"');
  await repairToolInput(raw, tool, { parsed, onToolCall: (event) => void events.push(event) });
  expect(events).toMatchObject([{ outcome: "repaired", issues: [{ path: "", code }] }]);
});

test.each(langchainSeams)(
  "a call whose handler throws is reported as rejected, once (%s)",
  async (_, seam) => {
    const events: InputEvent[] = [];
    const onUnfixable = () => {
      throw new Error("the handler's own");
    };
    const options = { onToolCall: (event: InputEvent) => void events.push(event), onUnfixable };
    await Promise.resolve(seam({ nothing: 5 }, options)).catch(() => {});
    expect(events).toMatchObject([{ kind: "call", outcome: "refused", toolName: "click" }]);
  },
);
