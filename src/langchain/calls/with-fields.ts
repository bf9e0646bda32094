import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";

/** What a copy of a message may have otherwise. */
type Fields<Message> = Partial<Omit<Message, keyof BaseMessage>> &
  Partial<Pick<BaseMessage, "content" | "id" | "name" | "additional_kwargs" | "response_metadata">>;

/**
 * Makes a copy of a model's message with other fields, and never a chunk. The copy has the calls that
 * it is given and no others: LangChain's constructor would add those of content blocks and of
 * `additional_kwargs`, and a tool would run twice for one call.
 *
 * @param message The message. It is not changed.
 * @param changes The fields that are others.
 */
export function withFields(message: AIMessage, changes: Fields<AIMessage>): AIMessage {
  const { id, name, usage_metadata, additional_kwargs, response_metadata } = message;
  const { content = message.content } = changes;
  const { tool_calls = [], invalid_tool_calls = [] } = { ...callsOf(message), ...changes };
  const copy = new AIMessage({
    ...given({ id, name, usage_metadata }),
    additional_kwargs,
    response_metadata,
    ...given(changes),
    // LangChain's constructor adds blocks to an array that it is given.
    content: Array.isArray(content) ? [...content] : content,
    tool_calls,
    invalid_tool_calls,
  });
  return Object.assign(copy, { tool_calls, invalid_tool_calls });
}

/**
 * Makes a copy of a tool's message with other fields.
 *
 * @param message The message. It is not changed.
 * @param changes The fields that are others.
 */
export function withAnswerFields(message: ToolMessage, changes: Fields<ToolMessage>): ToolMessage {
  const { content, id, name, status, artifact, metadata } = message;
  const { tool_call_id, additional_kwargs, response_metadata } = message;
  return new ToolMessage({
    ...given({ id, name, status, artifact, metadata }),
    content,
    tool_call_id,
    additional_kwargs,
    response_metadata,
    ...given(changes),
  });
}

function callsOf({ tool_calls, invalid_tool_calls }: AIMessage) {
  return { tool_calls, invalid_tool_calls };
}

/** LangChain keeps a field that is `undefined`, and writes it to checkpoints. */
function given<Given extends object>(fields: Given): Given {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Given;
}
