import type { CallbackManagerForLLMRun } from "@langchain/core/callbacks/manager";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage, type InvalidToolCall } from "@langchain/core/messages";

/** One request to the model. */
export interface Asked {
  readonly messages: readonly BaseMessage[];
  readonly tools: unknown;
  readonly toolChoice: unknown;
}

interface Call {
  readonly name: string;
  readonly args: unknown;
  readonly id?: string;
}

/** An answer: a message, calls, an error to throw, or a function that makes a message. */
export type Answer =
  | AIMessage
  | Error
  | readonly Call[]
  | ((messages: readonly BaseMessage[]) => Answer);

/** A chat model that answers by a script, and records its requests. */
export class ScriptedModel extends BaseChatModel {
  readonly asked: Asked[] = [];
  readonly #answers: readonly Answer[];

  constructor(...answers: Answer[]) {
    super({});
    this.#answers = answers;
  }

  static override lc_name(): string {
    return "ScriptedModel";
  }

  _llmType(): string {
    return "scripted";
  }

  override bindTools(tools: unknown[], kwargs: object = {}) {
    return this.withConfig({ tools, ...kwargs } as never);
  }

  async _generate(
    messages: BaseMessage[],
    options: this["ParsedCallOptions"],
    _runManager?: CallbackManagerForLLMRun,
  ) {
    const { tools, tool_choice } = options as { tools?: unknown; tool_choice?: unknown };
    const index = this.asked.push({ messages, tools, toolChoice: tool_choice }) - 1;
    const answer = this.#answers[index];
    if (answer === undefined) throw new Error(`Nothing is scripted for question ${index + 1}.`);
    const message = toMessage(answer, messages, index);
    return { generations: [{ text: message.text, message }] };
  }
}

function toMessage(answer: Answer, messages: readonly BaseMessage[], index: number): AIMessage {
  if (typeof answer === "function") return toMessage(answer(messages), messages, index);
  if (answer instanceof Error) throw answer;
  if (AIMessage.isInstance(answer)) return answer;
  const calls = (answer as readonly Call[]).map((call, place) => ({
    type: "tool_call",
    id: `call_${index + 1}_${place + 1}`,
    ...call,
  }));
  const isText = (call: Call) => typeof call.args === "string";
  return new AIMessage({
    content: "",
    id: `message_${index + 1}`,
    tool_calls: calls.filter((call) => !isText(call)) as never[],
    invalid_tool_calls: calls.filter(isText).map(
      (call): InvalidToolCall => ({
        ...(call as { name: string; args: string; id: string }),
        type: "invalid_tool_call",
        error: "Malformed args.",
      }),
    ),
    usage_metadata: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
  });
}
