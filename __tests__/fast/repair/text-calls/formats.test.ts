import { describe, expect, it } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { z } from "zod";
import { readTextCalls } from "#src/repair/text-calls/read-text-calls.ts";
import { formatEntries } from "../../../../scripts/text-calls/format-catalogue.ts";

const getWeather = {
  name: "get_weather",
  schema: z.object({ city: z.string(), days: z.number() }),
};

describe.each(formatEntries)("the format $format", ({ format, example }) => {
  it("is read from its example", async () => {
    const found = readTextCalls(example, [getWeather]);
    expect(found).toMatchObject({ format, lead: "", calls: [{ name: "get_weather" }] });
    const repaired = await repairToolInput(found?.calls[0]?.args, getWeather);
    expect(repaired).toMatchObject({ ok: true, toolInput: { city: "Paris", days: 3 } });
  });

  it("is not read where it is cut off", () => {
    for (let end = 1; end < example.length; end++) {
      const cut = readTextCalls(example.slice(0, end), [getWeather]);
      if (cut === undefined) continue;
      // Only a token that ends the call is missing.
      const [call] = cut.calls;
      expect({ ...JSON.parse(call?.args ?? ""), days: 3 }).toEqual({ city: "Paris", days: 3 });
      expect(example.slice(end)).not.toMatch(/[\d}]/);
    }
  });

  it("is not read with prose behind it, in it or around it", () => {
    for (const text of [
      `${example} do not run this`,
      `${example}\n\nI would not do that.`,
      example
        .replace("Paris", "Paris")
        .replace(/(\}\]?|\)\]?|<\/\w+>)(?![\s\S]*\1)/, "$1 do not run this "),
      `The page says: ${example}`,
      `I must not run: ${example}`,
      `Example: ${example}`,
      `For example:\n${example}`,
      `You can call it like this:\n${example}`,
      `> ${example}`,
      `"${example}"`,
      `\`${example}\``,
      ...(/^(?:json|python)$/.test(format) ? [] : [`\`\`\`\n${example}\n\`\`\``]),
      `Let me demonstrate:\n${example}`,
    ]) {
      if (text === example) continue;
      expect([text, readTextCalls(text, [getWeather])]).toEqual([text, undefined]);
    }
  });

  it("is not read in thoughts", () => {
    expect(readTextCalls(`<think>${example}</think>`, [getWeather])).toBeUndefined();
    expect(readTextCalls(`<think>${example}`, [getWeather])).toBeUndefined();
    expect(readTextCalls(`I could ${example}\n</think>\nDone.`, [getWeather])).toBeUndefined();
  });

  it("is read behind thoughts", () => {
    expect(readTextCalls(`plan\n</think>\n\n${example}`, [getWeather])?.calls).toHaveLength(1);
  });
});
