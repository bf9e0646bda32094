import { beforeAll, describe, expect, jest, test } from "@jest/globals";
import { awaitAllCallbacks } from "@langchain/core/callbacks/promises";
import { RunnableLambda } from "@langchain/core/runnables";
import {
  isToolInputParsingException,
  ToolInputError,
  ToolInputParsingException,
  wrapTool,
} from "toolmend";
import { repairToolCalls } from "toolmend/messages";
import { complexTool, forgetful } from "../../../support/langchain/runnables/complex-tool.ts";
import { ScriptedModel } from "../../../support/langchain/runnables/scripted-model.ts";

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

describe("a ToolInputError survives", () => {
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

  test("RunnableRetry, which passes it to onFailedAttempt, and marks it in a batch", async () => {
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

  test("repairToolCalls in a sequence, with a retry around it", async () => {
    const model = new ScriptedModel(forgetful, forgetful);
    const chain = model.pipe(repairToolCalls([complexTool])).withRetry({ stopAfterAttempt: 2 });
    expectWhole(await thrownBy(chain.pipe((message) => message).invoke("go")));
    expect(model.asked).toHaveLength(2);
  }, 20_000);

  test("serialization: all but the stack and the cause", async () => {
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
    await awaitAllCallbacks();
    expectWhole(errors[0]);
  });
});

describe("across installs of toolmend and of LangChain", () => {
  let copy: typeof import("toolmend");
  beforeAll(async () => {
    await jest.isolateModulesAsync(async () => {
      copy = await import("toolmend");
      // Jest isolates only what is imported in here.
      await copy.preload();
    });
  });

  test("instanceof and the guards hold", async () => {
    expect(copy.ToolInputError).not.toBe(ToolInputError);
    expect(copy.ToolInputParsingException).not.toBe(ToolInputParsingException);
    const error = await thrownBy(copy.wrapTool(complexTool).invoke(args));
    expect(Object.getPrototypeOf(error)).toBe(copy.ToolInputError.prototype);
    expect(error instanceof ToolInputError).toBe(true);
    expect(error).toBeInstanceOf(ToolInputError);
    expect(isToolInputParsingException(error)).toBe(true);
    expect(error).toMatchObject(whole);
  });

  test("a subclass is still a subclass, and other errors do not match", async () => {
    class Special extends ToolInputError {}
    const special = new Special({ toolName: "x", causingData: "", issues: [] });
    const error = await thrownBy(copy.wrapTool(complexTool).invoke(args));
    expect(special instanceof Special && special instanceof ToolInputError).toBe(true);
    expect(error instanceof Special).toBe(false);
    for (const other of [new Error("x"), { name: "ToolInputError" }, undefined, null, "x"]) {
      expect((other as unknown) instanceof ToolInputError).toBe(false);
    }
  });

  test("LangChain's own error from another install is recognized, and is not a ToolInputError", () => {
    const error = new copy.ToolInputParsingException(
      "Received tool input did not match expected schema",
      "{}",
    );
    expect(error instanceof ToolInputParsingException).toBe(false);
    expect(isToolInputParsingException(error)).toBe(true);
    expect((error as unknown) instanceof ToolInputError).toBe(false);
  });
});
