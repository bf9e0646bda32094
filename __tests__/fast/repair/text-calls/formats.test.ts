import { describe, expect, it, test } from "@jest/globals";
import { repairToolInput } from "toolmend";
import { z } from "zod";
import { formatEntries } from "#src/repair/text-calls/format-catalogue.ts";
import { aFormatList } from "#src/repair/text-calls/format-names.ts";
import { textFormats } from "#src/repair/text-calls/formats.ts";
import { readTextCalls } from "#src/repair/text-calls/read-text-calls.ts";
import { mayFollowProse, SENTENCES } from "../../../support/repair/text-calls/forms.ts";
import { sampled } from "../../../support/tier.ts";

const getWeather = {
  name: "get_weather",
  schema: z.object({ city: z.string(), days: z.number() }),
};

test("every format can be named, and nothing else", () => {
  const formats = new Set(textFormats.map(({ format }) => format));
  expect(new Set(aFormatList.each?.words)).toEqual(formats);
});

const examples = formatEntries.flatMap(({ format, forms, examples }) =>
  examples.map((example) => ({
    format,
    example,
    isOfToken: forms.every(({ marker }) => marker === "token"),
  })),
);

describe.each(sampled(examples, 2))(
  "the format $format: $example",
  ({ format, example, isOfToken }) => {
    const formats = [format];
    const read = (text: string) => readTextCalls(text, [getWeather], { formats });

    it("is read from its example", async () => {
      const found = read(example);
      expect(found).toMatchObject({ format, lead: "", calls: [{ name: "get_weather" }] });
      const repaired = await repairToolInput(found?.calls[0]?.args, getWeather);
      expect(repaired).toMatchObject({ ok: true, toolInput: { city: "Paris", days: 3 } });
    });

    it("is read without being named only if a token opens it", () => {
      expect(readTextCalls(example, [getWeather]) !== undefined).toBe(isOfToken);
      const [other] = textFormats.filter((one) => one.marker === "token" && one.format !== format);
      expect(
        readTextCalls(example, [getWeather], { formats: [other?.format as "hermes"] }),
      ).toBeUndefined();
    });

    it("is not read if it is cut off", () => {
      for (let end = 1; end < example.length; end++) {
        const cut = read(example.slice(0, end));
        if (cut === undefined) continue;
        // Only a token that ends the call is missing.
        const [call] = cut.calls;
        expect({ ...JSON.parse(call?.args ?? ""), days: 3 }).toEqual({ city: "Paris", days: 3 });
        expect(example.slice(end)).not.toMatch(/[\d}]/);
      }
    });

    it("may follow a sentence in any language, if a token opens it or it begins a line", () => {
      const mayFollow = mayFollowProse(example, format, ["get_weather"]);
      for (const lead of SENTENCES) {
        for (const gap of ["\n", "\n\n", " "]) {
          const found = read(`${lead}${gap}${example}`);
          const isRead = isOfToken || (mayFollow && gap !== " ");
          expect([lead, gap, found?.lead]).toEqual([lead, gap, isRead ? lead : undefined]);
        }
      }
    });

    it("is not read after an open quote or bracket, or after a question", () => {
      for (const text of [
        `> ${example}`,
        `- ${example}`,
        `Two ways:\n1. ${example}`,
        `Two ways:\n- ${example}`,
        `# Example\n${example}`,
        `Example\n=======\n${example}`,
        `| ${example}`,
        `"${example}"`,
        `He wrote "yes. ${example}`,
        `Sie schrieb: „${example}`,
        `Он написал: «${example}`,
        `彼は「${example}`,
        `As in (see above: ${example}`,
        `/* for later:\n${example}`,
        `// for later:\n${example}`,
        `\`${example}\``,
        `Run \`this:\n${example}`,
        ...(/^(?:json|python)$/.test(format) ? [] : [`\`\`\`\n${example}\n\`\`\``]),
        `As text:\n\`\`\`text\n${example}`,
        `Like this:\n\n    ${example}`,
        `Shall I run this?\n${example}`,
        `要运行这个吗？\n${example}`,
        `هل أشغل هذا؟\n${example}`,
        `I never run ${example}`,
        `Either this,\n${example}`,
        `{"a": 1}\n${example}`,
        `[TOOL_CALLS]\n${example}`,
        `<note>\n${example}`,
        `<|im_start|>assistant\n${example}`,
      ]) {
        expect([text, read(text)]).toEqual([text, undefined]);
      }
    });

    it("is not read with prose after or inside it", () => {
      for (const text of [
        `${example} do not run this`,
        `${example}\n\nI would not do that.`,
        example.replace(/(\}\]?|\)\]?|<\/[\w:]+>)(?![\s\S]*\1)/, "$1 do not run this "),
      ]) {
        if (text !== example) expect([text, read(text)]).toEqual([text, undefined]);
      }
    });

    it("is not read in thoughts", () => {
      expect(read(`<think>${example}</think>`)).toBeUndefined();
      expect(read(`<think>${example}`)).toBeUndefined();
      expect(read(`I could ${example}\n</think>\nDone.`)).toBeUndefined();
    });

    it("is read after thoughts", () => {
      expect(read(`plan\n</think>\n\n${example}`)?.calls).toHaveLength(1);
    });
  },
);

test("a call before a token is not dropped as the sentence before it", () => {
  const call = '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}';
  expect(readTextCalls(`${call}<tool_call>${call}</tool_call>`, [getWeather])).toBeUndefined();
  expect(readTextCalls(`${call}\n<tool_call>${call}`, [getWeather])).toBeUndefined();
});

test("an unknown format throws", () => {
  const formats = ["hermess" as "hermes"];
  expect(() => readTextCalls("", [getWeather], { formats })).toThrow(
    /not "hermess".*Did you mean "hermes"/,
  );
});
