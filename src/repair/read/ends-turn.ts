import { skipBlanks } from "./skip-space.ts";

/** Tokens with which models end their turn: they say nothing. */
const END_TOKENS: readonly string[] = [
  "<|im_end|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|eot|>",
  "<|eom|>",
  "<|end|>",
  "<|endoftext|>",
  "<|end_of_text|>",
  "<|end_of_turn|>",
  "<|end_message|>",
  "<|return|>",
  "<|call|>",
  "<|observation|>",
  "<|user|>",
  "<|END_OF_TURN_TOKEN|>",
  "<|assistant_end|>",
  "<|message_sep|>",
  "<|close|>message<|sep|>",
  "<|plamo:tag|>",
  "<｜end▁of▁sentence｜>",
  "<end_of_turn>",
  "<start_function_response>",
  "<turn|>",
  "<eos>",
  "</s>",
  "[e~[",
];

/**
 * Checks whether nothing but tokens that end a turn is left of a text.
 *
 * @param text The text.
 * @param from The index to look from.
 */
export function endsTurn(text: string, from: number): boolean {
  let at = skipBlanks(text, from);
  for (;;) {
    const token = END_TOKENS.find((one) => text.startsWith(one, at));
    if (token === undefined) return at === text.length;
    at = skipBlanks(text, at + token.length);
  }
}
