import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { AIMessage } from "@langchain/core/messages";
import type { ChatResult } from "@langchain/core/outputs";

/** A model that returns the same object every time. */
export function repeating(message: AIMessage): RepeatingModel {
  return new RepeatingModel(message);
}

class RepeatingModel extends BaseChatModel {
  count = 0;
  readonly #message: AIMessage;

  constructor(message: AIMessage) {
    super({});
    this.#message = message;
  }

  _llmType(): string {
    return "repeating";
  }

  override bindTools(): RepeatingModel {
    return this;
  }

  async _generate(): Promise<ChatResult> {
    this.count += 1;
    return { generations: [{ text: "", message: this.#message }] };
  }
}
