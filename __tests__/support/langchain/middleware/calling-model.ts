import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

/** A call as a test's model makes it. */
export interface ModelCall {
  readonly name: string;
  readonly args: unknown;
  readonly id?: string;
}

/** A message with these calls. */
export function calling(...calls: readonly ModelCall[]): AIMessage {
  return new AIMessage({
    content: "",
    tool_calls: calls.map(({ name, args, id }) => ({
      name,
      args: args as Record<string, unknown>,
      type: "tool_call" as const,
      ...(id === undefined ? {} : { id }),
    })),
  });
}

/** A message with calls that LangChain could not parse. */
export function unreadable(...calls: readonly { name: string; args: string; id?: string }[]) {
  return new AIMessage({
    content: "",
    invalid_tool_calls: calls.map((call) => ({
      ...call,
      error: "Malformed args.",
      type: "invalid_tool_call" as const,
    })),
  });
}

/** A model that returns these messages, one after another, and then "done". */
export function saying(...messages: readonly AIMessage[]): SayingModel {
  return new SayingModel([...messages, new AIMessage("done")]);
}

/** langchain has its own only since 1.4. */
class SayingModel extends BaseChatModel {
  /** The prompts that it received. */
  readonly calls: { readonly messages: BaseMessage[] }[] = [];
  readonly #messages: readonly AIMessage[];

  constructor(messages: readonly AIMessage[]) {
    super({});
    this.#messages = messages;
  }

  get callCount(): number {
    return this.calls.length;
  }

  _llmType(): string {
    return "saying";
  }

  override bindTools(): SayingModel {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const message = this.#messages[this.calls.length];
    if (message === undefined) throw new Error("Nothing is left to say.");
    this.calls.push({ messages });
    return { generations: [{ text: "", message }] };
  }
}

/** A model that answers each message of a user, and has nothing to say otherwise. */
export class ByHistory extends BaseChatModel {
  readonly #answer: () => AIMessage;

  constructor(answer: () => AIMessage) {
    super({});
    this.#answer = answer;
  }

  _llmType(): string {
    return "by-history";
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const isAsked = HumanMessage.isInstance(messages.at(-1));
    const message = isAsked ? this.#answer() : new AIMessage("done");
    return { generations: [{ text: "", message }] };
  }
}
