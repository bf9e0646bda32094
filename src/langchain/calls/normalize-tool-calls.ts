import type { BaseMessage, MessageContent } from "@langchain/core/messages";
import { repairToolInput } from "../../repair/pipeline.ts";
import type { JsonValue, NameRepair, Repair, ToolInput, ToolLike } from "../../repair/types.ts";
import { checkToolList } from "../../repair/usage.ts";
import { type CallRecord, callRecordsOf } from "./call-records.ts";
import { checkMessages } from "./check-messages.ts";
import { isAIMessage, isToolMessage } from "./is-ai-message.ts";
import { readCalls } from "./read-calls.ts";

/** A call of a finished run: what `intermediateSteps` were. */
export interface NormalizedToolCall<Name extends string = string, Input = JsonValue> {
  readonly id: string;
  /** The tool. */
  readonly name: Name;
  /**
   * What the tool was run with: JSON that its schema takes; unless `valid` is `false`. Then it is
   * what the model wrote, and whoever relies on the type must ask `valid` first.
   */
  readonly toolInput: Input;
  /** What the model wrote. */
  readonly rawToolInput: JsonValue | undefined;
  /** Every change that was made to it. */
  readonly repairs: readonly Repair[];
  /** How the tool's name was changed; absent when it was right. */
  readonly nameRepair?: NameRepair;
  /** That LangChain would have lost the call: it could not read it, or it stood in the text. */
  readonly rescued?: "invalid_tool_call" | "text";
  /** Whether the tool's schema accepts `toolInput`. */
  readonly valid: boolean;
  /** What the model was answered; absent where it was not. */
  readonly observation?: MessageContent;
  /** Whether the answer was an error; absent where there is no answer. */
  readonly status?: "success" | "error";
}

/** The calls of a run with these tools: a union discriminated by `name`. */
export type NormalizedToolCalls<Tools extends readonly ToolLike[]> = CallOf<Tools[number]>;

type CallOf<Tool extends ToolLike> = Tool extends ToolLike
  ? NormalizedToolCall<Tool["name"], ToolInput<Tool>>
  : never;

/**
 * Returns the calls of a finished run, typed by the tools. What toolmend recorded in the messages
 * (what the model wrote, and the repairs) is in it; calls of a run without toolmend are checked
 * against the tools' schemas, and have no repairs. Calls of other tools are left out.
 *
 * @param messages The messages of the run.
 * @param tools The tools.
 * @returns The calls, in order.
 * @throws TypeError for what is not an array of messages or tools, and when a tool's schema is of no known kind.
 * @example
 * ```ts
 * const agent = createAgent({ model, tools, middleware: [toolInputMiddleware({ fixers })] });
 * const { messages } = await agent.invoke({ messages: "Buy it." });
 * for (const { name, toolInput, valid } of await normalizeToolCalls(messages, tools)) {
 *   if (name === "click" && valid) console.log(toolInput.selector); // #buy
 * }
 * ```
 */
export async function normalizeToolCalls<const Tools extends readonly ToolLike[]>(
  messages: readonly BaseMessage[],
  tools: Tools,
): Promise<NormalizedToolCalls<Tools>[]> {
  checkMessages(messages, "normalizeToolCalls(messages, tools)");
  checkToolList(tools, "normalizeToolCalls(messages, tools)");
  const calls: NormalizedToolCall[] = [];
  for (const [index, message] of messages.entries()) {
    if (!isAIMessage(message)) continue;
    const records = new Map(callRecordsOf(message).map((record) => [record.id, record]));
    for (const { located, id, name } of readCalls(message)) {
      const { call } = located;
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) continue;
      const checked = await checkCall(call.args, tool, records.get(id));
      calls.push({ id, name: tool.name, ...checked, ...answerTo(id, messages, index) });
    }
  }
  return calls as unknown as NormalizedToolCalls<Tools>[];
}

type Checked = Pick<
  NormalizedToolCall,
  "toolInput" | "rawToolInput" | "repairs" | "nameRepair" | "rescued" | "valid"
>;

async function checkCall(
  args: unknown,
  tool: ToolLike,
  record: CallRecord | undefined,
): Promise<Checked> {
  const toolInput = args as JsonValue;
  if (record?.error !== undefined) {
    const { rawToolInput } = record;
    return { toolInput: rawToolInput ?? toolInput, rawToolInput, repairs: [], valid: false };
  }
  const result = typeof args === "string" ? undefined : await repairToolInput(args, tool, STRICT);
  const { repairs = [], nameRepair, rescued } = record ?? {};
  return {
    toolInput,
    rawToolInput: record === undefined ? toolInput : record.rawToolInput,
    repairs,
    ...(nameRepair && { nameRepair }),
    ...(rescued && { rescued }),
    valid: result?.ok === true && result.repairs.length === 0,
  };
}

const STRICT = { level: "strict" } as const;

function answerTo(
  id: string,
  messages: readonly BaseMessage[],
  index: number,
): Pick<NormalizedToolCall, "observation" | "status"> {
  const answer = messages
    .slice(index + 1)
    .filter(isToolMessage)
    .find(({ tool_call_id }) => tool_call_id === id);
  if (answer === undefined) return {};
  return { observation: answer.content, status: answer.status === "error" ? "error" : "success" };
}
