import type { AIMessage, MessageContent } from "@langchain/core/messages";
import { levelAllows } from "../../../repair/edit-switches.ts";
import { emitCall } from "../../../repair/events/report.ts";
import {
  isJsonObject,
  jsonEquals,
  parseExactly,
} from "../../../repair/json.ts";
import { policyFor } from "../../../repair/policy.ts";
import { resolveToolInput } from "../../../repair/repair-tool-input.ts";
import type { Resolution } from "../../../repair/result.ts";
import { compileSchema } from "../../../repair/schema/compile-schema.ts";
import {
  readTextCalls,
  type TextCall,
} from "../../../repair/text-calls/read-text-calls.ts";
import { readWholeJson } from "../../../repair/text-calls/readers.ts";
import type {
  JsonValue,
  Repair,
  RepairLevel,
  ToolLike,
} from "../../../repair/types.ts";
import { assignCallIds } from "../ids.ts";
import {
  boundRecord,
  type CallRecord,
  recordsAsMetadata,
  toArgs,
  withFields,
} from "../messages.ts";
import type { RepairCallsOptions } from "../options.ts";
import type { HistoryCall } from "../provider-forms.ts";
import { rewriteMessage } from "../rewrite.ts";
import { isCutOff } from "../stop-reason.ts";
import { isQuoted, type QuotedCall } from "./is-quoted.ts";
import { shownTexts } from "./shown-texts.ts";

/**
 * Makes tool calls of a message that is nothing but calls written as text, all
 * in one format: of offered tools, by their exact names, and accepted by their
 * schemas after repair. Calls that the history holds in any notation are left
 * alone, because the model may quote them. All of the message's calls are made,
 * or none.
 */
export async function rescueTextCalls(
  message: AIMessage,
  tools: readonly ToolLike[],
  {
    history = [],
    rescueTextToolCalls,
    report = emitCall,
    ...repairing
  }: RepairCallsOptions,
): Promise<AIMessage> {
  const text = textOfCalls(message);
  if (text === undefined) return message;
  const formats = Array.isArray(rescueTextToolCalls)
    ? rescueTextToolCalls
    : undefined;
  const read = readTextCalls(text, tools, { formats });
  if (read === undefined) return message;
  const accepted = await acceptCalls(read.calls, tools, repairing);
  if (accepted === undefined) return message;
  if (isQuoted(accepted.flatMap(formsOf), shownTexts(history, tools)))
    return message;
  const ids = assignCallIds(
    message,
    accepted.map(() => undefined),
    history,
  );
  const calls: HistoryCall[] = [];
  const records: CallRecord[] = [];
  for (const [index, { tool, result, ...call }] of accepted.entries()) {
    const id = ids[index] ?? "";
    const args = toArgs(result.toolInput as JsonValue);
    const toolCall = { name: tool.name, args, id, type: "tool_call" as const };
    const rescue: Repair = {
      fixer: "rescue-text-call",
      path: "",
      before: text,
      after: call.written,
      level: call.level,
    };
    const repairs = [rescue, ...result.repairs];
    const resolution = { ...result, repairs };
    await report(
      { raw: text, tool, resolution, rescued: true, isHandedOn: true },
      { ...repairing, toolCall },
    );
    const record = toRecord(id, text, read.format, resolution);
    records.push(boundRecord(record, toolCall));
    calls.push(toolCall);
  }
  const remaining = withoutCalls(message, read.lead);
  return rewriteMessage(remaining, calls, recordsAsMetadata(message, records));
}

function toRecord(
  id: string,
  text: string,
  format: string,
  { repairs, undeclared }: Accepted["result"],
): CallRecord {
  return {
    id,
    rawToolInput: text,
    repairs,
    ...(undeclared.length > 0 && { undeclared }),
    rescued: "text",
    format,
  };
}

/** Returns the text of a message that has no more to say: it may be calls. */
function textOfCalls(message: AIMessage): string | undefined {
  const { content, additional_kwargs, response_metadata } = message;
  // OpenAI's responses are sent again unchanged, with the text of the calls
  // (openai 1.6.0; rescue-text-calls.test).
  const isKept = Array.isArray(response_metadata.output);
  if (isKept || additional_kwargs.refusal || isCutOff(message))
    return undefined;
  return spokenText(content);
}

/** A message with the sentence before its calls in place of their text. */
function withoutCalls(message: AIMessage, lead: string): AIMessage {
  // Google's client keeps the text here, too, and sends it (google 0.2.6;
  // google.test).
  const { originalTextContentBlock: _, ...kwargs } = message.additional_kwargs;
  return withFields(message, {
    content: withLead(message.content, lead),
    additional_kwargs: kwargs,
  });
}

function withLead(content: MessageContent, lead: string): MessageContent {
  if (typeof content === "string") return lead;
  const thoughts = content.filter(isThought);
  return lead === "" ? thoughts : [...thoughts, { type: "text", text: lead }];
}

/** A call that its tool accepts. */
interface Accepted {
  readonly tool: ToolLike;
  readonly level: RepairLevel;
  readonly written: JsonValue;
  readonly result: Extract<Resolution, { kind: "run" }>;
}

/**
 * Accepts all calls, or none. A model that repeats a call has lost its way:
 * what it meant once is not run twice.
 */
async function acceptCalls(
  calls: readonly TextCall[],
  tools: readonly ToolLike[],
  repairing: RepairCallsOptions,
): Promise<readonly Accepted[] | undefined> {
  const accepted: Accepted[] = [];
  for (const call of calls) {
    const next = await acceptCall(call, tools, repairing);
    if (next === undefined) return undefined;
    if (accepted.some((earlier) => isSameCall(earlier, next))) return undefined;
    accepted.push(next);
  }
  return accepted;
}

async function acceptCall(
  call: TextCall,
  tools: readonly ToolLike[],
  repairing: Omit<RepairCallsOptions, "history">,
): Promise<Accepted | undefined> {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined) return undefined;
  if (!levelAllows(policyFor(tool, repairing).level, call.level))
    return undefined;
  // JSON text keeps its spelling, but a tool that takes text would take it for
  // that.
  const value = parseExactly(call.args);
  const takesText =
    typeof value === "object" && compileSchema(tool.schema).takesString;
  const written =
    takesText || typeof value === "string" ? (value as JsonValue) : call.args;
  const options = { ...repairing, action: undefined, onUnfixable: undefined };
  const result = await resolveToolInput(written, tool, options);
  return result.kind === "run"
    ? { tool, level: call.level, written, result }
    : undefined;
}

function isSameCall(first: Accepted, second: Accepted): boolean {
  if (first.tool !== second.tool) return false;
  const input = first.result.toolInput as JsonValue;
  return jsonEquals(input, second.result.toolInput as JsonValue);
}

/**
 * A call as it was written and as it would run, and with its only value:
 * `click("#buy")`.
 */
function formsOf({
  tool: { name },
  written,
  result,
}: Accepted): readonly QuotedCall[] {
  return [written, result.toolInput].flatMap((input) => {
    const args =
      typeof input === "string"
        ? (readWholeJson(input)?.value ?? input)
        : input;
    const values = isJsonObject(args) ? Object.values(args) : [];
    const forms = values.length === 1 ? [args, ...values] : [args];
    return forms.map((form) => ({ name, args: form }));
  });
}

interface Block {
  readonly type?: string;
  readonly text?: unknown;
  readonly thought?: unknown;
  readonly citations?: unknown;
  readonly annotations?: unknown;
}

const THOUGHTS: ReadonlySet<unknown> = new Set(
  "reasoning reasoning_content thinking redacted_thinking".split(" "),
);

/**
 * Whether a model thinks in a block: nothing in it is a call. Google's thoughts
 * are texts (google 0.2.6; google.test).
 */
function isThought({
  type,
  thought,
}: Pick<Block, "type" | "thought">): boolean {
  return thought === true || THOUGHTS.has(type);
}

/**
 * Reads the text of a message that has nothing else to say. `undefined` where
 * there is more than thoughts and then text of the model's own: who thinks
 * after a text may take it back, and a text that cites something may quote it.
 */
function spokenText(content: MessageContent): string | undefined {
  if (typeof content === "string") return content;
  const blocks = (content as readonly Block[]).filter(
    ({ text }) => text !== "",
  );
  const start = blocks.findLastIndex(isThought) + 1;
  const thoughts = blocks.slice(0, start);
  const spoken = blocks.slice(start);
  if (!thoughts.every(isThought) || !spoken.every(isPlainText))
    return undefined;
  return spoken.map(({ text }) => text).join("");
}

function isPlainText({ type, text, citations, annotations }: Block): boolean {
  if (type !== "text" || typeof text !== "string") return false;
  return [citations, annotations].every(
    (sources) => ((sources ?? []) as unknown[]).length === 0,
  );
}
