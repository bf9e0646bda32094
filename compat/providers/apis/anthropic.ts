import { ChatAnthropic } from "@langchain/anthropic";
import {
  anthropicMessage,
  anthropicStream,
} from "../../../__tests__/support/langchain/middleware/loopback.ts";
import type { Api, Body } from "../api.ts";

/** Anthropic's messages. The input is an object, but text when streamed. */
export const anthropic: Api = {
  name: "Anthropic",
  text: { whole: false, streamed: true },
  model: (url, outputVersion) =>
    new ChatAnthropic({
      model: "claude-test",
      apiKey: "none",
      maxRetries: 0,
      outputVersion,
      anthropicApiUrl: url,
    }),
  whole: (calls, { stop } = {}) =>
    anthropicMessage(
      calls.map(({ id = "", name, args }) => ({ id, name, input: JSON.parse(args) })),
      { ...(stop && { stop }) },
    ),
  streamed: (calls, { stop } = {}) => anthropicStream(calls, { ...(stop && { stop }) }),
  sent: ({ messages }: Body) => {
    const blocks = messages.flatMap(({ content }: Body) => (Array.isArray(content) ? content : []));
    return {
      calls: blocks.flatMap(({ type, id, name, input: args }: Body) =>
        type === "tool_use" ? [{ id, name, args }] : [],
      ),
      answers: blocks.flatMap(({ type, tool_use_id: id, content: text }: Body) =>
        type === "tool_result" ? [{ id, text }] : [],
      ),
    };
  },
  cutOff: ["max_tokens", "refusal", "pause_turn", "model_context_window_exceeded"],
  finished: ["tool_use", "end_turn", "stop_sequence"],
};
