import { ChatOllama } from "@langchain/ollama";
import type { Answer, AnswerOptions, Api, Body, WrittenCall } from "../api.ts";

/** Ollama: arguments are objects, answers have no ids. LangChain always streams it. */
export const ollama: Api = {
  name: "ollama",
  text: { whole: false, streamed: false },
  model: (url, outputVersion) =>
    new ChatOllama({ model: "llama-test", maxRetries: 0, outputVersion, baseUrl: url }),
  whole: lines,
  streamed: lines,
  sent: ({ messages }: Body) => ({
    calls: messages.flatMap(({ tool_calls = [] }: Body) =>
      tool_calls.map(({ function: { name, arguments: args } }: Body) => ({ name, args })),
    ),
    answers: messages.flatMap(({ role, content: text }: Body) =>
      role === "tool" ? [{ text }] : [],
    ),
  }),
  cutOff: ["length"],
  finished: ["stop"],
};

function lines(calls: readonly WrittenCall[], { stop = "stop" }: AnswerOptions = {}): Answer {
  const line = (message: object, rest: object) =>
    `${JSON.stringify({ model: "llama-test", created_at: "2026-01-01T00:00:00Z", message, ...rest })}\n`;
  const tool_calls = calls.map(({ name, args }) => ({
    function: { name, arguments: JSON.parse(args) },
  }));
  const said = calls.length > 0 ? { content: "", tool_calls } : { content: "Done." };
  return {
    events: [
      line({ role: "assistant", ...said }, { done: false }),
      line(
        { role: "assistant", content: "" },
        { done: true, done_reason: stop, prompt_eval_count: 1, eval_count: 2 },
      ),
    ],
  };
}
