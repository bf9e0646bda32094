import type { AIMessage, MessageContent, ToolCall } from "@langchain/core/messages";
import type { LocatedCall } from "./call-sites.ts";

type Fields = Record<string, unknown>;

/**
 * Tells whether a message's content is made of LangChain's own blocks (`outputVersion: "v1"`).
 *
 * @param metadata Its `response_metadata`.
 */
export function isOwnFormat(metadata: Fields | undefined): boolean {
  return metadata?.output_version === "v1";
}

/**
 * Returns what a message says, no more in LangChain's own format where that has no block of any of
 * its calls, as of some messages that were streamed: a copy in that format would get blocks of them,
 * which some providers' converters refuse, as others do empty text.
 *
 * @param message The message. It is not changed.
 * @param located Its calls.
 */
export function withoutFormat(
  message: AIMessage,
  located: readonly LocatedCall[],
): Pick<AIMessage, "content" | "response_metadata"> {
  const { content, response_metadata } = message;
  const hasBlocks = located.some(({ sites }) => sites.some(({ place }) => place === "content"));
  if (located.length === 0 || hasBlocks || !isOwnFormat(response_metadata)) return message;
  const { output_version: _, ...metadata } = response_metadata;
  const blocks = Array.isArray(content) ? content.filter(({ text }) => text !== "") : content;
  return { content: blocks.length > 0 ? blocks : "", response_metadata: metadata };
}

/**
 * Adds blocks of calls that have none, in the order of the calls: LangChain leaves out those that it
 * could not read, and would put them last.
 *
 * @param calls The calls that are to be run.
 * @param content The content in LangChain's own format. It is not changed.
 */
export function withBlocksOf(calls: readonly ToolCall[], content: MessageContent): MessageContent {
  if (typeof content === "string") return content;
  const blocks: Fields[] = [...content];
  const isBlock = ({ type, id }: Fields, ids: readonly unknown[]) =>
    type === "tool_call" && ids.includes(id);
  const ids = calls.map(({ id }) => id);
  for (const [index, { id, name, args }] of calls.entries()) {
    if (blocks.some((block) => isBlock(block, [id]))) continue;
    const next = blocks.findIndex((block) => isBlock(block, ids.slice(index + 1)));
    blocks.splice(next < 0 ? blocks.length : next, 0, { type: "tool_call", id, name, args });
  }
  return blocks as MessageContent;
}
