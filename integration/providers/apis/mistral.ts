import { ChatMistralAI } from "@langchain/mistralai";
import {
  type Answer,
  type AnswerOptions,
  type Api,
  type Body,
  serverEvents,
  type WrittenCall,
} from "../api.ts";

/** Mistral: nearly OpenAI's completions, but each call comes whole, all in one part of a stream. */
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
  // An agent always makes LangChain's model stream: it hands it a signal.
  whole: stream,
  streamed: stream,
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

function stream(calls: readonly WrittenCall[], { stop }: AnswerOptions = {}): Answer {
  const finish = stop ?? (calls.length > 0 ? "tool_calls" : "stop");
  const said = { content: calls.length > 0 ? "" : "Done.", ...made(calls) };
  return serverEvents(
    [chunk({ role: "assistant", content: "" }), chunk(said, finish)],
    "data: [DONE]\n\n",
  );
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
