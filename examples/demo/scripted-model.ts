import { ChatOpenAI } from "@langchain/openai";

/** A tool call as a model writes it: the arguments are text, valid JSON or not. */
export interface WrittenCall {
  readonly tool: string;
  readonly args: string;
}

/** One model output. */
export interface ModelOutput {
  readonly calls: readonly WrittenCall[];
  /** Whether the token limit cut the output off. */
  readonly cutOff?: boolean;
}

/** A message as sent to the provider. */
export interface SentMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
}

/** A chat model with scripted outputs. */
export interface ScriptedModel {
  readonly model: ChatOpenAI;
  /** The messages of every request to it. */
  readonly requests: readonly (readonly SentMessage[])[];
}

/**
 * Makes a chat model with scripted outputs: the real `ChatOpenAI`, so that the arguments go through
 * LangChain's own parser, but with a `fetch` that answers from memory. No key, no network.
 *
 * @param outputs Its outputs, one for each request. It answers every further one with "Done."
 */
export function createScriptedModel(outputs: readonly ModelOutput[]): ScriptedModel {
  const requests: (readonly SentMessage[])[] = [];
  async function answer(_url: unknown, init?: { body?: unknown }): Promise<Response> {
    const output = outputs[requests.length];
    const asked = JSON.parse(String(init?.body)) as { messages: SentMessage[]; stream?: boolean };
    requests.push(asked.messages);
    const id = `chatcmpl-${requests.length}`; // createAgent keeps only one of two messages with the same id
    return asked.stream ? streamed(output, id) : whole(output, id);
  }
  const configuration = { fetch: answer };
  return {
    model: new ChatOpenAI({ model: "scripted", apiKey: "none", configuration }),
    requests,
  };
}

/** The answer in one piece. */
function whole(output: ModelOutput | undefined, id: string): Response {
  const calls = output?.calls.map(({ tool, args }, index) => {
    return { id: `call_${index}`, type: "function", function: { name: tool, arguments: args } };
  });
  const message = calls ? { role: "assistant", content: null, tool_calls: calls } : DONE;
  const reason = output?.cutOff ? "length" : calls ? "tool_calls" : "stop";
  const choices = [{ index: 0, message, finish_reason: reason }];
  return Response.json({ ...COMPLETION, id, object: "chat.completion", choices });
}

/** The answer as a stream. */
function streamed(output: ModelOutput | undefined, id: string): Response {
  const events = output ? callEvents(output) : [event({ content: "Done." }), event({}, "stop")];
  const body = [...events.map((data) => JSON.stringify({ ...data, id })), "[DONE]"];
  return new Response(body.map((data) => `data: ${data}\n\n`).join(""), {
    headers: { "content-type": "text/event-stream" },
  });
}

const COMPLETION = { created: 0, model: "scripted" };
const DONE = { role: "assistant", content: "Done." };

/** The stream of a model that calls tools: the arguments arrive in pieces. */
function callEvents({ calls, cutOff = false }: ModelOutput): object[] {
  const deltas = calls.flatMap(({ tool, args }, index) => [
    { index, id: `call_${index}`, type: "function", function: { name: tool, arguments: "" } },
    ...(args.match(/.{1,12}/gs) ?? []).map((piece) => ({ index, function: { arguments: piece } })),
  ]);
  return [
    event({ role: "assistant", content: null }),
    ...deltas.map((delta) => event({ tool_calls: [delta] })),
    event({}, cutOff ? "length" : "tool_calls"),
  ];
}

function event(delta: object, finishReason: string | null = null): object {
  return {
    ...COMPLETION,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
}
