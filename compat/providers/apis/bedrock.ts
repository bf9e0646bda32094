import { request } from "node:http";
import { ChatBedrockConverse } from "@langchain/aws";
import type { Answer, AnswerOptions, Api, Body, WrittenCall } from "../api.ts";
import { eventStream } from "../event-stream.ts";

/** Bedrock's Converse. The input is an object, but text when streamed. */
export const bedrock: Api = {
  name: "aws",
  text: { whole: false, streamed: true },
  model: (url, outputVersion) =>
    new ChatBedrockConverse({
      model: "anthropic.claude-test",
      region: "us-east-1",
      credentials: { accessKeyId: "none", secretAccessKey: "none" },
      maxRetries: 0,
      outputVersion,
      clientOptions: { requestHandler: { handle: toLoopback(url) } as never },
    } as never),
  whole: (calls, { stop } = {}) => ({
    json: {
      output: {
        message: {
          role: "assistant",
          content:
            calls.length === 0
              ? [{ text: "Done." }]
              : calls.map(({ id: toolUseId, name, args }) => ({
                  toolUse: { toolUseId, name, input: JSON.parse(args) },
                })),
        },
      },
      stopReason: stop ?? (calls.length > 0 ? "tool_use" : "end_turn"),
      usage: USAGE,
      metrics: { latencyMs: 1 },
    },
  }),
  streamed,
  sent: ({ messages }: Body) => {
    const blocks = messages.flatMap(({ content }: Body) => content);
    return {
      calls: blocks.flatMap(({ toolUse }: Body) =>
        toolUse ? [{ id: toolUse.toolUseId, name: toolUse.name, args: toolUse.input }] : [],
      ),
      answers: blocks.flatMap(({ toolResult }: Body) =>
        toolResult ? [{ id: toolResult.toolUseId, text: toolResult.content[0].text }] : [],
      ),
    };
  },
  cutOff: [
    ...["max_tokens", "content_filtered", "guardrail_intervened"],
    ...["malformed_model_output", "malformed_tool_use", "model_context_window_exceeded"],
  ],
  finished: ["tool_use", "end_turn", "stop_sequence"],
};

const USAGE = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };

function streamed(calls: readonly WrittenCall[], { stop }: AnswerOptions = {}): Answer {
  const blocks = calls.flatMap(({ id: toolUseId, name, args }, contentBlockIndex) => {
    const half = Math.ceil(args.length / 2);
    const delta = (input: string) =>
      ["contentBlockDelta", { contentBlockIndex, delta: { toolUse: { input } } }] as const;
    return [
      [
        "contentBlockStart",
        { contentBlockIndex, start: { toolUse: { toolUseId, name } } },
      ] as const,
      delta(args.slice(0, half)),
      delta(args.slice(half)),
      ["contentBlockStop", { contentBlockIndex }] as const,
    ];
  });
  const said = [["contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Done." } }]] as const;
  return {
    type: "application/vnd.amazon.eventstream",
    bytes: eventStream([
      ["messageStart", { role: "assistant" }],
      ...(calls.length > 0 ? blocks : said),
      ["messageStop", { stopReason: stop ?? (calls.length > 0 ? "tool_use" : "end_turn") }],
      ["metadata", { usage: USAGE, metrics: { latencyMs: 1 } }],
    ]),
  };
}

/**
 * Redirects the requests of the AWS client, which supports only HTTPS to AWS, to the server at
 * 127.0.0.1.
 */
function toLoopback(url: string) {
  return ({ method, path, headers, body }: Body) =>
    new Promise((resolve, reject) => {
      const sent = request(`${url}${path}`, { method, headers: { ...headers, host: "" } });
      sent.on("error", reject);
      sent.on("response", (response) => {
        const { statusCode, headers: answered } = response;
        resolve({ response: { statusCode, headers: answered, body: response } });
      });
      sent.end(body);
    });
}
