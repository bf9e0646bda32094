import { describe, expect, test } from "@jest/globals";
import { tool as langChainTool } from "@langchain/core/tools";
import { wrapTool } from "toolmend";
import {
  createFixerRegistry,
  type InputEvent,
  type RepairLevel,
  type RepairLevelOption,
  type RepairOptions,
  repairToolCall,
  repairToolInput,
  type ToolLike,
} from "toolmend/core";
import { z } from "zod";
import { object, text } from "../../support/repair/align/run.ts";

type Equal<Left, Right> =
  (<Type>() => Type extends Left ? 1 : 2) extends <Type>() => Type extends Right ? 1 : 2
    ? true
    : false;
type Expect<Truth extends true> = Truth;

/** Only the option may be `"auto"`: events hold the level that it was resolved to. */
export type Cases = [
  Expect<Equal<InputEvent["level"], RepairLevel>>,
  Expect<Equal<RepairOptions["level"], RepairLevelOption | undefined>>,
];

const schema = object({ directory: text }, true);
const readOnly = { annotations: { readOnlyHint: true } };
/** Only `eager` repairs it. */
const typo = { directry: "src" };

const read: ToolLike = { name: "read", schema, metadata: readOnly };
const write: ToolLike = {
  name: "write",
  schema,
  metadata: { annotations: { readOnlyHint: false, destructiveHint: true } },
};

/** What LangChain makes a tool of. */
const fields = { name: "read", schema: schema as object, metadata: readOnly };

/** The level that a typo is judged at, by the event, and by whether it is repaired. */
async function levelFor(tool: ToolLike, options: RepairOptions): Promise<string> {
  const levels: string[] = [];
  const onToolCall = (event: InputEvent) => void levels.push(event.level);
  const { ok, repairs } = await repairToolInput(typo, tool, { ...options, onToolCall });
  expect(levels).toEqual([ok ? "eager" : expect.stringMatching(/^(safe|strict)$/)]);
  expect(repairs.map(({ level }) => level)).toEqual(ok ? ["eager"] : []);
  return levels.join();
}

/** An object whose every property throws. */
const hostile = new Proxy(
  {},
  {
    get() {
      throw new Error("Do not read me.");
    },
  },
);

/** A tool that a class makes, with the metadata of its prototype. */
class ReadTool {
  readonly name = "read";
  readonly schema = schema;
  get metadata() {
    return readOnly;
  }
}

describe('with level: "auto", eager repairs', () => {
  const tools: readonly (readonly [string, ToolLike])[] = [
    ["a plain object with the metadata of a LangChain tool", read],
    ["a LangChain tool", langChainTool(() => "", fields)],
    [
      "a LangChain tool with zod",
      langChainTool(() => "", {
        name: "read",
        schema: z.strictObject({ directory: z.string() }),
        metadata: readOnly,
      }),
    ],
    ["a wrapped tool", wrapTool(langChainTool(() => "", fields))],
    ["a tool whose class has the metadata", new ReadTool()],
    ["an MCP description", { name: "read", schema, ...readOnly }],
    ["an MCP description with other metadata", { name: "read", schema, ...readOnly, metadata: {} }],
    [
      "a frozen tool with further hints",
      Object.freeze({
        name: "read",
        schema,
        metadata: { annotations: { title: "Read", readOnlyHint: true, openWorldHint: true } },
      }),
    ],
  ];
  test.each(tools)("the input of %s", async (_, tool) => {
    expect(await levelFor(tool, { level: "safe" })).toBe("safe");
    expect(await levelFor(tool, { level: "auto" })).toBe("eager");
  });
});

describe('with level: "auto", only safe repairs', () => {
  const annotations: readonly (readonly [string, unknown])[] = [
    ["are absent", undefined],
    ["are null", null],
    ["are text", "readOnlyHint: true"],
    ["are a list", [{ readOnlyHint: true }]],
    ["are empty", {}],
    ["say false", { readOnlyHint: false }],
    ["say true as text", { readOnlyHint: "true" }],
    ["say one", { readOnlyHint: 1 }],
    ["say it as an object", { readOnlyHint: new Boolean(true) }],
    ["say it by a function", { readOnlyHint: () => true }],
    ["have other hints", { idempotentHint: true, destructiveHint: false }],
    ["have the hint in another case", { readonlyhint: true }],
    ["throw when they are read", hostile],
  ];
  test.each(annotations)("the input of a tool whose annotations %s", async (_, value) => {
    const described = { name: "read", schema, annotations: value };
    expect(await levelFor(described, { level: "auto" })).toBe("safe");
    const tool = { name: "read", schema, metadata: { annotations: value } };
    expect(await levelFor(tool, { level: "auto" })).toBe("safe");
  });

  test.each([
    ["null", null],
    ["text", "readOnlyHint"],
    ["a list", [readOnly]],
    ["what throws when it is read", hostile],
  ])("the input of a tool whose metadata is %s", async (_, metadata) => {
    expect(await levelFor({ name: "read", schema, metadata }, { level: "auto" })).toBe("safe");
  });

  test("the input of a tool that has the hint outside of annotations", async () => {
    const misplaced = { name: "read", schema, readOnlyHint: true };
    expect(await levelFor(misplaced, { level: "auto" })).toBe("safe");
    const metadata = { readOnlyHint: true };
    expect(await levelFor({ name: "read", schema, metadata }, { level: "auto" })).toBe("safe");
  });

  test("the input of a tool whose metadata is a getter that throws", async () => {
    const tool = {
      name: "read",
      schema,
      get metadata(): unknown {
        throw new Error("Do not read me.");
      },
    };
    expect(await levelFor(tool, { level: "auto" })).toBe("safe");
  });

  test("the input of a tool whose metadata contradicts its description", async () => {
    const tool = { name: "read", schema, ...readOnly, metadata: write.metadata };
    expect(await levelFor(tool, { level: "auto" })).toBe("safe");
  });
});

describe("the level of a tool", () => {
  const registryOf = (level?: RepairLevelOption, ofTool?: RepairLevelOption) => {
    const fixers = createFixerRegistry([read, write], { level });
    if (ofTool !== undefined) fixers.register("read", { level: ofTool });
    return fixers;
  };
  const rows: readonly (readonly [string, RepairOptions, string])[] = [
    ["the registry's auto", { fixers: registryOf("auto") }, "eager"],
    [
      "the options' auto over the registry's level",
      {
        fixers: registryOf("strict"),
        level: "auto",
      },
      "eager",
    ],
    [
      "the options' level over the registry's auto",
      {
        fixers: registryOf("auto"),
        level: "safe",
      },
      "safe",
    ],
    [
      "the tool's auto over the options' level",
      {
        fixers: registryOf("strict", "auto"),
        level: "strict",
      },
      "eager",
    ],
    [
      "the tool's level over auto of the options and the registry",
      {
        fixers: registryOf("auto", "strict"),
        level: "auto",
      },
      "strict",
    ],
  ];
  test.each(rows)("is %s", async (_, options, level) => {
    expect(await levelFor(read, options)).toBe(level);
  });

  test("is auto by an entry for every tool, which each tool answers for itself", async () => {
    const fixers = createFixerRegistry([read, write]);
    fixers.register("*", { level: "auto" });
    expect(await levelFor(read, { fixers })).toBe("eager");
    expect(await levelFor(write, { fixers })).toBe("safe");
  });

  test("decides about single edits, with the switches", async () => {
    const edits = { "correct-key": false };
    expect(await levelFor(read, { level: "auto" })).toBe("eager");
    const { ok } = await repairToolInput(typo, read, { level: "auto", edits });
    expect(ok).toBe(false);
  });
});

describe('a call with level: "auto"', () => {
  test("is repaired at the level of its tool", async () => {
    const tools = [read, write];
    const options = { level: "auto" } as const;
    const reading = await repairToolCall({ name: "read", args: typo }, tools, options);
    const writing = await repairToolCall({ name: "write", args: typo }, tools, options);
    expect([reading.ok, writing.ok]).toEqual([true, false]);
  });

  test.each([
    ["is repaired, if the tool that would run only reads", readOnly, true],
    ["is rejected, if the tool that would run writes", {}, false],
  ])("whose name has a word too many %s", async (_, metadata, isRepaired) => {
    const lines = { name: "read_file_lines", schema, metadata };
    const remove = { name: "delete_file", schema, metadata: isRepaired ? {} : readOnly };
    const tools = [lines, remove];
    const call = { name: "type_read_file_lines", args: { directory: "src" } };
    expect((await repairToolCall(call, tools, { level: "safe" })).ok).toBe(false);
    expect((await repairToolCall(call, tools, { level: "eager" })).ok).toBe(true);
    expect((await repairToolCall(call, tools, { level: "auto" })).ok).toBe(isRepaired);
  });

  test("of an unknown tool is reported at safe", async () => {
    const levels: string[] = [];
    const onToolCall = (event: InputEvent) => void levels.push(event.level);
    const call = { name: "nothing_like_it", args: {} };
    await repairToolCall(call, [read], { level: "auto", onToolCall });
    expect(levels).toEqual(["safe"]);
  });
});

test("the explanation names the levels beyond the resolved one", async () => {
  const { steps } = await repairToolInput(typo, write, { level: "auto", explain: true });
  const says = steps?.find(({ step }) => step === "level")?.says;
  expect(says).toBe('"eager" would repair it, by correct-key');
});
