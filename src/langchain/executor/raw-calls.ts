import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { LocatedCall } from "../calls/call-sites.ts";
import { isCutOff } from "../calls/is-cut-off.ts";
import { readCalls } from "../calls/read-calls.ts";

/** A call as the model wrote it. */
export interface RawCall {
  readonly name: string;
  /** An id of its own; none in OpenAI's old `function_call`. */
  readonly id: string | undefined;
  /** The id as the model wrote it. */
  readonly writtenId: string | undefined;
  /** The arguments as text where LangChain could not read all of it, else as it parsed them. */
  readonly raw: unknown;
  /** Whether the message is known to be cut off in this call. */
  readonly truncated: boolean;
  /** Whether LangChain could not read it, so that its agents drop it. */
  readonly dropped: boolean;
  /** Where it stands in the message; not known of calls in `additional_kwargs` alone. */
  readonly located?: LocatedCall;
}

/** OpenAI's forms of a call, as they are kept in `additional_kwargs`. */
interface FunctionCall {
  readonly name?: string;
  readonly arguments?: string;
}

/** Every call in a message, the readable ones and those that were not, in the model's order. */
export function rawCallsOf(message: BaseMessage | undefined): readonly RawCall[] {
  if (message === undefined) return [];
  const given = message as AIMessage;
  const { function_call, tool_calls = [] } = given.additional_kwargs;
  if (function_call !== undefined) return [fromKwargs(function_call, undefined, given)];
  const calls = readCalls(given);
  if (calls.length === 0) {
    return tool_calls.map(({ id, function: called }) => fromKwargs(called, id, given));
  }
  return calls.map(({ located, id, name, raw, truncated }) => ({
    raw,
    truncated,
    name,
    id,
    writtenId: located.call.id,
    dropped: located.invalid,
    located,
  }));
}

function fromKwargs(
  called: FunctionCall | undefined,
  id: string | undefined,
  message: AIMessage,
): RawCall {
  const raw = called?.arguments || "{}";
  const truncated = isCutOff(message);
  return { name: called?.name ?? "", id, writtenId: id, raw, truncated, dropped: false };
}
