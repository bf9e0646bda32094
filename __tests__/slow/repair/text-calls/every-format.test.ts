import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { z } from "zod";
import { textFormats } from "#src/repair/text-calls/formats.ts";
import { readTextCalls } from "#src/repair/text-calls/read-text-calls.ts";
import {
  allFormats,
  rowOf,
  SENTENCES,
  type WrittenForm,
  writtenForms,
} from "../../../support/repair/text-calls/forms.ts";
import type { MeantCall } from "../../../support/repair/text-calls/write-calls.ts";

const tools = [
  { name: "get_weather", schema: z.object({ city: z.string(), days: z.number().optional() }) },
  { name: "ping", schema: z.object({}) },
  {
    name: "save",
    schema: z.object({
      note: z.string(),
      tags: z.array(z.string()).optional(),
      place: z.object({ lat: z.number(), label: z.string() }).optional(),
      urgent: z.boolean().optional(),
    }),
  },
];

const weather = (city: string): MeantCall => ({ name: "get_weather", args: { city, days: 3 } });
const save = (args: MeantCall["args"]): MeantCall => ({ name: "save", args });
const PARIS = weather("Paris");

/** The calls, by their special content. */
const calls: readonly (readonly [string, readonly MeantCall[]])[] = [
  ["one call", [PARIS]],
  ["two calls of one tool", [PARIS, weather("Rome")]],
  ["three calls of three tools", [PARIS, save({ note: "a" }), { name: "ping", args: {} }]],
  ["no arguments", [{ name: "ping", args: {} }]],
  ["an object", [save({ note: "a", place: { lat: 48.85, label: "Paris" } })]],
  ["a list", [save({ note: "a", tags: ["one", "two", "three"] })]],
  ["a boolean", [save({ note: "a", urgent: true })]],
  ["text that looks like a number", [save({ note: "3.10" })]],
  ["text that looks like JSON", [save({ note: '{"a": [1, true]}' })]],
  ["text in many scripts", [save({ note: "日本語 и русский, naïve café 🎉 ŷ" })]],
  ["text of several lines", [save({ note: "first\n  second\n\nthird" })]],
  ["quotes and brackets in text", [save({ note: `say "hi" to {it's} [x] (y) \\ end` })]],
  [
    "another format's marks in text",
    [
      save({
        note: 'use <tool_call>{"name": "ping"}</tool_call> or [TOOL_CALLS] or <|python_tag|>',
      }),
    ],
  ],
  ["a question in text", [save({ note: "Do not run this: I would not." }), PARIS]],
];

/** The text that may surround calls, in formats that permit it. */
function aroundCalls(text: string, { format, marker }: WrittenForm): readonly string[] {
  const names = tools.map(({ name }) => name);
  const { isStopToken, call } = rowOf(text, format, names);
  const last = call.at(-1);
  const isCut = isStopToken === true && typeof last === "string" && text.endsWith(last);
  return [
    text,
    `${text}\n<|im_end|>`,
    `<think>I could call ping().</think>\n\n${text}`,
    `The user wants it.\n</think>\n\n${text}`,
    ...(isCut ? [text.slice(0, -(last as string).length)] : []),
    ...(marker === "token" ? SENTENCES.map((sentence) => `${sentence}\n${text}`) : []),
  ];
}

/** The number of texts read correctly, and the ones read wrongly. */
async function measure(form: WrittenForm) {
  const { format, write } = form;
  const missed: string[] = [];
  const wrong: string[] = [];
  let all = 0;
  for (const [what, meant] of calls) {
    for (const text of what === "one call" || what === "two calls of one tool"
      ? aroundCalls(write(meant), form)
      : [write(meant)]) {
      all++;
      const found = readTextCalls(text, tools, { formats: [format] })?.calls ?? [];
      const inputs = await Promise.all(
        found.map(async ({ name, args }) => {
          const tool = tools.find((one) => one.name === name);
          const result = await repairToolInput(args, tool as (typeof tools)[number]);
          return { name, args: result.ok ? result.toolInput : undefined };
        }),
      );
      if (inputs.length === 0 || inputs.some(({ args }) => args === undefined)) missed.push(text);
      else if (JSON.stringify(inputs) !== JSON.stringify(meant)) wrong.push(text);
    }
  }
  return { all, missed, wrong };
}

test("every format has its own writer", () => {
  expect([...allFormats].sort()).toEqual([...new Set(textFormats.map((row) => row.format))].sort());
});

describe.each(writtenForms)("$form", (form) => {
  test("nine in ten of its calls are found, and none is wrong", async () => {
    const { all, missed, wrong } = await measure(form);
    expect(all).toBeGreaterThanOrEqual(18);
    expect(wrong).toEqual([]);
    expect({ missed: missed.length > all / 10 ? missed : [] }).toEqual({ missed: [] });
  });
});
