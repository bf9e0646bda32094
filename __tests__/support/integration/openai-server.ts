import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A tool call as the chat completions API has it: `arguments` is text. */
export interface WireCall {
  readonly name: string;
  readonly arguments: string;
}

/** One answer of the model. */
export interface Answer {
  readonly content?: string;
  readonly calls?: readonly WireCall[];
  /** Default: `tool_calls` with calls, `stop` without. */
  readonly finishReason?: string;
}

/** The parts of a request that the tests read. */
export interface ReceivedRequest {
  readonly stream?: boolean;
  readonly messages: readonly {
    readonly role: string;
    readonly content: unknown;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly {
      readonly id: string;
      readonly function: { readonly name: string; readonly arguments: string };
    }[];
  }[];
}

export interface OpenAIServer {
  readonly baseURL: string;
  /** Sets the answers to the next requests, in order, and clears the recorded requests. */
  script(...answers: readonly Answer[]): void;
  /** The bodies of the requests since `script`. */
  readonly requests: readonly ReceivedRequest[];
  close(): Promise<void>;
}

/** Starts a server on loopback that answers like OpenAI's chat completions API. */
export async function startOpenAIServer(): Promise<OpenAIServer> {
  const requests: ReceivedRequest[] = [];
  let answers: readonly Answer[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request.setEncoding("utf8")) body += piece;
    const received = JSON.parse(body) as ReceivedRequest;
    const answer = answers[requests.length];
    requests.push(received);
    if (request.url !== "/v1/chat/completions" || answer === undefined) {
      const error = { message: `Nothing is scripted for request ${requests.length}.` };
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error }));
    } else if (received.stream === true) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of toEvents(answer)) response.write(`data: ${event}\n\n`);
      response.end();
    } else {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(toCompletion(answer)));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    script(...next) {
      answers = next;
      requests.length = 0;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve, reject) =>
        server.close((error) => (error === undefined ? resolve() : reject(error))),
      );
    },
  };
}

const HEAD = { id: "chatcmpl-test", created: 0, model: "gpt-test" };

function finishReason({ calls, finishReason }: Answer): string {
  return finishReason ?? (calls === undefined ? "stop" : "tool_calls");
}

function toCompletion(answer: Answer): unknown {
  const tool_calls = answer.calls?.map((call, index) => ({
    id: `call_${index}`,
    type: "function",
    function: call,
  }));
  return {
    ...HEAD,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: answer.content ?? null, tool_calls },
        finish_reason: finishReason(answer),
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

/** The arguments arrive in pieces of five characters, as they do from a model. */
function toEvents(answer: Answer): string[] {
  const { content, calls = [] } = answer;
  const deltas = [
    { role: "assistant", content: content ?? null },
    ...calls.flatMap(({ name, arguments: text }, index) => [
      {
        tool_calls: [
          { index, id: `call_${index}`, type: "function", function: { name, arguments: "" } },
        ],
      },
      ...(text.match(/.{1,5}/gs) ?? []).map((piece) => ({
        tool_calls: [{ index, function: { arguments: piece } }],
      })),
    ]),
  ];
  const chunk = (delta: object, finish_reason: string | null): string =>
    JSON.stringify({
      ...HEAD,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason }],
    });
  return [...deltas.map((delta) => chunk(delta, null)), chunk({}, finishReason(answer)), "[DONE]"];
}
