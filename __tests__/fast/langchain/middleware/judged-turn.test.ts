import { describe, expect, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import type { RepairCallsOptions } from "#src/langchain/message/options.ts";
import type { CallId } from "#src/langchain/middleware/calling-message.ts";
import { JudgedTurn } from "#src/langchain/middleware/judged-turn.ts";
import type { Fixer } from "#src/repair/types.ts";
import { integer, object, text } from "../../../support/repair/align/run.ts";

const clickBy = (key: string, schema: object) => ({
  name: "click",
  schema: object({ [key]: schema }),
});
const TIMES = clickBy("times", integer);
const PLACES = clickBy("places", { type: "array", items: integer });

/** A turn of parallel calls that was begun in another process: none is judged yet. */
function turnOf(...args: readonly object[]): JudgedTurn {
  const tool_calls = args.map((input, at) => ({
    name: "click",
    args: input as never,
    id: `${at}`,
  }));
  const message = new AIMessage({ content: "", tool_calls });
  return new JudgedTurn(message, { message, calls: [] }, { tools: undefined, signal: undefined });
}

const AT_TOOLS: RepairCallsOptions = { leavesUnknown: true };

function inputOf(turn: JudgedTurn, id: CallId): unknown {
  const outcome = turn.outcomeOf(id);
  return outcome?.kind === "accepted" ? outcome.args : outcome?.kind;
}

describe("parallel calls are judged in one pass, but apart", () => {
  test("if outer middleware gives them different tools of the same name", async () => {
    const turn = turnOf({ times: "1" }, { places: "2" });
    turn.judge(["0"], [TIMES], AT_TOOLS);
    turn.judge(["1"], [PLACES], AT_TOOLS);
    await turn.whenJudged("1", ["0"]);
    expect(["0", "1"].map((id) => inputOf(turn, id))).toEqual([{ times: 1 }, { places: [2] }]);
  });

  test("if unknown calls of only one of them are left alone", async () => {
    const turn = turnOf({ times: "1" }, { places: "2" });
    turn.judge(["0"], [], AT_TOOLS);
    turn.judge(["1"], [{ name: "type", schema: object({ text }) }], {});
    await turn.whenJudged("1", ["0"]);
    expect(["0", "1"].map((id) => inputOf(turn, id))).toEqual(["unknown", "rejected"]);
  });

  test("if their runs are aborted apart", async () => {
    const first = new AbortController();
    const turn = turnOf({ times: "1" }, { times: "2" });
    turn.judge(["0"], [TIMES], { ...AT_TOOLS, signal: first.signal });
    turn.judge(["1"], [TIMES], { ...AT_TOOLS, signal: new AbortController().signal });
    first.abort();
    await turn.whenJudged("1", []);
    expect(inputOf(turn, "1")).toEqual({ times: 2 });
  });
});

test("a call whose run was aborted is judged by the next, and once", async () => {
  const first = new AbortController();
  const turn = turnOf({ times: "1" });
  turn.judge(["0"], [TIMES], { ...AT_TOOLS, signal: first.signal });
  first.abort();
  expect(turn.openAmong(["0"])).toEqual(["0"]);
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const slow: Fixer = async () => {
    await held;
    return undefined;
  };
  turn.judge(["0"], [TIMES], { ...AT_TOOLS, fixers: { click: [slow] } });
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(turn.openAmong(["0"])).toEqual([]);
  release();
  await turn.whenJudged("0", []);
  expect(inputOf(turn, "0")).toEqual({ times: 1 });
});
