import { ChatMistralAI } from "@langchain/mistralai";
import { type Api, type Body, serverEvents, type WrittenCall } from "../api.ts";

/**
 * Mistral: nearly OpenAI's completions, but a stream has each call in one piece, all in one part.
 */
export const mistral: Api = {
  name: "mistralai",
  text: { whole: true, streamed: true },
  model: (url, outputVersion) =>
    new ChatMistralAI({
      model: "mistral-test",
      apiKey: "none",
      maxRetries: 0,
      outputVersion,
      serverURL: url,
    }),
  // LangChain's model streams whenever it gets a signal.
  agentsStream: true,
  losesText: true,
  whole: (calls, { stop } = {}) => ({
    json: {
      ...head("chat.completion"),
      choices: [
        {
          index: 0,
          message: { role: "assistant", ...said(calls) },
          finish_reason: finishOf(calls, stop),
        },
      ],
      usage: USAGE,
    },
  }),
  streamed: (calls, { stop } = {}) =>
    serverEvents(
      [chunk({ role: "assistant", content: "" }), chunk(said(calls), finishOf(calls, stop))],
      "data: [DONE]\n\n",
    ),
  sent: ({ messages }: Body) => ({
    calls: messages.flatMap(({ tool_calls }: Body) =>
      (tool_calls ?? []).map(({ id, function: called }: Body) => ({
        id,
        name: called.name,
        args: JSON.parse(called.arguments),
      })),
    ),
    answers: messages.flatMap(({ role, tool_call_id: id, content: text }: Body) =>
      role === "tool" ? [{ id, text }] : [],
    ),
  }),
  cutOff: ["length", "model_length", "error"],
  finished: ["tool_calls", "stop"],
};

function finishOf(calls: readonly WrittenCall[], stop: string | undefined): string {
  return stop ?? (calls.length > 0 ? "tool_calls" : "stop");
}

function said(calls: readonly WrittenCall[]): object {
  return { content: calls.length > 0 ? "" : "Done.", ...made(calls) };
}

const USAGE = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };

function head(object: string) {
  return { id: "cmpl-1", object, created: 1, model: "mistral-test" };
}

function chunk(delta: object, finish_reason: string | null = null): object {
  return {
    ...head("chat.completion.chunk"),
    choices: [{ index: 0, delta, finish_reason }],
    ...(finish_reason && { usage: USAGE }),
  };
}

function made(calls: readonly WrittenCall[]): object {
  if (calls.length === 0) return {};
  return {
    tool_calls: calls.map(({ id, name, args }, index) => ({
      id,
      index,
      function: { name, arguments: args },
    })),
  };
}
