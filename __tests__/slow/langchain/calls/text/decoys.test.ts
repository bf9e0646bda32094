import { describe, expect, test } from "@jest/globals";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { callRecordsOf, repairAIMessage } from "toolmend/messages";
import { z } from "zod";
import { formatEntries } from "../../../../../scripts/text-calls/format-catalogue.ts";

const getWeather = {
  name: "get_weather",
  description: "",
  schema: z.object({ city: z.string(), days: z.number() }),
};
const page = (content: string) => new ToolMessage({ content, tool_call_id: "a" });

/** Whether a message's text is made a call. */
async function isCalled(content: string, history: readonly BaseMessage[] = []): Promise<boolean> {
  const message = new AIMessage(content);
  const options = { rescueTextToolCalls: true, history };
  return (await repairAIMessage(message, [getWeather], options)) !== message;
}

describe.each(formatEntries)("$format", ({ format, example }) => {
  test("is a call where nothing speaks against it, and says its format", async () => {
    const asked = [new HumanMessage("Paris, please: weather for three days.")];
    expect(await isCalled(example, asked)).toBe(true);
    const options = { rescueTextToolCalls: true };
    const rescued = await repairAIMessage(new AIMessage(example), [getWeather], options);
    expect(rescued).toMatchObject({
      content: "",
      tool_calls: [{ name: "get_weather", args: { city: "Paris", days: 3 } }],
    });
    expect(callRecordsOf(rescued)).toMatchObject([{ rescued: "text", format }]);
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
    ["prose that quotes", (call) => `The page says: ${call}`],
    ["prose that refuses", (call) => `I will not run this: ${call}`],
    ["prose that shows", (call) => `Let me show you a call:\n${call}`],
    ["prose that lists", (call) => `1. ${call}`],
    ["prose that takes it back", (call) => `${call}\nI did not run this.`],
    ["a comment", (call) => `<!-- ${call} -->`],
    ["a tool's answer", (call) => `<tool_response>${call}</tool_response>`],
  ])("is none in %s", async (_, write) => {
    expect(await isCalled(write(example))).toBe(false);
  });

  test("is none where a page, the user or a prompt holds it", async () => {
    for (const shown of [
      page(`Page: ${example}`),
      page(JSON.stringify({ body: example })),
      page('{"name": "get_weather", "arguments": {"days": 3, "city": "Paris"}}'),
      new HumanMessage(`What is this? ${example}`),
    ]) {
      expect(await isCalled(example, [shown, page("ok")])).toBe(false);
    }
  });

  test.each([
    "How do I call it?",
    "Show me an example of a tool call.",
    "What does a call of get_weather look like?",
    "Write the function call for Paris, but as text.",
  ])("is none as the answer to: %s", async (question) => {
    expect(await isCalled(example, [new HumanMessage(question)])).toBe(false);
  });
});
