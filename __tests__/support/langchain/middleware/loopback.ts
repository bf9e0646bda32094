import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A provider's answer: a body, the events of a stream, or bytes of another type. */
export type Answer =
  | { readonly json: unknown }
  | { readonly events: readonly string[] }
  | { readonly bytes: Uint8Array; readonly type: string };

/** A provider for tests: it gives its answers one after another, and records the requests. */
export interface Loopback {
  readonly url: string;
  /** The bodies of the requests, in order. */
  // biome-ignore lint/suspicious/noExplicitAny: each provider has a shape of its own
  readonly requests: any[];
  answer(...answers: readonly Answer[]): void;
  close(): Promise<void>;
}

/** Starts a provider at 127.0.0.1, on a free port. */
export async function startLoopback(): Promise<Loopback> {
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const requests: any[] = [];
  let queue: readonly Answer[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      requests.push(JSON.parse(Buffer.concat(parts).toString()));
      const [answer, ...rest] = queue;
      queue = rest;
      if (answer === undefined) {
        response.writeHead(500, { "content-type": "application/json" });
        response.end(JSON.stringify({ error: { message: "no answer left" } }));
      } else if ("json" in answer) {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify(answer.json));
      } else if ("bytes" in answer) {
        response.writeHead(200, { "content-type": answer.type });
        response.end(answer.bytes);
      } else {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(answer.events.join(""));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer(...answers) {
      requests.length = 0;
      queue = answers;
    },
    close: () => closeServer(server),
  };
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** A call for these answers: arguments are text, as the model wrote it. */
export interface WrittenCall {
  readonly id?: string;
  readonly name: string;
  readonly args: string;
}

/** An answer of OpenAI's chat completions. */
export function completion(
  calls: readonly WrittenCall[],
  { content = null as string | null, finish = calls.length > 0 ? "tool_calls" : "stop" } = {},
): Answer {
  const tool_calls = calls.map(({ id, name, args }) => ({
    ...(id === undefined ? {} : { id }),
    type: "function",
    function: { name, arguments: args },
  }));
  return {
    json: {
      id: `chatcmpl-${Math.random()}`,
      object: "chat.completion",
      created: 1,
      model: "gpt-test",
      choices: [
        {
          index: 0,
          finish_reason: finish,
          message: { role: "assistant", content, ...(calls.length > 0 ? { tool_calls } : {}) },
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    },
  };
}

/** The same as a stream; the arguments come in two parts. */
export function completionStream(
  calls: readonly WrittenCall[],
  { finish = calls.length > 0 ? "tool_calls" : "stop", content = "" } = {},
): Answer {
  const id = `chatcmpl-${Math.random()}`;
  const chunk = (delta: unknown, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({
      id,
      object: "chat.completion.chunk",
      created: 1,
      model: "gpt-test",
      choices: [{ index: 0, delta, finish_reason }],
    })}\n\n`;
  const parts = calls.flatMap(({ id: callId, name, args }, index) => {
    const half = Math.ceil(args.length / 2);
    const first = { index, id: callId, type: "function", function: { name, arguments: "" } };
    const part = (text: string) => ({ tool_calls: [{ index, function: { arguments: text } }] });
    return [{ tool_calls: [first] }, part(args.slice(0, half)), part(args.slice(half))];
  });
  return {
    events: [
      chunk({ role: "assistant", content }),
      ...parts.map((delta) => chunk(delta)),
      chunk({}, finish),
      // Without usage data, LangChain downloads a tokenizer.
      `data: ${JSON.stringify({
        id,
        object: "chat.completion.chunk",
        created: 1,
        model: "gpt-test",
        choices: [],
        usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      })}\n\n`,
      "data: [DONE]\n\n",
    ],
  };
}

/** An answer of OpenAI's responses. */
export function openAIResponse(
  calls: readonly WrittenCall[],
  { text = "", incomplete = false } = {},
): Answer {
  return { json: responseBody(calls, text, incomplete) };
}

function responseBody(calls: readonly WrittenCall[], text: string, incomplete: boolean): object {
  const output = [
    { type: "reasoning", id: "rs_1", summary: [] },
    ...calls.map(({ id, name, args }, index) => ({
      type: "function_call",
      id: `fc_${index}`,
      call_id: id,
      name,
      arguments: args,
      status: incomplete && index === calls.length - 1 ? "incomplete" : "completed",
    })),
    ...(text === ""
      ? []
      : [
          {
            type: "message",
            id: "msg_1",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text, annotations: [] }],
          },
        ]),
  ];
  return {
    id: `resp_${Math.random()}`,
    object: "response",
    created_at: 1,
    model: "gpt-test",
    status: incomplete ? "incomplete" : "completed",
    incomplete_details: incomplete ? { reason: "max_output_tokens" } : null,
    error: null,
    metadata: {},
    output,
    usage: {
      input_tokens: 1,
      output_tokens: 2,
      total_tokens: 3,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
  };
}

/** The same as a stream. */
export function openAIResponseStream(
  calls: readonly WrittenCall[],
  { text = "", incomplete = false } = {},
): Answer {
  const response = responseBody(calls, text, incomplete) as { id: string; output: object[] };
  const event = (type: string, fields: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const parts = response.output.flatMap((item, output_index) => {
    const { type, arguments: args, ...rest } = item as { type: string; arguments: string };
    if (type !== "function_call") return [];
    return [
      event("response.output_item.added", {
        output_index,
        item: { type, ...rest, arguments: "" },
      }),
      event("response.function_call_arguments.delta", { output_index, delta: args }),
      event("response.output_item.done", { output_index, item }),
    ];
  });
  const done = incomplete ? "response.incomplete" : "response.completed";
  return {
    events: [
      event("response.created", { response: { ...response, output: [] } }),
      ...parts,
      event(done, { response }),
    ],
  };
}

/** A call of Anthropic's: its input is parsed JSON. */
export interface AnthropicCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** An answer of Anthropic's messages. */
export function anthropicMessage(
  calls: readonly AnthropicCall[],
  { text = "", stop = calls.length > 0 ? "tool_use" : "end_turn" } = {},
): Answer {
  return {
    json: {
      id: `msg_${Math.random()}`,
      type: "message",
      role: "assistant",
      model: "claude-test",
      content: [
        ...(text === "" ? [] : [{ type: "text", text }]),
        ...calls.map((call) => ({ type: "tool_use", ...call })),
      ],
      stop_reason: stop,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 2 },
    },
  };
}

/** The same as a stream; here, the input is text. */
export function anthropicStream(
  calls: readonly WrittenCall[],
  { text = "", stop = calls.length > 0 ? "tool_use" : "end_turn" } = {},
): Answer {
  const event = (type: string, fields: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const blocks = [
    ...(text === ""
      ? []
      : [{ start: { type: "text", text: "" }, delta: { type: "text_delta", text } }]),
    ...calls.map(({ id, name, args }) => ({
      start: { type: "tool_use", id, name, input: {} },
      delta: { type: "input_json_delta", partial_json: args },
    })),
  ];
  return {
    events: [
      event("message_start", {
        message: {
          id: `msg_${Math.random()}`,
          type: "message",
          role: "assistant",
          model: "claude-test",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 1, output_tokens: 1 },
        },
      }),
      ...blocks.flatMap(({ start, delta }, index) => [
        event("content_block_start", { index, content_block: start }),
        event("content_block_delta", { index, delta }),
        event("content_block_stop", { index }),
      ]),
      event("message_delta", {
        delta: { stop_reason: stop, stop_sequence: null },
        usage: { output_tokens: 2 },
      }),
      event("message_stop", {}),
    ],
  };
}
