import { describe, expect, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { z } from "zod";
import type { TextFormatName } from "#src/repair/text-calls/format-names.ts";
import { readTextCalls } from "#src/repair/text-calls/read-text-calls.ts";
import { rowOf, writtenForms } from "../../../support/repair/text-calls/forms.ts";

const getWeather = {
  name: "get_weather",
  schema: z.strictObject({ city: z.string(), days: z.number() }),
};
const tools = [getWeather];
const meant = ["Paris", "Rome"].map((city) => ({ name: "get_weather", args: { city, days: 3 } }));

/** The calls of a text; `undefined` if it has none. */
function read(text: string, format: TextFormatName): unknown[] | undefined {
  return readTextCalls(text, tools, { formats: [format] })?.calls.map(({ name, args }) => {
    return { name, args: JSON.parse(args) as unknown };
  });
}

/** The calls after a text is read and repaired; the intended calls if it is rejected. */
async function run(text: string, format: TextFormatName): Promise<unknown> {
  const calls = readTextCalls(text, tools, { formats: [format] })?.calls ?? [];
  const results = await Promise.all(calls.map(({ args }) => repairToolInput(args, getWeather)));
  const isRefused = results.length === 0 || results.some(({ ok }) => !ok);
  if (isRefused) return meant;
  return results.map((one) => one.ok && { name: "get_weather", args: one.toolInput });
}

describe.each(writtenForms)("$form", ({ format, write }) => {
  const text = write(meant);
  const { call, isStopToken } = rowOf(text, format, ["get_weather"]);
  const [open, close] = [call[0], call.at(-1)];

  test("of two calls cut off anywhere, only a complete one is read", () => {
    for (let end = 1; end < text.length; end++) {
      const found = read(text.slice(0, end), format) ?? [];
      expect(found).toEqual(meant.slice(0, found.length));
      // An unclosed section holds no calls, unless its end was a stop token.
      const isRepeated = typeof open !== "string" || text.indexOf(open, 1) > 0;
      if (typeof close === "string" && !isStopToken && !isRepeated) expect(found).toEqual([]);
      if (found.length === 2) expect(text.slice(end)).not.toMatch(/Rome|3/);
    }
  });

  test("one character too few or too many gives the same calls or none", async () => {
    const values = /Paris|Rome|3|city|days|get_weather|VvvODy9m\d/g;
    const kept = new Set<number>();
    for (const { 0: value, index } of text.matchAll(values)) {
      for (let at = index; at <= index + value.length; at++) kept.add(at);
    }
    for (let at = 0; at < text.length; at++) {
      if (kept.has(at)) continue;
      const sign = text.charAt(at);
      const rest = text.slice(at + 1);
      for (const damaged of [rest, `${sign}${sign}${rest}`, `~${rest}`, `\n${sign}${rest}`]) {
        const written = text.slice(0, at) + damaged;
        const found = trimmed(await run(written, format));
        if (JSON.stringify(found) !== JSON.stringify(meant))
          expect([written, found]).toEqual([written, meant]);
      }
    }
  });
});

/** An extra character next to a value belongs to the value, in formats that do not quote. */
function trimmed(calls: unknown): unknown {
  return JSON.parse(JSON.stringify(calls), (_, value) =>
    typeof value === "string" ? value.replace(/^\W+|\W+$/g, "") : value,
  );
}
