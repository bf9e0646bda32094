import { isJsonObject } from "../repair/json.ts";

/** The id of a request. */
export type MessageId = string | number;

/**
 * A message of JSON-RPC, of any version of MCP: nothing in it is known but what
 * the checks below find.
 */
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
    readonly _meta?: unknown;
  };
}

export function isCall(message: Message): message is CallMessage {
  const { id, method, params } = message;
  return (
    method === "tools/call" &&
    isId(id) &&
    isJsonObject(params) &&
    typeof params.name === "string"
  );
}

export function isAnswer(message: Message): message is AnswerMessage {
  return message.method === undefined && isId(message.id);
}

/** Returns the id of the request that a notification cancels. */
export function cancelledId({
  method,
  params,
}: Message): MessageId | undefined {
  if (method !== "notifications/cancelled" || !isJsonObject(params))
    return undefined;
  return isId(params.requestId) ? params.requestId : undefined;
}

/**
 * What a call of MCP 2026-07-28 says of its client, in `_meta`: each request
 * must say it.
 */
const ENVELOPE = [
  "io.modelcontextprotocol/protocolVersion",
  "io.modelcontextprotocol/clientInfo",
  "io.modelcontextprotocol/clientCapabilities",
] as const;

/**
 * A request for a page of the list of tools, in the protocol version of the
 * call that needs it.
 */
export function listRequest(
  id: MessageId,
  cursor: string | undefined,
  call: CallMessage,
): Message {
  const _meta = envelopeOf(call);
  const params = {
    ...(cursor !== undefined && { cursor }),
    ...(_meta && { _meta }),
  };
  return { jsonrpc: "2.0", id, method: "tools/list", params };
}

/**
 * The answer to a call that is not run: an error of the tool, which the model
 * reads.
 */
export function rejectionOf(call: CallMessage, text: string): Message {
  const failed = { content: [{ type: "text", text }], isError: true };
  const result =
    envelopeOf(call) === undefined
      ? failed
      : { resultType: "complete", ...failed };
  return { jsonrpc: "2.0", id: call.id, result };
}

/**
 * Adds a text to a server's own error. A result that is none stays unchanged.
 */
export function withReason(answer: AnswerMessage, text: string): Message {
  const { result, error } = answer;
  if (isJsonObject(result) && result.isError === true) {
    const content = Array.isArray(result.content) ? result.content : [];
    return {
      ...answer,
      result: { ...result, content: [...content, { type: "text", text }] },
    };
  }
  if (!isJsonObject(error)) return answer;
  const message =
    typeof error.message === "string" ? `${error.message}\n${text}` : text;
  return { ...answer, error: { ...error, message } };
}

/**
 * Returns the envelope of a call; `undefined` before MCP 2026-07-28, which has
 * none.
 */
function envelopeOf({ params }: CallMessage): Message | undefined {
  const { _meta } = params;
  if (!isJsonObject(_meta)) return undefined;
  const entries = ENVELOPE.map((name) => [name, _meta[name]] as const);
  const present = entries.filter(([, value]) => value !== undefined);
  return present.length === 0 ? undefined : Object.fromEntries(present);
}

function isId(value: unknown): value is MessageId {
  return typeof value === "string" || typeof value === "number";
}
