import type { AIMessage } from "@langchain/core/messages";

/** Where providers say why a model stopped. */
const REASON_KEYS = [
  "finish_reason",
  "finishReason",
  "stop_reason",
  "stopReason",
  "done_reason",
  "reason",
] as const;

/** What they say when it had not finished. */
const CUT_OFF: ReadonlySet<string> = new Set([
  "length",
  "max_tokens",
  "max_output_tokens",
  "model_length",
  "model_context_window_exceeded",
  "content_filter",
]);

type Fields = Record<string, unknown>;

/**
 * Tells whether the provider says that a model's message was cut off.
 *
 * @param message The message.
 */
export function isCutOff({ response_metadata, additional_kwargs }: AIMessage): boolean {
  const metadata = (response_metadata ?? {}) as Fields;
  const said = [metadata, additional_kwargs, metadata.incomplete_details, metadata.messageStop];
  return said.some((fields) =>
    REASON_KEYS.some((key) => {
      const reason = (fields as Fields | null | undefined)?.[key];
      return typeof reason === "string" && CUT_OFF.has(reason.toLowerCase());
    }),
  );
}
