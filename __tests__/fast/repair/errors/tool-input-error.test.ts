import { describe, expect, jest, test } from "@jest/globals";
import { tool } from "@langchain/core/tools";
import {
  isToolInputParsingException,
  type RepairOptions,
  repairToolCall,
  repairToolInput,
  ToolInputError,
  ToolInputParsingException,
} from "toolmend";
import { z } from "zod";

const error = new ToolInputError({
  toolName: "click",
  causingData: { element: "#buy", note: "private" },
  issues: [
    {
      path: "/selector",
      message: "is required",
      code: "required",
      expected: "string",
      received: "nothing",
      didYouMean: '"element"',
    },
  ],
  cause: new Error("underneath"),
});

describe("ToolInputError", () => {
  test("is LangChain's exception, with the data that caused it", () => {
    expect(error).toBeInstanceOf(ToolInputParsingException);
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("ToolInputError");
    expect(error.output).toBe('{"element":"#buy","note":"private"}');
    expect(error.message).toMatch(/^Received tool input did not match expected schema/);
    expect(error.message).not.toContain("underneath");
    expect(error.cause).toMatchObject({ message: "underneath" });
  });

  test("has a message without model output, safe for logs and traces", async () => {
    const schema = z.strictObject({
      to: z.email(),
      headers: z.record(z.string(), z.number()),
      kind: z.enum(["a", "b"]),
      note: z.string().refine((note) => note === "", { error: ({ input }) => `not ${input}` }),
    });
    const canaries = ["canary-key", "canary-value", "canary-header", "canary-kind", "canary-note"];
    const [key = "", value, header = "", kind, note] = canaries;
    const raw = { to: value, headers: { [header]: "x" }, kind, note, [key]: value };
    const result = await repairToolInput(raw, { name: "send", schema }, { level: "strict" });
    expect(result.ok).toBe(false);
    if (result.ok) return;
    expect(result.error.message.split("\n")).toEqual([
      'Received tool input did not match expected schema of tool "send":',
      "- /to: invalid_format, received string",
      "- /headers/(undeclared key): invalid_type, expected number, received string",
      '- /kind: invalid_value, expected one of "a", "b", received string',
      "- /note: custom, received string",
      "- /(undeclared key): unrecognized_keys, received string",
    ]);
    for (const canary of canaries) {
      expect(`${result.error.message}${result.error.stack}`).not.toContain(canary);
      expect(JSON.stringify(result.error)).toContain(canary);
    }
  });

  test("tells the model the field, expected, received and did-you-mean, and nothing else", () => {
    expect(error.toModelMessage().split("\n")).toEqual([
      'The input of tool "click" was not accepted, and the tool was not run:',
      '- selector: expected string, received nothing — did you mean "element"?',
      '- the input has: "element", "note"',
      'Call "click" again with corrected arguments. Do not make up values or swap in others: ask instead.',
    ]);
    expect(error.toModelMessage()).not.toMatch(/private|underneath|at .*\.ts/);
  });

  test("truncates a long message for the model", () => {
    const issues = Array.from({ length: 50 }, (_, index) => ({
      path: `/field${index}`,
      message: "x".repeat(400),
      code: "custom",
    }));
    const long = new ToolInputError({ toolName: "t", causingData: "", issues });
    expect(long.toModelMessage().length).toBeLessThanOrEqual(1_200);
  });

  test("serializes without its stack and its cause", () => {
    const plain = JSON.parse(JSON.stringify(error));
    expect(plain).toMatchObject({ name: "ToolInputError", toolName: "click" });
    expect(plain.causingData).toEqual({ element: "#buy", note: "private" });
    expect(plain).not.toHaveProperty("stack");
    expect(plain).not.toHaveProperty("cause");
  });
});

test("what was probably meant is searched for once, when the issues are read, with no regard to the time", async () => {
  const schema = { type: "object", properties: { unit: { enum: ["celsius", "kelvin"] } } };
  const result = await repairToolInput({ unit: "cellsius" }, { name: "t", schema });
  if (result.ok) throw new Error("it was repaired");
  const clock = jest.spyOn(performance, "now").mockReturnValue(Number.MAX_SAFE_INTEGER);
  const { issues } = result.error;
  clock.mockRestore();
  expect(issues).toMatchObject([{ path: "/unit", didYouMean: '"celsius"' }]);
  expect(result.error.issues).toBe(issues);
  expect(result.error.toJSON().issues).toBe(issues);
});

describe("isToolInputParsingException", () => {
  test("recognizes what LangChain itself throws", async () => {
    const bare = tool(async () => "", { name: "t", schema: z.object({ a: z.string() }) });
    const thrown = await bare.invoke({ a: 1 } as never).catch((caught: unknown) => caught);
    expect(isToolInputParsingException(thrown)).toBe(true);
  });

  test("recognizes the class of a duplicate install, where instanceof fails", () => {
    class Copy extends Error {
      output?: string;
      constructor(message: string, output?: string) {
        super(message);
        this.output = output;
      }
    }
    Object.defineProperty(Copy, "name", { value: "ToolInputParsingException" });
    expect(new Copy("x", "{}")).not.toBeInstanceOf(ToolInputParsingException);
    expect(isToolInputParsingException(new Copy("other words", "{}"))).toBe(true);
  });

  test.each([
    ["another error", new Error("Received tool input did not match expected schema")],
    ["an error with output", Object.assign(new Error("x"), { output: "" })],
    ["no error", { message: "Received tool input did not match expected schema", output: "" }],
    ["nothing", undefined],
  ])("does not mistake %s for one", (_, value) => {
    expect(isToolInputParsingException(value)).toBe(false);
  });
});

describe("the reason of a rejection", () => {
  const schema = { type: "object", properties: { a: { type: "integer" }, b: { type: "integer" } } };
  const closed = { ...schema, required: ["a"], additionalProperties: false };
  const reasonFor = async (raw: unknown, options: RepairOptions = {}, wanted: object = closed) => {
    const result = await repairToolInput(raw, { name: "t", schema: wanted }, options);
    if (result.ok) throw new Error("it was repaired");
    return result.error;
  };

  test.each<[string, unknown, RepairOptions]>([
    ["invalid", { a: "x" }, {}],
    ["cut_off", '{"a": 1, "b', {}],
    ["several", '{"a": 1} {"a": 2}', {}],
    ["not_json", { a: { b: () => 1 } }, {}],
    ["not_json", { a: Number.NaN }, {}],
    ["nothing", undefined, {}],
    ["limit", `{"a": "${"x".repeat(100)}"}`, { limits: { maxLength: 50 } }],
    ["limit", { a: "5" }, { limits: { maxSteps: 1 } }],
    ["limit", { a: "5" }, { limits: { timeoutMs: 1e-6 } }],
  ])("is %s for %j", async (reason, raw, options) => {
    expect(await reasonFor(raw, options)).toMatchObject({ reason });
  });

  test("names the limit that was exceeded", async () => {
    const limits = { maxLength: 50, maxSteps: 1 };
    const error = await reasonFor(`{"a": "${"x".repeat(100)}"}`, { limits });
    expect(error.limit).toEqual({ name: "maxLength", value: 50 });
    const other = await reasonFor({ a: "5" }, { limits });
    expect(other.limit).toEqual({ name: "maxSteps", value: 1 });
    expect(other.message).toContain("limits.maxSteps");
    const late = await reasonFor({ a: "5" }, { limits: { timeoutMs: 1e-6 } });
    expect(late.limit).toEqual({ name: "timeoutMs", value: 1e-6 });
    expect(late.message).toContain("limits.timeoutMs");
  });

  test("shows the model some candidates if the input is ambiguous", async () => {
    const either = {
      type: "object",
      properties: {
        when: {
          anyOf: [
            { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
            { type: "object", properties: { hour: { type: "string" } }, required: ["hour"] },
          ],
        },
      },
      required: ["when"],
    };
    const error = await reasonFor({ when: "5pm" }, { level: "eager" }, either);
    expect(error.reason === "ambiguous" ? error.candidates?.length : 0).toBeLessThanOrEqual(4);
    expect(error.toJSON()).toMatchObject({ reason: error.reason });
  });

  test("is unknown_tool if the tool does not exist", async () => {
    const result = await repairToolCall({ name: "zzz", args: {} }, [{ name: "t", schema: closed }]);
    expect(result).toMatchObject({ ok: false, error: { reason: "unknown_tool" } });
  });
});

test("an error that wraps a ToolInputError gets its fields as non-enumerable properties", () => {
  const action = { tool: "t", toolInput: "x", log: "" };
  const issues = [{ path: "/a", code: "custom", message: "no" }];
  const inner = new ToolInputError({ toolName: "t", causingData: { a: 1 }, issues, action });
  const outer = new Error("middleware", { cause: new Error("between", { cause: inner }) });
  expect(isToolInputParsingException(outer)).toBe(true);
  expect(outer).not.toBeInstanceOf(ToolInputError);
  if (!isToolInputParsingException(outer)) return;
  const { toolName, causingData, reason } = outer;
  expect([toolName, causingData, reason]).toEqual(["t", { a: 1 }, "invalid"]);
  expect([outer.issues, outer.action]).toEqual([inner.issues, action]);
  expect(outer.toModelMessage()).toBe(inner.toModelMessage());
  expect([Object.keys(outer), outer.message]).toEqual([[], "middleware"]);
});

test("the guard finds an error below many causes, and ends if they go in a circle", () => {
  const inner: Error = new ToolInputError({ toolName: "t", causingData: {}, issues: [] });
  const levels = Array.from({ length: 20 }, (_, level) => `level ${level}`);
  const outer = levels.reduce((cause, message) => new Error(message, { cause }), inner);
  expect(isToolInputParsingException(outer)).toBe(true);
  expect(outer).toMatchObject({ message: "level 19", toolName: "t" });
  const last = new Error("last");
  last.cause = new Error("first", { cause: last });
  for (const one of [last, last.cause, new Error("outer", { cause: last })]) {
    expect(isToolInputParsingException(one)).toBe(false);
  }
});

test("the guard ends for an error that makes a new cause each time it is asked", () => {
  let made = 0;
  class Endless extends Error {
    override get cause(): Error {
      if (++made > 10_000) throw new Error("The guard does not end.");
      return new Endless();
    }
  }
  expect(isToolInputParsingException(new Endless())).toBe(false);
});

test("the guard is false for an error that cannot carry the fields", () => {
  const inner = new ToolInputError({ toolName: "t", causingData: {}, issues: [] });
  expect(isToolInputParsingException(Object.freeze(new Error("x", { cause: inner })))).toBe(false);
});

test("LangChain's own exception carries the fields that it knows", () => {
  const given = new ToolInputParsingException("Received tool input did not match", '{"a":1}');
  expect(isToolInputParsingException(given)).toBe(true);
  expect(given).toMatchObject({ toolName: "", causingData: { a: 1 }, reason: "invalid" });
  expect(given).toMatchObject({ issues: [{ path: "", message: given.message }] });
  expect((given as ToolInputError).toModelMessage()).toContain("The input of the tool was not");
});

test("an error branded by a source patch is recognized", () => {
  const branded = Object.assign(new Error("other words"), {
    [Symbol.for("langchain.error.tool-input-parsing")]: true,
  });
  expect(isToolInputParsingException(branded)).toBe(true);
});
