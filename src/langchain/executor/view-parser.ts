import { inheritingView } from "./inheriting-view.ts";
import { isOutputParserException } from "./is-output-parser-exception.ts";

/** A parser that asks a model again when it cannot read the text: directly, or the one inside it. */
interface RetryingParser {
  readonly parser?: Parser;
  readonly retryChain?: unknown;
  readonly outputFixingParser?: RetryingParser;
  parse(text: string, callbacks?: unknown): Promise<unknown>;
}

type Parser = Pick<RetryingParser, "parse">;

/**
 * Makes the view of an output parser that asks a model again (`OutputFixingParser`, and the parsers
 * "with retries" of the chat agents), which tries `recover` before it does.
 *
 * @param parser The parser; it stays as it was.
 * @param recover Reads the text otherwise; `undefined` when it cannot.
 * @returns The view; `undefined` when the parser asks no model.
 */
export function viewParser(
  parser: unknown,
  recover: (error: Error, text: string) => Promise<unknown>,
): object | undefined {
  const base = innerParserOf(parser);
  if (base === undefined) return undefined;
  const retrying = parser as RetryingParser;
  const parse = async (text: string, callbacks?: unknown): Promise<unknown> => {
    try {
      return await base.parse(text, callbacks);
    } catch (error) {
      if (!isOutputParserException(error)) throw error;
      return (await recover(error, text)) ?? retrying.parse(text, callbacks);
    }
  };
  return inheritingView(retrying, { parse });
}

function innerParserOf(parser: unknown): Parser | undefined {
  const { outputFixingParser, parser: base, retryChain } = (parser ?? {}) as RetryingParser;
  if (outputFixingParser !== undefined) return innerParserOf(outputFixingParser);
  return retryChain !== undefined && typeof base?.parse === "function" ? base : undefined;
}
