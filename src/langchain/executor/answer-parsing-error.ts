import type { Run } from "./run.ts";
import { toObservation } from "./to-observation.ts";

/**
 * Answers an input, or an output of the model, that could not be read, as LangChain's own option
 * `handleParsingErrors` says. The wrapper does it itself, since LangChain's loop tells its errors
 * from others with `instanceof`, which fails across copies of core: then it is silent.
 *
 * @param error What is wrong.
 * @param sentence What LangChain answers where the option is `true`.
 * @param run The run.
 * @returns The observation.
 * @throws The error, where the option is `false` or not given; what a handler throws.
 */
export async function answerParsingError(
  error: Error,
  sentence: string,
  run: Run,
): Promise<string> {
  const handle = run.executor.handleParsingErrors;
  if (handle === true) return sentence;
  if (typeof handle === "string") return handle;
  if (typeof handle !== "function") throw error;
  return toObservation(await handle(error)) || sentence;
}
