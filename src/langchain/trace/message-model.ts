import type { BaseMessage } from "@langchain/core/messages";
import type { Origin } from "../../repair/events/event.ts";

/**
 * Returns the model that wrote a message, as far as the message says it.
 *
 * @param message The message.
 */
export function messageModel(message: BaseMessage | undefined): Pick<Origin, "model" | "provider"> {
  const { model_name, model, model_provider } = (message?.response_metadata ?? {}) as Readonly<
    Record<string, unknown>
  >;
  return {
    model: [model_name, model].find((name) => typeof name === "string"),
    provider: typeof model_provider === "string" ? model_provider : undefined,
  };
}
