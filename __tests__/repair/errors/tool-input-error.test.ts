import { describe, expect, test } from "@jest/globals";
import { tool } from "@langchain/core/tools";
import { isToolInputParsingException, ToolInputError, ToolInputParsingException } from "toolmend";
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
    expect(error.message).toContain(
      '/selector: is required (received nothing) — did you mean "element"?',
    );
    expect(error.message).toContain('- the input has: "element", "note"');
    expect(error.message).not.toContain("underneath");
    expect(error.cause).toMatchObject({ message: "underneath" });
  });

  test("tells a model field, expected, received and did-you-mean, and nothing else", () => {
    expect(error.toModelMessage().split("\n")).toEqual([
      'The input of tool "click" was not accepted, and the tool was not run:',
      '- selector: expected string, received nothing — did you mean "element"?',
      '- the input has: "element", "note"',
      'Call "click" again with corrected arguments.',
    ]);
    expect(error.toModelMessage()).not.toMatch(/private|underneath|at .*\.ts/);
  });

  test("cuts a long message for a model to length", () => {
    const issues = Array.from({ length: 50 }, (_, index) => ({
      path: `/field${index}`,
      message: "x".repeat(400),
      code: "custom",
    }));
    const long = new ToolInputError({ toolName: "t", causingData: "", issues });
    expect(long.toModelMessage().length).toBeLessThanOrEqual(1_200);
  });

  test("serialises without its stack and its cause", () => {
    const plain = JSON.parse(JSON.stringify(error));
    expect(plain).toMatchObject({ name: "ToolInputError", toolName: "click" });
    expect(plain.causingData).toEqual({ element: "#buy", note: "private" });
    expect(plain).not.toHaveProperty("stack");
    expect(plain).not.toHaveProperty("cause");
  });
});

describe("isToolInputParsingException", () => {
  test("knows what LangChain itself throws", async () => {
    const bare = tool(async () => "", { name: "t", schema: z.object({ a: z.string() }) });
    const thrown = await bare.invoke({ a: 1 } as never).catch((caught: unknown) => caught);
    expect(isToolInputParsingException(thrown)).toBe(true);
  });

  test("knows the class of another copy, where instanceof fails", () => {
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
  ])("does not take %s for one", (_, value) => {
    expect(isToolInputParsingException(value)).toBe(false);
  });
});
