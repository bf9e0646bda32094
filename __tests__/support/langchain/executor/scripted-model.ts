import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { type AIMessage, AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";

/** The model's output: one message, or the chunks of one, which are streamed. */
export type Output = AIMessage | readonly AIMessageChunk[];

/** A model that writes scripted outputs, one after another, and records its prompts. */
export class ScriptedModel extends BaseChatModel {
  readonly prompts: string[] = [];
  readonly #outputs: Output[];

  constructor(outputs: readonly Output[]) {
    super({});
    this.#outputs = [...outputs];
    // Only chunks are streamed; with the base method, LangChain invokes instead.
    if (!outputs.some(Array.isArray)) {
      this._streamResponseChunks = BaseChatModel.prototype._streamResponseChunks;
    }
  }

  _llmType() {
    return "openai";
  }

  override bindTools() {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.prompts.push(JSON.stringify(messages.map((one) => one.toDict().data)));
    const output = this.#outputs.shift();
    if (output === undefined) throw new Error("The script has no more outputs.");
    const message = Array.isArray(output)
      ? output.reduce((whole: AIMessageChunk, chunk: AIMessageChunk) => whole.concat(chunk))
      : (output as AIMessage);
    const text = typeof message.content === "string" ? message.content : "";
    return { generations: [{ text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    _options?: unknown,
  ): AsyncGenerator<ChatGenerationChunk> {
    const [generation] = (await this._generate(messages)).generations;
    const { message, text } = generation as { message: AIMessage; text: string };
    const chunk =
      message instanceof AIMessageChunk
        ? message
        : new AIMessageChunk({ ...(message as object) } as never);
    yield new ChatGenerationChunk({ message: chunk, text });
  }
}
