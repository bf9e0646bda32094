import type { HeardGeneration } from "./hear-generation.ts";

const CUT_OFF: ReadonlySet<unknown> = new Set(["length", "max_tokens", "max_output_tokens"]);

/** Where providers say why a model stopped. */
const REASONS = ["finish_reason", "stop_reason", "finishReason", "stopReason", "done_reason"];

/**
 * Tells whether the provider says that a model's output was cut off.
 *
 * @param generation What the model wrote.
 */
export function isCutOff(generation: HeardGeneration | undefined): boolean {
  const metadata: Record<string, unknown> = {
    ...generation?.generationInfo,
    ...generation?.message?.response_metadata,
  };
  return REASONS.some((key) => {
    const reason: unknown = metadata[key];
    return typeof reason === "string" && CUT_OFF.has(reason.toLowerCase());
  });
}
