import { describe, expect, test } from "@jest/globals";
import {
  normalizeIntermediateSteps,
  repairToolCall,
  repairToolInput,
  type WrapToolOptions,
} from "toolmend";
import { z } from "zod";

const click = { name: "click", schema: z.object({ selector: z.string() }) };
const handlers = { "a function": () => "look first", tellModel: "tellModel" as const };

describe.each(Object.keys(handlers) as (keyof typeof handlers)[])("onUnfixable, %s", (kind) => {
  const onUnfixable = handlers[kind];

  test("throws in functions that return the error, and the message says what to do instead", async () => {
    const options = { onUnfixable } as never;
    const step = { action: { tool: "click", toolInput: {}, log: "" }, observation: "" };
    for (const run of [
      repairToolInput({ selector: "#a" }, click, options),
      repairToolCall({ name: "click", args: {} }, [click], options),
      normalizeIntermediateSteps([step], [click], options),
    ]) {
      await expect(run).rejects.toThrow(TypeError);
      await expect(run).rejects.toThrow(
        /"onUnfixable".* must be left out: the error is returned, .*wrapper/,
      );
    }
  });
});

test("onUnfixable does not compile there, even as one of a wrapper's options", async () => {
  const options: WrapToolOptions = { onUnfixable: "tellModel" };
  // @ts-expect-error: repairToolInput has no handler
  await expect(repairToolInput({}, click, options)).rejects.toThrow(TypeError);
  // @ts-expect-error: nor has repairToolCall
  await expect(repairToolCall({ name: "click" }, [click], options)).rejects.toThrow(TypeError);
  // @ts-expect-error: nor has normalizeIntermediateSteps
  await expect(normalizeIntermediateSteps([], [click], options)).rejects.toThrow(TypeError);
});

test("an undefined handler counts as absent", async () => {
  const options = { level: "safe", onUnfixable: undefined } as const;
  expect(await repairToolInput({ selector: "#a" }, click, options)).toMatchObject({ ok: true });
});
