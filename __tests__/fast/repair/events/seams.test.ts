import { describe, expect, test } from "@jest/globals";
import { RunnableLambda } from "@langchain/core/runnables";
import type { InputEvent } from "toolmend/evidence";
import { CALL_ID, seams } from "../../../support/seams.ts";

function listening() {
  const events: InputEvent[] = [];
  return { events, onToolCall: [(event: InputEvent) => events.push(event)] };
}

describe.each(Object.entries(seams))("a call with %s", (name, run) => {
  test("is reported once if valid, with the tool, its schema, and the call", async () => {
    const { events, onToolCall } = listening();
    await run({ selector: "#a" }, { onToolCall, trace: false });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      kind: "call",
      outcome: "valid",
      seam: name,
      toolName: "click",
      isOffered: true,
      schemaHash: expect.stringMatching(/^[\da-f]{8}$/),
      jsonSchema: { required: ["selector"] },
      level: "safe",
      callId: CALL_ID,
      issues: [],
      repairs: [],
      undeclared: [],
      rawToolInput: { selector: "#a" },
      toolInput: { selector: "#a" },
    });
    expect(Math.abs((events[0]?.time ?? 0) - Date.now())).toBeLessThan(60_000);
  });

  test("is reported once if repaired, with its issues and repairs", async () => {
    const { events, onToolCall } = listening();
    await run({ element: "#a" }, { onToolCall, trace: false });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      outcome: "repaired",
      seam: name,
      callId: CALL_ID,
      issues: [
        { path: "/selector", code: "invalid_type" },
        { path: "/element", code: "unrecognized_keys" },
      ],
      repairs: [{ fixer: "renameKey(element → selector)", level: "strict" }],
      rawToolInput: { element: "#a" },
      toolInput: { selector: "#a" },
      microseconds: expect.any(Number),
      error: undefined,
    });
  });

  test("is reported once if rejected, with the error", async () => {
    const { events, onToolCall } = listening();
    await run({ nothing: 5 }, { onToolCall, trace: false });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      outcome: "refused",
      seam: name,
      callId: CALL_ID,
      rawToolInput: { nothing: 5 },
      toolInput: undefined,
      repairs: [],
      error: { name: "ToolInputError", toolName: "click" },
    });
    expect(events[0]?.issues.map(({ path }) => path)).toContain("/selector");
  });

  test("is reported with its own run and thread, even if a sink reads them late", async () => {
    if (name === "core") return;
    const { events, onToolCall } = listening();
    const config = { configurable: { thread_id: "its own" }, metadata: { run_id: "the run" } };
    await run({ element: "#a" }, { onToolCall, trace: false }, config);
    const asked = RunnableLambda.from(() => events.map(({ threadId, runId }) => [threadId, runId]));
    const other = { configurable: { thread_id: "another" }, metadata: { run_id: "another" } };
    expect(await asked.invoke("", other)).toEqual([["its own", "the run"]]);
  });

  test("runs unchanged if sinks throw, reject, or never resolve", async () => {
    const { events, onToolCall } = listening();
    const bad = [
      () => {
        throw new Error("a sink's");
      },
      async () => {
        throw new Error("a sink's");
      },
      () => new Promise(() => {}),
    ];
    const sinks = [...bad, ...onToolCall];
    const said = await run({ element: "#a" }, { onToolCall: sinks, trace: false });
    expect(said).toBeDefined();
    expect(events).toHaveLength(1);
  });
});
