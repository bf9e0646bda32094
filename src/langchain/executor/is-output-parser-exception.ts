import { EXCEPTIONS, isLike } from "../../repair/errors/likeness.ts";

/** What LangChain's `OutputParserException` says besides its message. */
export interface OutputParserFields {
  readonly llmOutput?: string;
  readonly observation?: string;
  readonly sendToLLM?: boolean;
}

/**
 * Tells an `OutputParserException` of any copy of core from other errors.
 *
 * @param error Anything.
 */
export function isOutputParserException(error: unknown): error is Error & OutputParserFields {
  return error instanceof Error && isLike(error, EXCEPTIONS.OutputParserException);
}
