import { describe, expect, jest, test } from "@jest/globals";
import { AIMessage } from "@langchain/core/messages";
import { OutputParserException } from "@langchain/core/output_parsers";
import type { InputEvent } from "toolmend/evidence";
import type { WrapAgentExecutorOptions } from "#src/langchain/executor/run.ts";
import { ToolInputError } from "#src/repair/errors.ts";
import type { JsonValue } from "#src/repair/types.ts";
import { run, setUp } from "../../../support/langchain/executor/set-up.ts";
import { calling } from "../../../support/langchain/middleware/calling-model.ts";
import { sampled } from "../../../support/tier.ts";

type Handler = Extract<
  NonNullable<WrapAgentExecutorOptions["onUnfixable"]>,
  (...args: never[]) => unknown
>;

const done = new AIMessage("done");
const bad = { nothing: "fits" };
const never = new Promise<never>(() => {});
const TOLD = expect.stringMatching(/^The input of tool "click" was not accepted/);

function calls(...inputs: readonly unknown[]) {
  return calling(...inputs.map((args, at) => ({ id: `call_${at}`, name: "click", args })));
}

describe.each(sampled(["invoke", "stream"] as const, 2))("by %s", (way) => {
  describe("an input that cannot be repaired", () => {
    test("goes to the handler with the error, what caused it and the action", async () => {
      const onUnfixable = jest.fn<Handler>(async () => ({ element: "#buy" }));
      const { wrapped, ran, model } = await setUp({
        outputs: [calls(bad), done],
        options: { onUnfixable },
      });
      const { steps } = await run(way, wrapped);
      expect(onUnfixable).toHaveBeenCalledTimes(1);
      const [error, causingData, action] = onUnfixable.mock.calls[0] ?? [];
      expect(error).toBeInstanceOf(ToolInputError);
      expect(causingData).toEqual(bad);
      expect(action).toMatchObject({ tool: "click", toolInput: bad });
      expect(ran).toEqual([{ selector: "#buy" }]);
      expect(steps).toMatchObject([
        {
          action: {
            toolInput: { selector: "#buy" },
            rawToolInput: bad,
            repairs: [{ fixer: "onUnfixable", after: { element: "#buy" } }, {}],
            valid: true,
          },
          observation: "clicked #buy",
        },
      ]);
      expect(model.prompts[1]).toContain("selector");
    });

    test("is answered with the handler's text; the tool is not run", async () => {
      const onUnfixable: Handler = () => "Say which button.";
      const { wrapped, ran } = await setUp({
        outputs: [calls(bad), done],
        options: { onUnfixable },
      });
      const { steps } = await run(way, wrapped);
      expect(ran).toEqual([]);
      expect(steps).toMatchObject([
        {
          action: { tool: "click", toolInput: bad, valid: false, repairs: [] },
          observation: "Say which button.",
        },
      ]);
    });

    test.each([
      [undefined, TOLD],
      [true, TOLD],
      ["Again!", "Again!"],
      [(error: Error) => `Told: ${error.name}`, "Told: ToolInputError"],
      [async () => "later", "later"],
      [() => ({ some: "json" }), '{"some":"json"}'],
      [() => undefined, "Invalid or incomplete tool input. Please try again."],
    ])("without an answer, handleParsingErrors: %p decides", async (handleParsingErrors, text) => {
      const { wrapped, ran } = await setUp({
        outputs: [calls(bad), done],
        handleParsingErrors: handleParsingErrors as never,
        options: { onUnfixable: () => undefined },
      });
      const { steps } = await run(way, wrapped);
      expect(ran).toEqual([]);
      expect(steps).toMatchObject([{ action: { valid: false }, observation: text }]);
    });

    test("in compat mode, handleParsingErrors: true answers with LangChain's sentence", async () => {
      const { wrapped } = await setUp({
        outputs: [calls(bad), done],
        handleParsingErrors: true,
        options: { compat: true },
      });
      const { steps } = await run(way, wrapped);
      const observation = "Invalid or incomplete tool input. Please try again.";
      expect(steps).toMatchObject([{ action: { valid: false }, observation }]);
    });

    test('"tellModel" tells the model, and the run goes on', async () => {
      const { wrapped, ran, model } = await setUp({
        outputs: [calls(bad), calls({ selector: "#a" }), done],
        options: { onUnfixable: "tellModel" },
      });
      const { steps } = await run(way, wrapped);
      expect(steps).toMatchObject([{ action: { valid: false }, observation: TOLD }, {}]);
      expect(model.prompts[1]).toContain("was not accepted");
      expect(ran).toEqual([{ selector: "#a" }]);
    });

    test("is shown to the model in compat mode, too, with tellModel", async () => {
      const options = { compat: true, onUnfixable: "tellModel" } as const;
      const { wrapped, model } = await setUp({ outputs: [calls(bad), done], options });
      expect(await run(way, wrapped)).toMatchObject({ output: "done" });
      expect(model.prompts[1]).toContain("was not accepted");
    });

    test("waits for the handler's answer to the one before it", async () => {
      const log: string[] = [];
      const onUnfixable: Handler = async (_, data) => {
        const { call } = data as { call: string };
        log.push(`asked about ${call}`);
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.push(`answered ${call}`);
        return undefined;
      };
      const outputs = [calls({ call: "a", ...bad }, { call: "b", ...bad }), done];
      const { wrapped } = await setUp({ outputs, options: { onUnfixable } });
      await run(way, wrapped);
      expect(log).toEqual(["asked about a", "answered a", "asked about b", "answered b"]);
    });

    test("in compat mode, ends the run once all are reported", async () => {
      const events: InputEvent[] = [];
      const { wrapped } = await setUp({
        outputs: [calls(bad, { selector: "#a" }, bad)],
        options: { compat: true, onToolCall: (event) => events.push(event) },
      });
      const thrown = { name: "ToolInputError", toolCall: { id: "call_0" } };
      await expect(run(way, wrapped)).rejects.toMatchObject(thrown);
      const reported = events.map(({ outcome }) => outcome);
      expect(reported).toEqual(["refused", "valid", "refused"]);
    });

    test("gets its own answer each time it is made concurrently", async () => {
      const answers = ["first", "second"];
      const { wrapped } = await setUp({
        outputs: [calls(5, 5), done],
        options: { level: "strict", fixers: undefined, onUnfixable: () => answers.shift() },
      });
      const { steps } = await run(way, wrapped);
      expect(steps).toMatchObject([{ observation: "first" }, { observation: "second" }]);
    });

    test("throws in compat mode, as does a handler that throws", async () => {
      const { wrapped } = await setUp({
        outputs: [calls(bad)],
        options: { compat: true },
      });
      await expect(run(way, wrapped)).rejects.toBeInstanceOf(ToolInputError);
      const onUnfixable = () => {
        throw new RangeError("mine");
      };
      const throwing = await setUp({ outputs: [calls(bad)], options: { onUnfixable } });
      await expect(run(way, throwing.wrapped)).rejects.toThrow("mine");
      const handling = await setUp({ outputs: [calls(bad)], handleParsingErrors: onUnfixable });
      await expect(run(way, handling.wrapped)).rejects.toThrow("mine");
    });
  });

  describe("a call of an unknown tool", () => {
    const unknown = () => {
      const call = { type: "tool_call" as const, id: "a", name: "press", args: { on: "#buy" } };
      return new AIMessage({ content: "", tool_calls: [call] });
    };

    test("goes to the handler, which may choose another", async () => {
      const onUnfixable = jest.fn<Handler>(() => ({ name: "click", args: { element: "#buy" } }));
      const { wrapped, ran, model } = await setUp({
        outputs: [unknown(), done],
        options: { onUnfixable },
      });
      const { steps } = await run(way, wrapped);
      const [error, causingData, action] = onUnfixable.mock.calls[0] ?? [];
      expect(error).toMatchObject({ toolName: "press", issues: [{ code: "unknown_tool" }] });
      expect([causingData, action]).toMatchObject([{ on: "#buy" }, { tool: "press" }]);
      expect(ran).toEqual([{ selector: "#buy" }]);
      expect(steps).toMatchObject([
        {
          action: {
            tool: "click",
            rawToolInput: { on: "#buy" },
            repairs: [{ fixer: "onUnfixable" }, {}],
            valid: true,
          },
          observation: "clicked #buy",
        },
      ]);
      expect(model.prompts[1]).toContain("clicked #buy");
    });

    test("is reported as corrected where the handler chooses another", async () => {
      const events: InputEvent[] = [];
      const { wrapped } = await setUp({
        outputs: [unknown(), done],
        options: {
          onUnfixable: () => ({ name: "click", args: { selector: "#buy" } }),
          onToolCall: (event) => events.push(event),
        },
      });
      await run(way, wrapped);
      expect(events).toMatchObject([{ kind: "call", outcome: "corrected", toolName: "click" }]);
    });

    test("is answered with the handler's text, or else with LangChain's", async () => {
      const answered = await setUp({
        outputs: [unknown(), done],
        options: { onUnfixable: () => "There is only click." },
      });
      expect((await run(way, answered.wrapped)).steps).toMatchObject([
        {
          action: { valid: false, rawToolInput: { on: "#buy" } },
          observation: "There is only click.",
        },
      ]);
      expect(answered.model.prompts[1]).toContain("There is only click.");
      const silent = await setUp({
        outputs: [unknown(), done],
        options: { onUnfixable: () => ({ selector: "#names-no-tool" }) },
      });
      const { steps } = await run(way, silent.wrapped);
      expect(steps[0]?.observation).toMatch(/^press is not a valid tool/);
      expect([...answered.ran, ...silent.ran]).toEqual([]);
    });
  });

  describe("output without an action", () => {
    const text = "I would rather click the button.";
    const outputs = [new AIMessage(text), new AIMessage("Final Answer: done")];
    const kind = "createReactAgent";

    test.each([
      { tool: "click", toolInput: { element: "#buy" } },
      { name: "click", args: "#buy" },
      { action: "Click", action_input: '{"selector": "#buy"}' },
    ] as JsonValue[])("becomes the action that the handler's JSON names: %j", async (answer) => {
      const onUnfixable = jest.fn<Handler>(() => answer);
      const { wrapped, ran } = await setUp({ kind, outputs, options: { onUnfixable } });
      const { steps } = await run(way, wrapped);
      const [error, causingData, action] = onUnfixable.mock.calls[0] ?? [];
      expect(error).toBeInstanceOf(OutputParserException);
      expect(causingData).toBe(text);
      expect(action).toBeUndefined();
      expect(ran).toEqual([{ selector: "#buy" }]);
      expect(steps).toMatchObject([
        {
          action: {
            tool: "click",
            toolInput: { selector: "#buy" },
            rawToolInput: text,
            repairs: expect.arrayContaining([
              expect.objectContaining({ fixer: "onUnfixable", before: text }),
            ]),
            log: text,
            valid: true,
          },
        },
      ]);
    });

    test("is answered with the handler's text", async () => {
      const onUnfixable: Handler = () => "Use the format.";
      const { wrapped, model } = await setUp({ kind, outputs, options: { onUnfixable } });
      const { steps, output } = await run(way, wrapped);
      expect(output).toBe("done");
      expect(steps).toMatchObject([
        {
          action: {
            tool: "_Exception",
            toolInput: "Use the format.",
            rawToolInput: text,
            valid: false,
          },
          observation: "Use the format.",
        },
      ]);
      expect(model.prompts[1]).toContain("Use the format.");
    });

    test.each([
      [true, "Invalid or incomplete response"],
      ["Again!", "Again!"],
      [(error: Error) => error.message.slice(0, 15), "Could not parse"],
    ])(
      "without an answer, handleParsingErrors: %p decides",
      async (handleParsingErrors, observed) => {
        const onUnfixable: Handler = () => ({ tool: "clack", toolInput: {} });
        const { wrapped } = await setUp({
          kind,
          outputs,
          handleParsingErrors,
          options: { onUnfixable },
        });
        const { steps } = await run(way, wrapped);
        // LangChain does not know its own tool in a stream.
        const observation =
          way === "invoke" ? observed : expect.stringMatching(/^_Exception is not/);
        expect(steps).toMatchObject([
          { action: { tool: "_Exception", toolInput: observed }, observation },
        ]);
      },
    );

    test("throws if no handler answers", async () => {
      const { wrapped } = await setUp({ kind, outputs });
      await expect(run(way, wrapped)).rejects.toBeInstanceOf(OutputParserException);
    });

    test("throws if the handler does not answer in time", async () => {
      const options = { onUnfixable: () => never, limits: { handlerTimeoutMs: 20 } };
      const { wrapped } = await setUp({ kind, outputs, options });
      await expect(run(way, wrapped)).rejects.toBeInstanceOf(OutputParserException);
    });

    test("is not waited for where the run is aborted while the handler is asked", async () => {
      const controller = new AbortController();
      const onUnfixable: Handler = () => {
        setTimeout(() => controller.abort(new RangeError("stopped")));
        return never;
      };
      const { wrapped } = await setUp({ kind, outputs, options: { onUnfixable } });
      const running = run(way, wrapped, { signal: controller.signal });
      await expect(running).rejects.toThrow("stopped");
    });

    test("corrected JSON that is rejected again is not passed to the handler a second time", async () => {
      const onUnfixable = jest.fn<Handler>(() => ({ tool: "click", toolInput: bad }));
      const { wrapped } = await setUp({
        kind,
        outputs,
        options: { onUnfixable, compat: true },
      });
      await expect(run(way, wrapped)).rejects.toBeInstanceOf(ToolInputError);
      expect(onUnfixable).toHaveBeenCalledTimes(1);
    });

    test("is passed to the handler once, though the parser that asks the model again is tried too", async () => {
      const onUnfixable = jest.fn<Handler>(() => undefined);
      const { wrapped, model } = await setUp({
        kind: "ChatConversationalAgent",
        outputs: [new AIMessage(text), new AIMessage(text)],
        options: { onUnfixable },
      });
      await expect(run(way, wrapped)).rejects.toBeInstanceOf(OutputParserException);
      expect(model.prompts).toHaveLength(2);
      expect(onUnfixable).toHaveBeenCalledTimes(1);
    });

    test.each(["createStructuredChatAgent", "ChatConversationalAgent"])(
      "%s: what the model writes when LangChain asks it again is run",
      async (kind) => {
        const blob = (json: string) => new AIMessage(`\`\`\`json\n${json}\n\`\`\``);
        const again = blob('{"action": "click", "action_input": {"element": "#buy"}}');
        const final = blob('{"action": "Final Answer", "action_input": "done"}');
        const outputs = [new AIMessage(text), again, final];
        const { wrapped, ran, model } = await setUp({ kind, outputs });
        expect(await run(way, wrapped)).toMatchObject({ output: "done" });
        expect(ran).toEqual([{ selector: "#buy" }]);
        expect(model.prompts).toHaveLength(3);
      },
    );

    test("goes to the handler before LangChain asks the model again", async () => {
      const onUnfixable = jest.fn<Handler>(() => ({ tool: "click", toolInput: "#buy" }));
      const answer = '```json\n{"action": "Final Answer", "action_input": "done"}\n```';
      const { wrapped, ran, model } = await setUp({
        kind: "createStructuredChatAgent",
        outputs: [new AIMessage(text), new AIMessage(answer)],
        options: { onUnfixable },
      });
      await run(way, wrapped);
      expect(ran).toEqual([{ selector: "#buy" }]);
      expect(model.prompts).toHaveLength(2);
      expect(onUnfixable.mock.calls[0]?.[1]).toBe(text);
    });
  });
});
