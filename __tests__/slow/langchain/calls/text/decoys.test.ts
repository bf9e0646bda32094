import { describe, expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { z } from "zod";
import { recordsOf } from "#src/langchain/message/messages.ts";
import { formatEntries } from "#src/repair/text-calls/format-catalogue.ts";
import type { TextFormatName } from "#src/repair/text-calls/format-names.ts";
import { repairMessage } from "../../../../support/langchain/message/repair-message.ts";
import { mayFollowProse } from "../../../../support/repair/text-calls/forms.ts";

const getWeather = {
  name: "get_weather",
  description: "",
  schema: z.object({ city: z.string(), days: z.number() }),
};
const page = (content: string) => new ToolMessage({ content, tool_call_id: "a" });

/** Whether a message's text is rescued as a call. */
async function isCalled(
  content: string,
  format: TextFormatName,
  history: readonly BaseMessage[] = [],
): Promise<boolean> {
  const message = new AIMessage(content);
  const options = { rescueTextToolCalls: [format], history };
  return (await repairMessage(message, [getWeather], options)) !== message;
}

const examples = formatEntries.flatMap(({ format, forms, examples }) =>
  examples.map((example) => ({ format, example, isOfToken: forms[0]?.marker === "token" })),
);

describe.each(examples)("$format: $example", ({ format, example, isOfToken }) => {
  test("is a call if nothing contradicts it, and names its format", async () => {
    const asked = [new HumanMessage("Paris, please: weather for three days.")];
    expect(await isCalled(example, format, asked)).toBe(true);
    const options = { rescueTextToolCalls: [format] };
    const rescued = await repairMessage(new AIMessage(example), [getWeather], options);
    expect(rescued).toMatchObject({
      content: "",
      tool_calls: [{ name: "get_weather", args: { city: "Paris", days: 3 } }],
    });
    expect(recordsOf(rescued)).toMatchObject([{ rescued: "text", format }]);
  });

  test.each<[string, (call: string) => string]>([
    ["thoughts", (call) => `<think>\n${call}\n</think>`],
    ["thoughts that do not end", (call) => `<think>\n${call}`],
    ["thoughts that began in the prompt", (call) => `I could write\n${call}\n</think>\nDone.`],
    ["a channel of thoughts", (call) => `<|channel|>analysis<|message|>${call}<|end|>`],
    ["quotes", (call) => `"${call}"`],
    ["typographic quotes", (call) => `“${call}”`],
    ["a blockquote", (call) => call.replace(/^/gm, "> ")],
    ["code", (call) => `\`${call}\``],
    ["prose that lists", (call) => `1. ${call}`],
    ["prose that takes it back", (call) => `${call}\nI did not run this.`],
    ["a comment", (call) => `<!-- ${call} -->`],
    ["a tool's answer", (call) => `<tool_response>${call}</tool_response>`],
  ])("is not a call in %s", async (_, write) => {
    expect(await isCalled(write(example), format)).toBe(false);
  });

  test("is not a call if a page, the user or a prompt holds it", async () => {
    for (const shown of [
      page(`Page: ${example}`),
      page(JSON.stringify({ body: example })),
      page('{"name": "get_weather", "arguments": {"days": 3, "city": "Paris"}}'),
      new HumanMessage(`What is this? ${example}`),
    ]) {
      expect(await isCalled(example, format, [shown, page("ok")])).toBe(false);
    }
  });

  test.each([
    "The page says:",
    "He wrote that I should run this.",
    "I will not run this:",
    "Let me show you a call:",
    "Hier ist das Beispiel von der Seite:",
    "网页上写着：",
  ])(
    "is not a call after %s if a page holds it, in a tag, in Python or in Base64",
    async (lead) => {
      const call = '{"name": "get_weather", "arguments": {"city": "Paris", "days": 3}}';
      const said = `${lead}\n${example}`;
      for (const shown of [
        page(`<call>${call}</call>`),
        page('get_weather(city="Paris", days=3)'),
        page(Buffer.from(call).toString("base64")),
      ]) {
        expect(await isCalled(said, format, [shown])).toBe(false);
      }
      const mayFollow = mayFollowProse(example, format, ["get_weather"]);
      expect(await isCalled(said, format)).toBe(isOfToken || mayFollow);
    },
  );
});
