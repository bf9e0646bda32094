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

/** A model without a provider, for its tools or none: langchain has its own only since 1.4. */
abstract class OfflineModel extends BaseChatModel {
  constructor() {
    super({});
  }

  abstract answer(messages: BaseMessage[]): AIMessage;

  _llmType(): string {
    return "offline";
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    return { generations: [{ text: "", message: this.answer(messages) }] };
  }
}

class SayingModel extends OfflineModel {
  /** The prompts that it received. */
  readonly calls: { readonly messages: BaseMessage[] }[] = [];
  readonly #messages: readonly AIMessage[];

  constructor(messages: readonly AIMessage[]) {
    super();
    this.#messages = messages;
  }

  get callCount(): number {
    return this.calls.length;
  }

  answer(messages: BaseMessage[]): AIMessage {
    const message = this.#messages[this.calls.length];
    if (message === undefined) throw new Error("Nothing is left to say.");
    this.calls.push({ messages });
    return message;
  }
}

/** A model that answers each message of a user, and has nothing to say otherwise. */
export class ByHistory extends OfflineModel {
  readonly #answer: () => AIMessage;

  constructor(answer: () => AIMessage) {
    super();
    this.#answer = answer;
  }

  answer(messages: BaseMessage[]): AIMessage {
    return HumanMessage.isInstance(messages.at(-1)) ? this.#answer() : new AIMessage("done");
  }
}

/** A model that returns the same object every time. */
export class Repeating extends OfflineModel {
  count = 0;
  readonly #message: AIMessage;

  constructor(message: AIMessage) {
    super();
    this.#message = message;
  }

  answer(): AIMessage {
    this.count += 1;
    return this.#message;
  }
}
