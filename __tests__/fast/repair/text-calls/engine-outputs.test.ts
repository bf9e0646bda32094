import { expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { readTextCalls } from "#src/repair/text-calls/read-text-calls.ts";
import {
  type EngineOutput,
  readEngineOutputs,
  readThreadOutputs,
  tools,
} from "../../../support/repair/text-calls/engine-outputs.ts";
import { allFormats } from "../../../support/repair/text-calls/forms.ts";

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

/** The texts that are read otherwise than they should be. */
async function differing(texts: readonly EngineOutput[]) {
  const read = await Promise.all(
    texts.map(async (output) => ({ output, calls: await run(output) })),
  );
  return read.filter(
    ({ output, calls }) => JSON.stringify(calls ?? []) !== JSON.stringify(output.calls),
  );
}

test("reads what engines read, and nothing else", async () => {
  expect(await differing(outputs)).toEqual([]);
});

test("reads the calls that public threads quote, and nothing else", async () => {
  expect(await differing(readThreadOutputs())).toEqual([]);
});

test("reads no call of a thread in a format that is not its own", () => {
  for (const { text, format } of readThreadOutputs()) {
    const found = readTextCalls(text, tools, { formats: allFormats });
    expect([format, undefined]).toContain(found?.format);
  }
});
