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
  if (!(error instanceof Error)) return false;
  if ("lc_error_code" in error && error.lc_error_code === "OUTPUT_PARSING_FAILURE") return true;
  for (let proto = Object.getPrototypeOf(error); proto; proto = Object.getPrototypeOf(proto)) {
    if (proto.constructor?.name === "OutputParserException") return true;
  }
  return false;
}
