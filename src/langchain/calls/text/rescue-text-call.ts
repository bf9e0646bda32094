import type { AIMessage, BaseMessage, MessageContent } from "@langchain/core/messages";
import { isJsonObject } from "../../../repair/json/json-value.ts";
import { notifyRepair } from "../../../repair/notify.ts";
import { repairToolInput } from "../../../repair/repair-tool-input.ts";
import type { JsonObject, JsonValue, Repair, ToolLike } from "../../../repair/types.ts";
import { assignCallIds } from "../assign-call-ids.ts";
import { recordsAsMetadata } from "../call-records.ts";
import { isAIMessage } from "../is-ai-message.ts";
import { isCutOff } from "../is-cut-off.ts";
import type { RepairMessageOptions } from "../repair-ai-message.ts";
import { toCallArgs } from "../to-call-args.ts";
import { withFields } from "../with-fields.ts";
import { readTextCall } from "./read-text-call.ts";

type Block = { readonly type?: string; readonly text?: unknown };

/** The content blocks in which a model thinks: nothing in them is a call. */
const REASONING: ReadonlySet<string | undefined> = new Set([
  "reasoning",
  "reasoning_content",
  "thinking",
  "redacted_thinking",
]);

/**
 * Makes a tool call of a message that is nothing but one call written as text: of an offered tool,
 * by its exact name, and accepted by its schema after repair. Text that stands in an earlier message
 * is never taken for a call: it may be a quotation, and what it quotes somebody else's.
 *
 * @param message A message without tool calls. It is not changed.
 * @param tools The tools that were offered.
 * @param options How to repair. `onUnfixable` is not asked: what is no call is no bad call either.
 * @returns A new message whose call is flagged as rescued; or the message itself, by reference.
 */
export async function rescueTextCall(
  message: AIMessage,
  tools: readonly ToolLike[],
  options: RepairMessageOptions,
): Promise<AIMessage> {
  const text = textOf(message.content);
  if (text === undefined || isCutOff(message) || isQuoted(text, options.history)) return message;
  const read = readTextCall(text);
  const tool = read && tools.find(({ name }) => name === read.name);
  if (read === undefined || tool === undefined) return message;
  const { onRepair, fixers, level, limits, objectAsText, signal } = options;
  const result = await repairToolInput(read.args, tool, {
    fixers,
    level,
    limits,
    objectAsText,
    signal,
  });
  if (!result.ok) return message;
  const id = newCallId(message, options.history);
  const toolCall = {
    name: tool.name,
    args: toCallArgs(result.toolInput as JsonValue),
    id,
    type: "tool_call" as const,
  };
  const rescue: Repair = {
    fixer: "rescue-text-call",
    path: "",
    before: text,
    after: read.args as JsonValue,
    level: "strict",
  };
  const repairs = [rescue, ...result.repairs];
  notifyRepair(
    text,
    tool,
    { ok: true, toolInput: result.toolInput as JsonValue, parsed: result.parsed, repairs },
    { onRepair, toolCall },
  );
  const record = { id, rawToolInput: text, repairs, rescued: "text" as const };
  return withCall(message, toolCall, recordsAsMetadata(message, [record]));
}

/** The text of a message that has nothing else to say. */
function textOf(content: MessageContent): string | undefined {
  if (typeof content === "string") return content;
  const blocks = (content as readonly Block[]).filter(({ type }) => !REASONING.has(type));
  const texts = blocks.map(({ type, text }) => (type === "text" ? text : undefined));
  return texts.every((text) => typeof text === "string") ? texts.join("") : undefined;
}

function isQuoted(text: string, history: readonly BaseMessage[] = []): boolean {
  const quoted = text.trim();
  return history.some((message) => !isAIMessage(message) && textIn(message).includes(quoted));
}

function textIn({ content }: BaseMessage): string {
  if (typeof content === "string") return content;
  return (content as readonly Block[]).map(({ text }) => `${text ?? ""}`).join("");
}

function newCallId(message: AIMessage, history: readonly BaseMessage[] = []): string {
  const call = { call: { name: "", args: {} }, invalid: false, sites: [] };
  return assignCallIds(message, [call], history)[0] as string;
}

function withCall(
  message: AIMessage,
  call: { name: string; args: JsonObject; id: string; type: "tool_call" },
  metadata: AIMessage["response_metadata"],
): AIMessage {
  const { content, response_metadata } = message;
  return withFields(message, {
    content:
      typeof content === "string"
        ? ""
        : ((content as readonly Block[]).filter(({ type }) =>
            REASONING.has(type),
          ) as MessageContent),
    tool_calls: [call],
    response_metadata: { ...withOutput(response_metadata, call), ...metadata },
  });
}

/** OpenAI's responses are sent their own output again: there too, the call stands for the text. */
function withOutput(
  metadata: AIMessage["response_metadata"],
  { id, name, args }: { id: string; name: string; args: JsonObject },
): AIMessage["response_metadata"] {
  const { output } = metadata as { output?: unknown };
  if (!Array.isArray(output)) return metadata;
  const call = { type: "function_call", call_id: id, name, arguments: JSON.stringify(args) };
  const others = output.filter((item) => !isJsonObject(item) || item.type !== "message");
  return { ...metadata, output: [...others, call] };
}
