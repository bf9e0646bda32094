import { describe, expect, jest, test } from "@jest/globals";
import { RunnableLambda } from "@langchain/core/runnables";
import type { RefusalEvent, RepairEvent } from "toolmend";
import type { InputEvent } from "toolmend/evidence";
import { CALL_ID, seams } from "../../../support/seams.ts";

function listening() {
  const events: InputEvent[] = [];
  return { events, evidence: [(event: InputEvent) => events.push(event)] };
}

describe.each(Object.entries(seams))("a call by way of %s", (name, run) => {
  test("that is valid is told of once, with the tool, its schema, and the call", async () => {
    const { events, evidence } = listening();
    await run({ selector: "#a" }, { evidence, trace: false });
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

  test("that is repaired is told of once, with what was wrong and what was changed", async () => {
    const { events, evidence } = listening();
    const onRepair = jest.fn<(event: RepairEvent) => void>();
    const onRefused = jest.fn<(event: RefusalEvent) => void>();
    await run({ element: "#a" }, { evidence, onRepair, onRefused, trace: false });
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
    expect(onRepair).toHaveBeenCalledTimes(1);
    expect(onRefused).not.toHaveBeenCalled();
  });

  test("that is refused is told of once, and onRefused too", async () => {
    const { events, evidence } = listening();
    const onRepair = jest.fn<(event: RepairEvent) => void>();
    const onRefused = jest.fn<(event: RefusalEvent) => void>();
    await run({ nothing: 5 }, { evidence, onRepair, onRefused, trace: false });
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
    expect(onRepair).not.toHaveBeenCalled();
    expect(onRefused.mock.calls).toMatchObject([
      [{ toolName: "click", rawToolInput: { nothing: 5 }, error: { name: "ToolInputError" } }],
    ]);
  });

  test("is told of with its own run and thread, however late a sink asks", async () => {
    if (name === "core") return;
    const { events, evidence } = listening();
    const config = { configurable: { thread_id: "its own" }, metadata: { run_id: "the run" } };
    await run({ element: "#a" }, { evidence, trace: false }, config);
    const asked = RunnableLambda.from(() => events.map(({ threadId, runId }) => [threadId, runId]));
    const other = { configurable: { thread_id: "another" }, metadata: { run_id: "another" } };
    expect(await asked.invoke("", other)).toEqual([["its own", "the run"]]);
  });

  test("runs as it would where sinks throw, reject, or never end", async () => {
    const { events, evidence } = listening();
    const bad = [
      () => {
        throw new Error("a sink's");
      },
      async () => {
        throw new Error("a sink's");
      },
      () => new Promise(() => {}),
    ];
    const sinks = [...bad, ...evidence];
    const said = await run({ element: "#a" }, { evidence: sinks, trace: false });
    expect(said).toBeDefined();
    expect(events).toHaveLength(1);
  });
});
