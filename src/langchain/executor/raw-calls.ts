import type { AIMessage, BaseMessage, ToolCallChunk } from "@langchain/core/messages";

/** A call as the model wrote it. */
export interface RawCall {
  readonly name: string;
  readonly id: string | undefined;
  /** The arguments as text where the text is known, else as LangChain parsed them. */
  readonly raw: unknown;
  /** `function`: OpenAI's old form, one to a message and without an id. */
  readonly form: "tool" | "function";
}

/** OpenAI's forms of a call, as they are kept in `additional_kwargs`. */
interface FunctionCall {
  readonly name?: string;
  readonly arguments?: string;
}

/** Every call in a message, the readable ones and those that were not, in the model's order. */
export function rawCallsOf(message: BaseMessage | undefined): readonly RawCall[] {
  if (message === undefined) return [];
  const { function_call, tool_calls = [] } = message.additional_kwargs;
  if (function_call !== undefined) return [fromFunction(function_call, undefined, "function")];
  if (tool_calls.length > 0) {
    return tool_calls.map(({ id, function: called }) => fromFunction(called, id, "tool"));
  }
  const { tool_call_chunks: chunks = [] } = message as { tool_call_chunks?: ToolCallChunk[] };
  if (chunks.length > 0) return fromChunks(chunks);
  const { tool_calls: readable = [] } = message as AIMessage;
  return [
    ...readable.map(({ name, id, args }) => ({ name, id, raw: args, form: "tool" as const })),
    ...unreadableCallsOf(message),
  ];
}

/** The calls that LangChain could not read, and that its agents drop. */
export function unreadableCallsOf(message: BaseMessage | undefined): readonly RawCall[] {
  const { invalid_tool_calls: calls = [] } = (message ?? {}) as Partial<AIMessage>;
  return calls.map(({ name = "", id, args }) => ({ name, id, raw: args ?? "", form: "tool" }));
}

/** A streamed message keeps the text; what LangChain makes of it closes what was cut off. */
function fromChunks(chunks: readonly ToolCallChunk[]): readonly RawCall[] {
  const calls = new Map<unknown, RawCall & { raw: string }>();
  for (const { id, index, name = "", args = "" } of chunks) {
    const key = index ?? id;
    const call = calls.get(key) ?? { name: "", id: undefined, raw: "" };
    calls.set(key, {
      name: call.name + name,
      id: call.id ?? id,
      raw: call.raw + args,
      form: "tool",
    });
  }
  return [...calls.values()];
}

function fromFunction(
  called: FunctionCall | undefined,
  id: string | undefined,
  form: RawCall["form"],
): RawCall {
  return { name: called?.name ?? "", id, raw: called?.arguments || "{}", form };
}
