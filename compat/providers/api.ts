import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { Answer, WrittenCall } from "../../__tests__/support/langchain/middleware/loopback.ts";

export type { Answer, WrittenCall };

export type OutputVersion = "v0" | "v1";

/** Further parts of an answer. */
export interface AnswerOptions {
  /** The provider's stop reason. Default: the one for a finished answer. */
  readonly stop?: string | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: each provider has a shape of its own
export type Body = any;

/** The calls and answers that a provider receives, in order, as far as the wire has them. */
export interface Sent {
  readonly calls: readonly {
    readonly id?: string;
    readonly name: string;
    readonly args: unknown;
  }[];
  readonly answers: readonly { readonly id?: string; readonly text: string }[];
}

/** A provider: its wire format, and LangChain's model of it. */
export interface Api {
  readonly name: string;
  /** Whether the arguments of a call are text on the wire; otherwise they are an object. */
  readonly text: { readonly whole: boolean; readonly streamed: boolean };
  readonly model: (url: string, outputVersion: OutputVersion) => BaseChatModel;
  /**
   * Whether LangChain drops the text of the arguments of a non-streamed answer. Default: `false`.
   */
  readonly losesText?: boolean;
  /** Whether LangChain's agents always stream it, with or without listeners. Default: `false`. */
  readonly agentsStream?: boolean;
  readonly whole: (calls: readonly WrittenCall[], options?: AnswerOptions) => Answer;
  readonly streamed: (calls: readonly WrittenCall[], options?: AnswerOptions) => Answer;
  readonly sent: (body: Body) => Sent;
  /** The stop reasons of an unfinished answer. */
  readonly cutOff: readonly string[];
  /** The stop reasons of a finished one. */
  readonly finished: readonly string[];
}

/** The events of a stream, as servers send them. */
export function serverEvents(data: readonly unknown[], end = ""): Answer {
  return { events: [...data.map((one) => `data: ${JSON.stringify(one)}\n\n`), end] };
}
