import { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { cutText } from "../../repair/usage.ts";
import { answerParsingError } from "./answer-parsing-error.ts";
import { keeps, type Run } from "./run.ts";
import { MAX_OBSERVATION } from "./summarize.ts";

/** What LangChain answers to a refused input where `handleParsingErrors` is `true`. */
const INVALID_INPUT = "Invalid or incomplete tool input. Please try again.";

/**
 * Answers an input that was refused: the model is told what is wrong with it, unless the executor has
 * an answer of its own, or LangChain's way is kept.
 *
 * @param error What is wrong.
 * @param run The run.
 * @returns The observation.
 * @throws The error, where LangChain's way is kept and throws it; what a handler throws.
 */
export async function answerInputError(error: Error, run: Run): Promise<string> {
  const { handleParsingErrors: handle } = run.executor;
  const hasAnswer = typeof handle === "string" || typeof handle === "function";
  if (hasAnswer || keeps(run, "inputErrors")) return answerParsingError(error, INVALID_INPUT, run);
  return ToolInputError.isInstance(error)
    ? error.toModelMessage()
    : cutText(error.message, MAX_OBSERVATION);
}
