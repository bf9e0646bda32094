import { describe, expect, test } from "@jest/globals";
import { repairToolCall, repairToolInput } from "toolmend";
import { z } from "zod";

async function linesFor(raw: unknown, schema: object): Promise<readonly string[]> {
  const result = await repairToolInput(raw, { name: "plan", schema }, { level: "strict" });
  if (result.ok) throw new Error("It was accepted.");
  return result.error.toModelMessage().split("\n").slice(1, -1);
}

const object = (properties: Record<string, object>) => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

describe("a value outside its limits: the message names the limits", () => {
  test.each<[object, unknown, string]>([
    [{ type: "integer", minimum: 1, maximum: 500 }, 0, "an integer >= 1 and <= 500"],
    [{ type: "number", exclusiveMinimum: 0 }, -2, "a number > 0"],
    [{ type: "number", exclusiveMaximum: 1 }, 1, "a number < 1"],
    [
      { type: "string", minLength: 3 },
      "ab",
      'a string with length >= 3, received "ab" with length 2',
    ],
    [
      { type: "string", minLength: 3 },
      "\u{1F600}\u{1F600}",
      'a string with length >= 3, received "\u{1F600}\u{1F600}" with length 2',
    ],
    [{ type: "string", maxLength: 2 }, "abc", "a string with length <= 2"],
    [{ type: "array", minItems: 1 }, [], "an array with length >= 1, received array with length 0"],
    [
      { type: "array", maxItems: 1 },
      [1, 2],
      "an array with length <= 1, received array with length 2",
    ],
    [
      { type: "string", pattern: "^\\d{4}$" },
      "12",
      "text that matches the pattern ^\\d{4}$, received",
    ],
    [
      { type: "string", pattern: "^\\d{4}$" },
      1234,
      "text that matches the pattern ^\\d{4}$, received 1234",
    ],
  ])("%j", async (field, value, wanted) => {
    const [line] = await linesFor({ it: value }, object({ it: field }));
    expect(line).toContain(`- it: expected ${wanted}`);
  });

  test("of arguments that are JSON text, too", async () => {
    const schema = object({ it: { type: "array", minItems: 2 } });
    expect(await linesFor('{"it": [1]}', schema)).toEqual([
      "- it: expected an array with length >= 2, received array with length 1",
    ]);
  });

  test.each<[object, unknown, string]>([
    [
      z.string().min(3),
      "ab",
      '- it: expected a string with length >= 3, received "ab" with length 2',
    ],
    [
      z.string().min(3, "longer, please"),
      "",
      '- it: expected a string with length >= 3, received "" with length 0',
    ],
    [z.number().min(3), 2, "- it: expected a number >= 3, received 2"],
  ])("of a zod schema, too: a text that is too short has a length", async (it, value, line) => {
    expect(await linesFor({ it: value }, z.object({ it } as never))).toEqual([line]);
  });

  test("but not a pattern that is too long to read", async () => {
    const schema = object({ it: { type: "string", pattern: `^${"[a-f]".repeat(20)}$` } });
    expect(await linesFor({ it: "1" }, schema)).toEqual([
      '- it: String does not match pattern, received "1"',
    ]);
  });

  test("and a zod pattern's own message stays", async () => {
    const schema = z.object({ it: z.string().regex(/^\d{4}$/, "four digits, please") });
    expect(await linesFor({ it: "12" }, schema)).toEqual([
      '- it: four digits, please, received "12"',
    ]);
  });

  test("of text for a number, too, so that the next call meets them", async () => {
    const schema = object({ limit: { type: "integer", maximum: 50 } });
    expect(await linesFor({ limit: "500" }, schema)).toEqual([
      '- limit: expected an integer <= 50, received "500"',
    ]);
  });

  test("of a zod schema, too; the limits of every integer are none", async () => {
    const schema = z.object({ days: z.number().int().min(1), size: z.number().int().max(9) });
    expect(await linesFor({ days: 0, size: 10 }, schema)).toEqual([
      "- days: expected an integer >= 1, received 0",
      "- size: expected an integer <= 9, received 10",
    ]);
  });

  test("a rule of the user's own keeps its words", async () => {
    const schema = z.object({ days: z.number().refine((days) => days % 7 === 0, "whole weeks") });
    expect(await linesFor({ days: 3 }, schema)).toEqual(["- days: whole weeks, received 3"]);
  });

  test("of a field behind $ref, too", async () => {
    const schema = {
      ...object({ days: { $ref: "#/$defs/Days" } }),
      $defs: { Days: { type: "integer", minimum: 1 } },
    };
    expect(await linesFor({ days: 0 }, schema)).toEqual([
      "- days: expected an integer >= 1, received 0",
    ]);
  });
});

describe("a value in another format: the message shows one that is accepted", () => {
  const FORMATS = ["date-time", "date", "email", "uri", "uuid", "duration"];

  test.each(FORMATS)("%s", async (format) => {
    const schema = object({ it: { type: "string", format } });
    const [line = ""] = await linesFor({ it: "next Tuesday" }, schema);
    const example = /like "(.*?)"/.exec(line)?.[1];
    expect(line).toBe(
      `- it: expected the format "${format}", like "${example}", received "next Tuesday"`,
    );
    const tool = { name: "plan", schema };
    expect(await repairToolInput({ it: example }, tool)).toMatchObject({ ok: true, repairs: [] });
  });

  test("zod accepts the examples, too", async () => {
    const schema = z.object({
      at: z.iso.datetime(),
      day: z.iso.date(),
      to: z.email(),
      id: z.uuid(),
      link: z.url(),
      length: z.iso.duration(),
    });
    const wrong = Object.fromEntries(Object.keys(schema.shape).map((key) => [key, "?"]));
    const lines = await linesFor(wrong, schema);
    const examples = lines.map((line) => [
      /^- (\w+)/.exec(line)?.[1],
      /like "(.*?)"/.exec(line)?.[1],
    ]);
    expect(examples).toHaveLength(6);
    expect(schema.safeParse(Object.fromEntries(examples)).success).toBe(true);
  });
});

describe("the keys of the object with the fault", () => {
  const guest = { ...object({ email: { type: "string" } }), required: ["email"] };
  const schema = object({ guests: { type: "array", items: guest } });

  test("an undeclared key of a nested object: the fields of that object", async () => {
    const guests = [{ email: "a@b.co" }, { email: "c@d.co", role: "chair" }];
    expect(await linesFor({ guests }, schema)).toEqual([
      '- guests.1.role: is not a field of this tool, received "chair"',
      '- the fields of guests.1: "email".',
      "Rename a field that means one of these. Remove any other one only if the call then still does what you want.",
    ]);
  });

  test("a field missing from a nested object: the keys of that object", async () => {
    const guests = [{ email: "a@b.co" }, {}];
    expect(await linesFor({ guests }, schema)).toEqual([
      "- guests.1.email: expected string, received nothing",
      "- guests.1 has: no keys",
    ]);
  });

  test("keys that have lines of their own are not listed again", async () => {
    const lines = await linesFor({ people: [] }, schema);
    expect(lines).toEqual([
      "- guests: expected array of object { email: string }, received nothing",
      "- people: is not a field of this tool",
      '- the fields of this tool: "guests".',
      expect.stringContaining("Rename a field"),
    ]);
  });

  test("a list of inputs: one object in each call", async () => {
    const [line] = await linesFor([{ guests: [] }, { guests: [] }], schema);
    expect(line).toMatch(/received array with length \d\. Send one object in each call$/);
  });
});

test("arguments in a tool's name: the message says where they belong", async () => {
  const tools = [{ name: "run", schema: object({ command: { type: "string" } }) }];
  const result = await repairToolCall({ name: 'run(command="ls"; rm x)', args: {} }, tools);
  if (result.ok) throw new Error("It was accepted.");
  expect(result.error.toModelMessage()).toContain(
    'expected "run" and nothing else; put arguments into the call\'s arguments, as JSON',
  );
});
