import { ChatOpenAI } from "@langchain/openai";
import {
  completion,
  completionStream,
  openAIResponse,
  openAIResponseStream,
} from "../../../__tests__/support/langchain/middleware/loopback.ts";
import type { Api, Body, OutputVersion } from "../api.ts";

function model(url: string, outputVersion: OutputVersion, useResponsesApi: boolean) {
  return new ChatOpenAI({
    model: "gpt-test",
    apiKey: "none",
    maxRetries: 0,
    useResponsesApi,
    outputVersion,
    configuration: { baseURL: `${url}/v1` },
  });
}

/** OpenAI's chat completions. */
export const completions: Api = {
  name: "OpenAI completions",
  text: { whole: true, streamed: true },
  model: (url, version) => model(url, version, false),
  whole: (calls, { stop } = {}) => completion(calls, { ...(stop && { finish: stop }) }),
  streamed: (calls, { stop } = {}) => completionStream(calls, { ...(stop && { finish: stop }) }),
  sent: ({ messages }: Body) => ({
    calls: messages.flatMap(({ tool_calls = [] }: Body) =>
      tool_calls.map(({ id, function: called }: Body) => ({
        id,
        name: called.name,
        args: JSON.parse(called.arguments),
      })),
    ),
    answers: messages.flatMap(({ role, tool_call_id: id, content: text }: Body) =>
      role === "tool" ? [{ id, text }] : [],
    ),
  }),
  cutOff: ["length", "content_filter"],
  finished: ["tool_calls", "stop", "function_call"],
};

/** OpenAI's responses. */
export const responses: Api = {
  name: "OpenAI responses",
  text: { whole: true, streamed: true },
  model: (url, version) => model(url, version, true),
  whole: (calls, { stop } = {}) => openAIResponse(calls, { incomplete: stop === "incomplete" }),
  streamed: (calls, { stop } = {}) =>
    openAIResponseStream(calls, { incomplete: stop === "incomplete" }),
  sent: ({ input }: Body) => ({
    calls: input.flatMap(({ type, call_id: id, name, arguments: args }: Body) =>
      type === "function_call" ? [{ id, name, args: JSON.parse(args) }] : [],
    ),
    answers: input.flatMap(({ type, call_id: id, output: text }: Body) =>
      type === "function_call_output" ? [{ id, text }] : [],
    ),
  }),
  cutOff: ["incomplete"],
  finished: ["completed"],
};
