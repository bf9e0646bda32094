import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { textFormats } from "../../../src/repair/text-calls/formats.ts";
import { readTextCalls } from "../../../src/repair/text-calls/read-text-calls.ts";
import { repairToolInput } from "toolmend";

const getWeather = {
  name: "get_weather",
  schema: z.object({ city: z.string(), days: z.number() }),
};

describe.each(textFormats)("the format $format", ({ format, example }) => {
  it("is read from its example", async () => {
    const found = readTextCalls(example, [getWeather]);
    expect(found).toMatchObject({ lead: "", calls: [{ name: "get_weather" }] });
    const repaired = await repairToolInput(found?.calls[0]?.args, getWeather);
    expect(repaired).toMatchObject({ ok: true, toolInput: { city: "Paris", days: 3 } });
  });

  it("is not read where it is cut off", () => {
    for (let end = 1; end < example.length; end++) {
      const cut = readTextCalls(example.slice(0, end), [getWeather]);
      if (cut !== undefined) {
        expect(JSON.parse(cut.calls[0]?.args ?? "")).toEqual({ city: "Paris", days: expect.anything() });
        console.log(format, JSON.stringify(example.slice(0, end)));
      }
    }
  });
  it("is not read with prose behind it", () => {
    expect(readTextCalls(`${example} do not run this`, [getWeather])).toBeUndefined();
    expect(readTextCalls(`${example}\n\nI would not do that.`, [getWeather])).toBeUndefined();
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
