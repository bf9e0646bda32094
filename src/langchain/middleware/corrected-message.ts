import type { AIMessage, BaseMessage, UsageMetadata } from "@langchain/core/messages";
import { isJsonObject } from "../../repair/json/json-value.ts";
import { isAIMessage } from "../calls/is-ai-message.ts";
import { withFields } from "../calls/with-fields.ts";
import type { KeptMistake } from "../correct/input-key.ts";
import { type KeptCorrection, keptCorrectionsOf } from "../correct/kept-corrections.ts";

const KEY = "toolmend";

/**
 * Makes the message that stands for all attempts of a model: with what they used together, and with
 * a note of the mistakes that it was told of. The history does not hold those; the note is how a
 * later turn of the same run knows of them, in another process too.
 *
 * @param message The message of the last attempt; it is not changed.
 * @param usage What all attempts used.
 * @param corrections The mistakes that were corrected, and which calls of the message stand for them.
 */
export function correctedMessage(
  message: AIMessage,
  usage: UsageMetadata | undefined,
  corrections: readonly KeptCorrection[],
): AIMessage {
  const own: unknown = message.response_metadata[KEY];
  return withFields(message, {
    response_metadata: {
      ...message.response_metadata,
      [KEY]: { ...(isJsonObject(own) && own), corrections },
    },
    ...(usage && { usage_metadata: usage }),
  });
}

/**
 * Gives the mistakes that were corrected in this run: since somebody last spoke to the agent.
 *
 * @param messages The history.
 */
export function pastMistakes(messages: readonly BaseMessage[]): readonly KeptMistake[] {
  const from = messages.findLastIndex((message) => message.getType() === "human") + 1;
  return messages.slice(from).filter(isAIMessage).flatMap(keptCorrectionsOf);
}
