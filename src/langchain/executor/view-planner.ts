import { inheritingView } from "../tool/view-of.ts";
import { isOutputParserException } from "./run.ts";

/** Where an agent, or a runnable in it, may keep its output parser. */
interface Holder {
  readonly outputParser?: object;
  readonly runnable?: Holder;
  /** The last step of a sequence. */
  readonly last?: object;
  /** What a config is bound to. */
  readonly bound?: Holder;
}

/** A parser that asks a model again when it cannot read the text: directly, or the one inside it. */
interface RetryingParser {
  readonly parser?: Parser;
  readonly retryChain?: unknown;
  readonly outputFixingParser?: RetryingParser;
  parse(text: string, callbacks?: unknown): Promise<unknown>;
}

type Parser = Pick<RetryingParser, "parse">;

/** Reads text that the parser refused; `undefined` when it cannot. */
type Recover = (error: Error, text: string) => Promise<unknown>;

/**
 * Makes the view of an agent that plans with a parser that tries `recover` before it asks a model
 * again (`OutputFixingParser`, and the parsers "with retries" of the chat agents): the agent itself
 * where its parser asks no model.
 */
export function viewPlanner<Agent extends object>(agent: Agent, recover: Recover): Agent {
  const parser = parserOf(agent) as RetryingParser | undefined;
  const base = innerParserOf(parser);
  if (parser === undefined || base === undefined) return agent;
  const parse = async (text: string, callbacks?: unknown): Promise<unknown> => {
    try {
      return await base.parse(text, callbacks);
    } catch (error) {
      if (!isOutputParserException(error)) throw error;
      return (await recover(error, text)) ?? parser.parse(text, callbacks);
    }
  };
  return withParser(agent, inheritingView(parser, { parse }));
}

/** The output parser of an agent, where one is found. */
export function parserOf(agent: object): object | undefined {
  const { outputParser, last, runnable, bound } = agent as Holder;
  const inner = runnable ?? bound;
  return outputParser ?? last ?? (inner && parserOf(inner));
}

/** The view of an agent whose output parser is another. */
function withParser<Held extends Holder>(holder: Held, parser: object): Held {
  const key = (["outputParser", "last", "runnable", "bound"] as const).find((one) => holder[one]);
  if (key === undefined) return holder;
  const isParser = key === "outputParser" || key === "last";
  return inheritingView(holder, {
    [key]: isParser ? parser : withParser(holder[key] as Holder, parser),
  });
}

/** The parser within one that asks a model again. */
function innerParserOf(parser: RetryingParser | undefined): Parser | undefined {
  const { outputFixingParser, parser: base, retryChain } = parser ?? {};
  if (outputFixingParser !== undefined) return innerParserOf(outputFixingParser);
  return retryChain !== undefined && typeof base?.parse === "function" ? base : undefined;
}
