import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { Answer, WrittenCall } from "../../__tests__/support/langchain/middleware/loopback.ts";

export type { Answer, WrittenCall };

export type OutputVersion = "v0" | "v1";

/** What else an answer has. */
export interface AnswerOptions {
  /** Why the model stopped, in the provider's words. Default: that it has finished. */
  readonly stop?: string | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: each provider has a shape of its own
export type Body = any;

/** What a provider is sent of calls and answers, in its order, as far as the wire has it. */
export interface Sent {
  readonly calls: readonly {
    readonly id?: string;
    readonly name: string;
    readonly args: unknown;
  }[];
  readonly answers: readonly { readonly id?: string; readonly text: string }[];
}

/** A provider: its wire, and LangChain's model of it. */
export interface Api {
  readonly name: string;
  /** Where the arguments of a call are text on the wire; elsewhere they are an object. */
  readonly text: { readonly whole: boolean; readonly streamed: boolean };
  readonly model: (url: string, outputVersion: OutputVersion) => BaseChatModel;
  /** Whether LangChain keeps nothing of the text of a whole answer's arguments. Default: `false`. */
  readonly losesText?: boolean;
  /** Whether LangChain's agents make it stream, whoever listens. Default: `false`. */
  readonly agentsStream?: boolean;
  readonly whole: (calls: readonly WrittenCall[], options?: AnswerOptions) => Answer;
  readonly streamed: (calls: readonly WrittenCall[], options?: AnswerOptions) => Answer;
  readonly sent: (body: Body) => Sent;
  /** The words for an answer that was not finished. */
  readonly cutOff: readonly string[];
  /** The words for one that was. */
  readonly finished: readonly string[];
}

/** The events of a stream, as servers send them. */
export function serverEvents(data: readonly unknown[], end = ""): Answer {
  return { events: [...data.map((one) => `data: ${JSON.stringify(one)}\n\n`), end] };
}
