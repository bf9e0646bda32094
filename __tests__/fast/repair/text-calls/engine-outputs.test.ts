import { expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { readTextCalls } from "#src/repair/text-calls/read-text-calls.ts";
import {
  type EngineOutput,
  readEngineOutputs,
  tools,
} from "../../../support/repair/text-calls/engine-outputs.ts";

/** The calls, with each tool's input; `undefined` if one input is rejected. */
async function run({ text, format }: EngineOutput): Promise<readonly unknown[] | undefined> {
  const calls = readTextCalls(text, tools, { formats: [format] })?.calls ?? [];
  const results = await Promise.all(
    calls.map(async ({ name, args }) => {
      const tool = tools.find((one) => one.name === name);
      const result = tool && (await repairToolInput(args, tool));
      return result?.ok ? { name, args: result.toolInput } : undefined;
    }),
  );
  return results.includes(undefined) ? undefined : results;
}

const outputs = readEngineOutputs();

test("the texts come from the tests of many engines", () => {
  expect(outputs.length).toBeGreaterThanOrEqual(300);
  expect(new Set(outputs.map(({ engine }) => engine)).size).toBeGreaterThanOrEqual(25);
});

test("reads what engines read, and nothing else", async () => {
  const read = await Promise.all(
    outputs.map(async (output) => ({ output, calls: await run(output) })),
  );
  const differing = read.filter(
    ({ output, calls }) => JSON.stringify(calls ?? []) !== JSON.stringify(output.calls),
  );
  expect(differing).toEqual([]);
});
