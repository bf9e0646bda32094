import { describe, expect, test } from "@jest/globals";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import {
  isToolInputParsingException,
  ToolInputError,
  ToolInputParsingException,
  wrapTool,
} from "toolmend";
import { toolChain } from "toolmend/runnables";
import { z } from "zod";
import { complexTool, forgetful } from "./complex-tool.ts";
import { ScriptedModel } from "./scripted-model.ts";

const safe = wrapTool(complexTool);
const args = forgetful[0]?.args as never;
const thrownBy = (run: Promise<unknown>) =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  );
const whole = {
  name: "ToolInputError",
  toolName: "complex_tool",
  causingData: args,
  issues: [{ path: "/dict_arg", code: "invalid_type" }],
  output: JSON.stringify(args),
};

function expectWhole(error: unknown): void {
  expect(error).toBeInstanceOf(ToolInputError);
  expect(error).toBeInstanceOf(ToolInputParsingException);
  expect(isToolInputParsingException(error)).toBe(true);
  expect(error).toMatchObject(whole);
}

describe("a ToolInputError comes whole through", () => {
  test("RunnableSequence: invoke, batch and stream", async () => {
    const chain = RunnableLambda.from(() => args)
      .pipe(safe)
      .pipe((output) => output);
    expectWhole(await thrownBy(chain.invoke("")));
    expectWhole(await thrownBy(chain.batch(["", ""])));
    const [inBatch] = await chain.batch([""], {}, { returnExceptions: true });
    expectWhole(inBatch);
    const read = async () => {
      for await (const _ of await chain.stream(""));
    };
    expectWhole(await thrownBy(read()));
  });

  test("RunnableRetry, which hands it to onFailedAttempt, and marks it in a batch", async () => {
    const failed: unknown[] = [];
    const retried = safe.withRetry({
      stopAfterAttempt: 2,
      onFailedAttempt: (error) => failed.push(error),
    });
    expectWhole(await thrownBy(retried.invoke(args)));
    expectWhole(failed[0]);
    expect(failed).toHaveLength(2);
    expectWhole(await thrownBy(retried.batch([args])));
  }, 20_000);

  test("toolChain in a sequence, with a retry around it", async () => {
    const model = new ScriptedModel(forgetful, forgetful);
    const chain = toolChain(model, [complexTool]).withRetry({ stopAfterAttempt: 2 });
    expectWhole(await thrownBy(chain.pipe((results) => results).invoke("go")));
    expect(model.asked).toHaveLength(2);
  }, 20_000);

  test("serialisation: all but the stack and the cause", async () => {
    const error = (await thrownBy(safe.invoke(args))) as ToolInputError;
    const text = JSON.stringify(error);
    const { output: _, ...plain } = whole;
    expect(JSON.parse(text)).toMatchObject(plain);
    expect(text).not.toMatch(/"stack"|"cause"|\.ts:\d+/);
  });

  test("the tracer gets an error of that name", async () => {
    const errors: unknown[] = [];
    const handler = { handleChainError: (error: unknown) => errors.push(error) };
    const chain = RunnableLambda.from(() => args).pipe(safe);
    await thrownBy(chain.invoke("", { callbacks: [handler as never] }));
    expectWhole(errors[0]);
  });
});

test("an error of another copy of toolmend is one too, and so is LangChain's", async () => {
  // As a second copy of the module makes it.
  const brand = Symbol.for("toolmend.ToolInputError");
  class ToolInputErrorOfACopy extends Error {
    override name = "ToolInputError";
    output = "{}";
    constructor() {
      super("Received tool input did not match expected schema");
      Object.defineProperty(this, brand, { value: true });
    }
  }
  const copy = new ToolInputErrorOfACopy();
  expect(isToolInputParsingException(copy)).toBe(true);
  expect(ToolInputError.isInstance(copy)).toBe(true);
  expect(copy instanceof ToolInputError).toBe(true);
  expect(new Error("x") instanceof ToolInputError).toBe(false);
  expect((await thrownBy(safe.invoke(args))) instanceof ToolInputError).toBe(true);
  class Special extends ToolInputError {}
  expect(copy instanceof Special).toBe(false);
  const bare = tool(() => "", { name: "x", schema: z.object({ a: z.string() }) });
  const langchains = await thrownBy(bare.invoke({} as never));
  expect(isToolInputParsingException(langchains)).toBe(true);
  expect(langchains instanceof ToolInputError).toBe(false);
});
