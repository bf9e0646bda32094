import { AIMessage } from "@langchain/core/messages";

/**
 * How a model's messages hold the calls: always in `tool_calls`, and also in the provider's own form.
 */
export type Form = "plain" | "anthropic" | "responses" | "google" | "chatGoogle" | "v1";

/** A call as the model wrote it. */
export interface WrittenCall {
  readonly id: string;
  readonly name: string;
  readonly args: object;
  /** The model's text instead of arguments, if LangChain cannot parse it. */
  readonly unreadable?: string | undefined;
}

/**
 * Makes a model's message as LangChain does from a provider's answer.
 *
 * @param form The provider's form.
 * @param calls The calls; without any, the model says "ok".
 */
export function threadMessage(form: Form, calls: readonly WrittenCall[]): AIMessage {
  const read = calls.filter(({ unreadable }) => unreadable === undefined);
  return new AIMessage({
    id: `ai_${crypto.randomUUID()}`,
    content: calls.length === 0 ? "ok" : "",
    tool_calls: read.map(({ id, name, args }) => ({ id, name, args })),
    invalid_tool_calls: calls.flatMap(({ id, name, unreadable }) =>
      unreadable === undefined ? [] : [{ id, name, args: unreadable, error: "Malformed." }],
    ),
    ...(calls.length > 0 && FIELDS[form](calls)),
  } as never);
}

/** The signature of a call by Google's model. */
export function signatureOf(id: string): string {
  return `sig_${id}`;
}

const FIELDS: Record<Form, (calls: readonly WrittenCall[]) => object> = {
  plain: () => ({}),
  anthropic: (calls) => ({
    content: calls.map(({ id, name, args }) => ({ type: "tool_use", id, name, input: args })),
  }),
  responses: (calls) => ({
    response_metadata: {
      output: calls.map(({ id, name, args, unreadable }) => ({
        type: "function_call",
        id: `fc_${id}`,
        call_id: id,
        name,
        arguments: unreadable ?? JSON.stringify(args),
        status: "completed",
      })),
    },
  }),
  google: (calls) => ({
    content: calls.flatMap(({ name, args, unreadable }) =>
      unreadable === undefined ? [{ type: "functionCall", functionCall: { name, args } }] : [],
    ),
    additional_kwargs: {
      __gemini_function_call_thought_signatures__: Object.fromEntries(
        calls.map(({ id }) => [id, signatureOf(id)]),
      ),
    },
  }),
  chatGoogle: (calls) => ({
    content: calls.flatMap(({ name, args, unreadable }) =>
      unreadable === undefined ? [{ type: "functionCall", functionCall: { name, args } }] : [],
    ),
    response_metadata: { model_provider: "google" },
  }),
  v1: (calls) => ({
    content: calls.map(({ id, name, args, unreadable }) =>
      unreadable === undefined
        ? { type: "tool_call", id, name, args }
        : { type: "invalid_tool_call", id, name, args: unreadable, error: "Malformed." },
    ),
    response_metadata: { output_version: "v1" },
  }),
};
