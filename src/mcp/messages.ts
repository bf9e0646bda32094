import { isJsonObject } from "../repair/json.ts";

/** The id of a request. */
export type MessageId = string | number;

/** A message of JSON-RPC, of any version of MCP: nothing in it is known but what the checks below find. */
export type Message = { readonly [field: string]: unknown };

/** The answer to a request. */
export type AnswerMessage = Message & { readonly id: MessageId };

/** A request to call a tool. */
export interface CallMessage extends AnswerMessage {
  readonly params: {
    readonly name: string;
    /** Text, too: some clients send an object as its JSON. */
    readonly arguments?: unknown;
    /** The client wants a task in place of the result. */
    readonly task?: unknown;
  };
}

export function isCall(message: Message): message is CallMessage {
  const { id, method, params } = message;
  return (
    method === "tools/call" && isId(id) && isJsonObject(params) && typeof params.name === "string"
  );
}

export function isAnswer(message: Message): message is AnswerMessage {
  return message.method === undefined && isId(message.id);
}

/** Returns the id of the request that a notification cancels. */
export function cancelledId({ method, params }: Message): MessageId | undefined {
  if (method !== "notifications/cancelled" || !isJsonObject(params)) return undefined;
  return isId(params.requestId) ? params.requestId : undefined;
}

/** The answer to a call that is not run: an error of the tool, which the model reads. */
export function rejectionOf({ id }: CallMessage, text: string): Message {
  return { jsonrpc: "2.0", id, result: { content: [{ type: "text", text }], isError: true } };
}

/** Adds a text to a server's own error. A result that is none stays unchanged. */
export function withReason(answer: AnswerMessage, text: string): Message {
  const { result, error } = answer;
  if (isJsonObject(result) && result.isError === true) {
    const content = Array.isArray(result.content) ? result.content : [];
    return { ...answer, result: { ...result, content: [...content, { type: "text", text }] } };
  }
  if (!isJsonObject(error)) return answer;
  return { ...answer, error: { ...error, message: `${error.message}\n${text}` } };
}

function isId(value: unknown): value is MessageId {
  return typeof value === "string" || typeof value === "number";
}
