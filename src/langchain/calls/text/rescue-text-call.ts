import type { AIMessage, BaseMessage, MessageContent } from "@langchain/core/messages";
import { isJsonObject } from "../../../repair/json/json-value.ts";
import { levelAllows } from "../../../repair/level-allows.ts";
import { notifyRepair } from "../../../repair/notify.ts";
import { policyFor } from "../../../repair/options.ts";
import { repairInput } from "../../../repair/repair-tool-input.ts";
import type { JsonObject, JsonValue, Repair, ToolLike } from "../../../repair/types.ts";
import { toArgs } from "../args.ts";
import { assignCallIds } from "../assign-call-ids.ts";
import { recordsAsMetadata } from "../call-records.ts";
import { isAIMessage, isToolMessage } from "../is-ai-message.ts";
import { isCutOff } from "../is-cut-off.ts";
import type { RepairMessageOptions } from "../repair-message-options.ts";
import { withFields } from "../with-fields.ts";
import { isQuoted, shownText, shownTexts } from "./is-quoted.ts";
import { readTextCall } from "./read-text-call.ts";
import { readWholeJson } from "./whole-json.ts";

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
 * by its exact name, and accepted by its schema after repair. A call that stands in the history, in
 * whatever notation, is not: it may be a quotation, and what it quotes somebody else's.
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
  const { history = [], onRepair, ...repairing } = options;
  const text = spokenText(message.content);
  if (text === undefined || isCutOff(message)) return message;
  const read = readTextCall(text);
  const tool = read && tools.find(({ name }) => name === read.name);
  if (read === undefined || tool === undefined || asksForText(history, text)) return message;
  const { level = "strict" } = read;
  const { level: allowed } = policyFor(tool, repairing);
  if (level === "eager" || !levelAllows(allowed, level)) return message;
  const result = await repairInput(read.args, tool, { ...repairing, action: undefined });
  if (!result.ok) return message;
  const toolInput = result.toolInput as JsonValue;
  const called = [read.args, toolInput].map((args) => ({ name: tool.name, args: parsed(args) }));
  if (isQuoted(called, shownTexts(history))) return message;
  const id = newCallId(message, history);
  const toolCall = {
    name: tool.name,
    args: toArgs(toolInput),
    id,
    type: "tool_call" as const,
  };
  const rescue: Repair = {
    fixer: "rescue-text-call",
    path: "",
    before: text,
    after: read.args as JsonValue,
    level,
  };
  const repairs = [rescue, ...result.repairs];
  notifyRepair(text, tool, { ...result, repairs }, { onRepair, toolCall });
  const { undeclared } = result;
  const heard = undeclared.length > 0 ? { undeclared } : {};
  const record = { id, rawToolInput: text, repairs, ...heard, rescued: "text" as const };
  return withCall(message, toolCall, recordsAsMetadata(message, [record]));
}

/** What the arguments are as a value, where they were written as JSON text. */
function parsed(args: unknown): unknown {
  return typeof args === "string" ? (readWholeJson(args)?.value ?? args) : args;
}

/** Words by which somebody asks to be shown code or data. */
const ASKS_FOR_TEXT =
  /\b(?:examples?|samples?|snippets?|syntax|formats?|code|python|json|explain|document(?:ation)?|show me|write (?:me )?(?:a|the|some)|how (?:do|does|can|could|would|should|to)|what (?:does|would|is|are))\b/i;

/** Code or data may be the very answer that somebody asked for. */
function asksForText(history: readonly BaseMessage[], text: string): boolean {
  const last = history.at(-1);
  const isMarked = /^\s*(?:<|\[TOOL_CALLS\]|Thought:|Action:)/.test(text);
  if (isMarked || last === undefined || isAIMessage(last) || isToolMessage(last)) return false;
  return ASKS_FOR_TEXT.test(shownText(last.content));
}

/** The text of a message that has nothing else to say. */
function spokenText(content: MessageContent): string | undefined {
  if (typeof content === "string") return content;
  const blocks = (content as readonly Block[]).filter(({ type }) => !REASONING.has(type));
  const texts = blocks.map(({ type, text }) => (type === "text" ? text : undefined));
  return texts.every((text) => typeof text === "string") ? texts.join("") : undefined;
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
