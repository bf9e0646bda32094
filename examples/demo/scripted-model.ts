import { ChatOpenAI } from "@langchain/openai";

/** A tool call as a model writes it: the arguments are text, whatever that text is. */
export interface WrittenCall {
  readonly tool: string;
  readonly args: string;
}

/** One model output. */
export interface ModelOutput {
  readonly calls: readonly WrittenCall[];
  /** Whether the output was cut off by the limit of tokens. */
  readonly cutOff?: boolean;
}

/** A message as it goes to the provider. */
export interface SentMessage {
  readonly role: string;
  readonly content: unknown;
  readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
}

/** A chat model that writes what it is told. */
export interface ScriptedModel {
  readonly model: ChatOpenAI;
  /** The messages of every request that was made to it. */
  readonly requests: readonly (readonly SentMessage[])[];
}

/**
 * Makes a chat model that writes what it is told: the real `ChatOpenAI`, so that the arguments go
 * through LangChain's own parsing, but with a `fetch` that answers from memory. No key, no network.
 *
 * @param outputs What it writes, one output a request. To every further one it answers "Done."
 */
export function createScriptedModel(outputs: readonly ModelOutput[]): ScriptedModel {
  const requests: (readonly SentMessage[])[] = [];
  async function answer(_url: unknown, init?: { body?: unknown }): Promise<Response> {
    const output = outputs[requests.length];
    const asked = JSON.parse(String(init?.body)) as { messages: SentMessage[]; stream?: boolean };
    requests.push(asked.messages);
    const id = `chatcmpl-${requests.length}`; // of two messages with one id, createAgent keeps one
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
