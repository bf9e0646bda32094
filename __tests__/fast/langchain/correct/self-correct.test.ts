import { describe, expect, test } from "@jest/globals";
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { type JsonValue, ToolInputError } from "toolmend";
import { locateCalls } from "#src/langchain/calls/call-sites.ts";
import { addUsage } from "#src/langchain/correct/add-usage.ts";
import { refusesToolChoice } from "#src/langchain/correct/ask-forced.ts";
import { openLedger } from "#src/langchain/correct/correction-ledger.ts";
import { correctionMessages } from "#src/langchain/correct/correction-messages.ts";
import { canBeForced, toolChoiceFor } from "#src/langchain/correct/force-tool-call.ts";
import { readSelfCorrect } from "#src/langchain/correct/options.ts";

function refusal(toolName: string, causingData: JsonValue, code = "required"): ToolInputError {
  const issue = { path: "/a", message: "is missing", code, expected: "string" };
  return new ToolInputError({ toolName, causingData, issues: [issue] });
}

describe("options", () => {
  test("defaults: two attempts; budgets follow from them", () => {
    expect(readSelfCorrect({})).toMatchObject({
      maxAttempts: 2,
      maxCorrectionsPerTool: 3,
      maxCorrections: 10,
      forceToolCall: true,
    });
    expect(readSelfCorrect({ maxAttempts: 4 })).toMatchObject({
      maxCorrectionsPerTool: 9,
      maxCorrections: 30,
    });
    expect(readSelfCorrect(undefined)).toMatchObject({ maxAttempts: 1, maxCorrections: 0 });
  });

  test.each([
    { maxAttempts: 0 },
    { maxAttempts: 1.5 },
    { maxAttempts: Number.NaN },
    { maxAttempts: "2" as never },
    { maxCorrections: -1 },
    { maxCorrectionsPerTool: Number.NaN },
  ])("%j is a TypeError", (options) => {
    expect(() => readSelfCorrect(options)).toThrow(TypeError);
  });

  test("no limit is a limit too", () => {
    expect(
      readSelfCorrect({ maxAttempts: 3, maxCorrections: Number.POSITIVE_INFINITY }),
    ).toMatchObject({ maxCorrections: Number.POSITIVE_INFINITY });
  });

  test("the request names the tools, and can be another", () => {
    const { prompt } = readSelfCorrect({});
    expect(prompt([refusal("click", {})])).toMatch(/"click" was not accepted.*corrected arguments/);
    expect(prompt([refusal("click", {}), refusal("type", {})])).toMatch(/2 .*"click", "type"/);
    expect(readSelfCorrect({ prompt: "Again!" }).prompt([])).toBe("Again!");
    const ask = readSelfCorrect({ prompt: ([error]) => `Call ${error?.toolName}!` }).prompt;
    expect(ask([refusal("click", {})])).toBe("Call click!");
  });
});

describe("the ledger", () => {
  const open = (options: Parameters<typeof readSelfCorrect>[0]) =>
    openLedger(readSelfCorrect(options));

  test("asks up to maxAttempts, the first included", () => {
    const turn = open({ maxAttempts: 3 }).beginTurn();
    expect(turn.decide([refusal("click", 1)])).toEqual({ ask: true });
    expect(turn.decide([refusal("click", 2)])).toEqual({ ask: true });
    expect(turn.decide([refusal("click", 3)])).toEqual({ ask: false, stopped: "attempts" });
  });

  test("breaks the storm: the same input again, whatever the order of its keys", () => {
    const turn = open({ maxAttempts: 9 }).beginTurn();
    expect(turn.decide([refusal("click", { a: 1, b: { c: 2, d: [3] } })]).ask).toBe(true);
    expect(turn.decide([refusal("type", { a: 1, b: { c: 2, d: [3] } })]).ask).toBe(true);
    expect(turn.decide([refusal("click", { a: 1, b: { c: 2, d: [4] } })]).ask).toBe(true);
    expect(turn.decide([refusal("click", { b: { d: [3], c: 2 }, a: 1 })])).toEqual({
      ask: false,
      stopped: "repeated",
    });
  });

  test("a mistake that the model did not make again is no storm", () => {
    const turn = open({ maxAttempts: 9 }).beginTurn();
    const [one, other] = [refusal("click", 1), refusal("type", 2)];
    expect(turn.decide([one, other]).ask).toBe(true);
    expect(turn.decide([other], []).ask).toBe(true);
    expect(turn.decide([other]).ask).toBe(false);
  });

  test("remembers mistakes over the turns of a run, and counts attempts by turn", () => {
    const ledger = open({ maxAttempts: 2 });
    expect(ledger.beginTurn().decide([refusal("click", 1)]).ask).toBe(true);
    expect(ledger.beginTurn().decide([refusal("click", 2)]).ask).toBe(true);
    expect(ledger.beginTurn().decide([refusal("click", 1)])).toEqual({
      ask: false,
      stopped: "repeated",
    });
  });

  test("has a budget for each tool, and one in all", () => {
    const perTool = open({ maxCorrectionsPerTool: 1 });
    expect(perTool.beginTurn().decide([refusal("click", 1)]).ask).toBe(true);
    expect(perTool.beginTurn().decide([refusal("type", 1)]).ask).toBe(true);
    expect(perTool.beginTurn().decide([refusal("click", 2)])).toEqual({
      ask: false,
      stopped: "tool-budget",
    });
    const inAll = open({ maxCorrections: 2 });
    expect(inAll.beginTurn().decide([refusal("a", 1)]).ask).toBe(true);
    expect(inAll.beginTurn().decide([refusal("b", 1)]).ask).toBe(true);
    expect(inAll.beginTurn().decide([refusal("c", 1)])).toEqual({ ask: false, stopped: "budget" });
  });

  test("a tool named constructor is counted as any other", () => {
    const turn = open({ maxCorrectionsPerTool: 1, maxAttempts: 3 }).beginTurn();
    expect(turn.decide([refusal("constructor", 1)]).ask).toBe(true);
    expect(turn.decide([refusal("constructor", 2)]).ask).toBe(false);
  });
});

describe("the messages", () => {
  const answers = (message: AIMessage, raws: unknown[], errors: (ToolInputError | undefined)[]) =>
    correctionMessages(
      message,
      locateCalls(message).map((located, index) => ({
        id: located.call.id ?? "new_id",
        located,
        raw: raws[index],
        error: errors[index],
      })),
      "Again!",
    );

  test("the model's message, an answer to each of its calls, the request", () => {
    const message = new AIMessage({
      content: "I click.",
      id: "m",
      tool_calls: [
        { id: "1", name: "click", args: { element: "#a" } },
        { id: "2", name: "type", args: { text: "x" } },
      ],
    });
    const error = refusal("click", { element: "#a" });
    const [ai, first, second, request] = answers(
      message,
      [{ element: "#a" }, {}],
      [error, undefined],
    );
    expect(ai).toMatchObject({
      id: "m",
      content: "I click.",
      tool_calls: [
        { id: "1", args: { element: "#a" } },
        { id: "2", args: {} },
      ],
    });
    expect(first).toMatchObject({
      tool_call_id: "1",
      name: "click",
      status: "error",
      content: error.toModelMessage(),
    });
    expect(second).toMatchObject({
      tool_call_id: "2",
      status: "success",
      content: expect.stringMatching(/^Accepted/),
    });
    expect(request).toMatchObject({ content: "Again!" });
    expect(message.tool_calls?.[1]?.args).toEqual({ text: "x" });
  });

  test("a call that LangChain leaves out is shown, in a form that every provider takes", () => {
    const text = "{'selector': '#a'";
    const message = new AIMessage({
      content: "",
      invalid_tool_calls: [{ type: "invalid_tool_call", id: "1", name: "click", args: text }],
    });
    const [ai, answer] = answers(message, [text], [refusal("click", text)]);
    expect(ai).toMatchObject({
      invalid_tool_calls: [],
      tool_calls: [{ id: "1", name: "click", args: { malformed_arguments: text } }],
    });
    expect(answer).toMatchObject({ tool_call_id: "1" });
  });

  test("where the provider replays calls from elsewhere, it is shown there too, with the same id", () => {
    const message = new AIMessageChunk({
      content: [
        { type: "thinking", thinking: "Hm.", signature: "s" },
        { type: "tool_use", id: "1", name: "click", input: "" },
      ],
      tool_call_chunks: [{ id: "1", index: 1, name: "click", args: "[1" }],
    });
    const [ai] = answers(message, ["[1"], [refusal("click", "[1")]);
    expect(ai).not.toBeInstanceOf(AIMessageChunk);
    expect(ai?.content).toMatchObject([
      { type: "thinking", signature: "s" },
      { type: "tool_use", id: "1", input: { malformed_arguments: "[1" } },
    ]);
  });
});

describe("making the model call a tool", () => {
  test("one tool by its name, several or an unknown one by any", () => {
    expect(toolChoiceFor([refusal("click", 1), refusal("click", 2)])).toBe("click");
    expect(toolChoiceFor([refusal("click", 1), refusal("type", 2)])).toBe("any");
    expect(toolChoiceFor([refusal("clic", 1, "unknown_tool")])).toBe("any");
  });

  test("not where the model's profile says that it cannot be made to", () => {
    expect(canBeForced({})).toBe(true);
    expect(canBeForced({ profile: { toolChoice: true } })).toBe(true);
    expect(canBeForced({ bound: { profile: { toolChoice: false } } })).toBe(false);
  });

  test("a provider's refusal is told from other errors", () => {
    expect(refusesToolChoice(new Error("400 'tool_choice' is not supported"))).toBe(true);
    expect(refusesToolChoice(new Error("Tool choice must be auto"))).toBe(true);
    expect(refusesToolChoice(new Error("rate limit"))).toBe(false);
    expect(refusesToolChoice("tool_choice")).toBe(false);
  });
});

describe("usage", () => {
  const usage = (input: number, read: number) => ({
    input_tokens: input,
    output_tokens: 1,
    total_tokens: input + 1,
    input_token_details: { cache_read: read },
  });

  test("is summed, details too", () => {
    expect(addUsage(usage(10, 3), usage(20, 4))).toEqual({
      input_tokens: 30,
      output_tokens: 2,
      total_tokens: 32,
      input_token_details: { cache_read: 7 },
    });
    const reasoning = { ...usage(1, 0), output_token_details: { reasoning: 5 } };
    expect(addUsage(usage(1, 0), reasoning)).toMatchObject({
      output_token_details: { reasoning: 5 },
    });
    expect(addUsage(undefined, usage(1, 0))).toEqual(usage(1, 0));
    expect(addUsage(undefined, undefined)).toBeUndefined();
  });
});
