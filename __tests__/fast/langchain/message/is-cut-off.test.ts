import { describe, expect, test } from "@jest/globals";
import { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { repairMessage } from "../../../support/langchain/message/repair-message.ts";
import { clickTools } from "../../../support/langchain/middleware/click-tools.ts";

const { tools } = clickTools();
const CALL = { id: "call_a", name: "click", args: { selector: "#buy" } };

/** A message with a valid call, from a provider that keeps no text of its own. */
function stopped(response_metadata: object) {
  return new AIMessage({ content: "", tool_calls: [CALL], response_metadata });
}

const said = (key: string) => (reason: string) => ({ [key]: reason });
const REASONS: [string, (reason: string) => object, string[]][] = [
  ["OpenAI", said("finish_reason"), ["length", "content_filter", "content-filter"]],
  ["OpenAI's responses", said("status"), ["incomplete", "failed", "cancelled"]],
  [
    "OpenAI's responses, with details",
    (reason) => ({ incomplete_details: { reason } }),
    ["max_output_tokens", "content_filter"],
  ],
  [
    "Anthropic",
    said("stop_reason"),
    ["max_tokens", "refusal", "pause_turn", "model_context_window_exceeded"],
  ],
  [
    "Bedrock",
    (stopReason) => ({ messageStop: { stopReason } }),
    ["max_tokens", "content_filtered", "guardrail_intervened"],
  ],
  [
    "Gemini",
    said("finishReason"),
    [
      ...["MAX_TOKENS", "SAFETY", "RECITATION", "PROHIBITED_CONTENT", "SPII", "BLOCKLIST"],
      ...["MALFORMED_FUNCTION_CALL", "OTHER"],
    ],
  ],
  ["Cohere", said("finishReason"), ["ERROR_LIMIT", "MAX_TOKENS", "ERROR"]],
  ["Mistral", said("finish_reason"), ["error", "model_length", "length"]],
  ["DeepSeek", said("finish_reason"), ["insufficient_system_resource"]],
  ["Ollama", said("done_reason"), ["length"]],
];

describe.each(REASONS)("%s", (_, metadata, reasons) => {
  test.each(reasons)("a last call before the stop reason %s is not run", async (reason) => {
    const { tool_calls, invalid_tool_calls } = await repairMessage(
      stopped(metadata(reason)),
      tools,
    );
    expect(tool_calls).toEqual([]);
    expect(invalid_tool_calls).toMatchObject([{ id: "call_a" }]);
  });
});

test.each(["stop", "tool_calls", "tool_use", "end_turn", "STOP", "COMPLETE", "completed"])(
  "a call before the stop reason %s is run",
  async (reason) => {
    for (const key of ["finish_reason", "stop_reason", "finishReason", "status"]) {
      const message = stopped({ [key]: reason });
      expect(await repairMessage(message, tools)).toBe(message);
    }
  },
);

describe.each(["anthropic", "bedrock-converse", "google-genai", "google-vertexai", "ollama"])(
  "%s, whose whole answers have objects",
  (model_provider) => {
    const whole = (finish_reason: string) => stopped({ model_provider, finish_reason });
    const streamed = (finish_reason: string) =>
      new AIMessageChunk({
        content: "",
        tool_call_chunks: [
          { id: "call_a", name: "click", args: JSON.stringify(CALL.args), index: 0 },
        ],
        response_metadata: { model_provider, finish_reason },
      });

    test.each([
      ["whole", whole],
      ["streamed", streamed],
    ])("a call is judged by the stop reason alone: %s", async (__, make) => {
      const cut = await repairMessage(make("length"), tools);
      expect(cut.tool_calls).toEqual([]);
      const right = make("stop");
      expect(await repairMessage(right, tools)).toBe(right);
    });
  },
);

test("complete text on the wire clears a call that was cut off after it", async () => {
  const message = new AIMessageChunk({
    content: "",
    tool_call_chunks: [{ id: "call_a", name: "click", args: '{"selector":"#buy"}', index: 0 }],
    response_metadata: { model_provider: "openai", finish_reason: "length" },
  });
  expect((await repairMessage(message, tools)).tool_calls).toMatchObject([CALL]);
});
