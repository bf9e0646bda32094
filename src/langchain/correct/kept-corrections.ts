import type { AIMessage } from "@langchain/core/messages";
import { isJsonObject } from "../../repair/json/json-value.ts";
import type { KeptMistake } from "./input-key.ts";

/** A mistake that a model was told of, and what stands for it. Kept with the message. */
export interface KeptCorrection extends KeptMistake {
  /** The id of the call that was refused. */
  readonly of?: string;
  /** The id of the call of the message that stands for it; absent where none does. */
  readonly by?: string;
}

const KEY = "toolmend";

/**
 * Returns the mistakes that a model corrected before its message became part of the history.
 *
 * @param message The message.
 */
export function keptCorrectionsOf({ response_metadata }: AIMessage): readonly KeptCorrection[] {
  const own: unknown = response_metadata?.[KEY];
  return isJsonObject(own) && Array.isArray(own.corrections)
    ? (own.corrections as unknown as readonly KeptCorrection[])
    : [];
}
