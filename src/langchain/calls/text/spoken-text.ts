import type { AIMessage, MessageContent } from "@langchain/core/messages";
import { isJsonObject } from "../../../repair/json/json-value.ts";
import type { JsonObject } from "../../../repair/types.ts";
import { withFields } from "../with-fields.ts";

type Block = { readonly type?: string; readonly text?: unknown };

/** The content blocks in which a model thinks: nothing in them is a call. */
const REASONING: ReadonlySet<string | undefined> = new Set([
  "reasoning",
  "reasoning_content",
  "thinking",
  "redacted_thinking",
]);

interface NewCall {
  readonly name: string;
  readonly args: JsonObject;
  readonly id: string;
  readonly type: "tool_call";
}

/**
 * Reads the text of a message that has nothing else to say.
 *
 * @param content The message's content.
 * @returns `undefined` where there is more than text and thoughts.
 */
export function spokenText(content: MessageContent): string | undefined {
  if (typeof content === "string") return content;
  const blocks = (content as readonly Block[]).filter(({ type }) => !REASONING.has(type));
  const texts = blocks.map(({ type, text }) => (type === "text" ? text : undefined));
  return texts.every((text) => typeof text === "string") ? texts.join("") : undefined;
}

/**
 * Puts calls in the place of the text in which they were written.
 *
 * @param message The message. It is not changed.
 * @param calls The calls.
 * @param lead The plain text before them, which stays.
 * @param metadata What `response_metadata` is to hold besides.
 */
export function withCalls(
  message: AIMessage,
  calls: readonly NewCall[],
  lead: string,
  metadata: AIMessage["response_metadata"],
): AIMessage {
  const { content, response_metadata } = message;
  return withFields(message, {
    content: typeof content === "string" ? lead : withLead(content as readonly Block[], lead),
    tool_calls: [...calls],
    response_metadata: { ...withOutput(response_metadata, calls, lead), ...metadata },
  });
}

function withLead(blocks: readonly Block[], lead: string): MessageContent {
  const kept = blocks.filter(({ type }) => REASONING.has(type));
  return (lead === "" ? kept : [...kept, { type: "text", text: lead }]) as MessageContent;
}

/** OpenAI's responses are sent their own output again: there too, the calls stand for the text. */
function withOutput(
  metadata: AIMessage["response_metadata"],
  calls: readonly NewCall[],
  lead: string,
): AIMessage["response_metadata"] {
  const { output } = metadata as { output?: unknown };
  if (!Array.isArray(output)) return metadata;
  const isMessage = (item: unknown) => isJsonObject(item) && item.type === "message";
  const said = lead === "" ? undefined : output.find(isMessage);
  const spoken = { ...said, content: [{ type: "output_text", text: lead, annotations: [] }] };
  const items = calls.map(({ id, name, args }) => {
    return { type: "function_call", call_id: id, name, arguments: JSON.stringify(args) };
  });
  const others = output.filter((item) => !isMessage(item));
  return {
    ...metadata,
    output: [...others, ...(said === undefined ? [] : [spoken]), ...items],
  };
}
