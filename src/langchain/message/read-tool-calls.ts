import type {
  AIMessage,
  BaseMessage,
  MessageContent,
  ToolMessage,
} from "@langchain/core/messages";
import { repairToolInput } from "../../repair/repair-tool-input.ts";
import type {
  JsonValue,
  Repair,
  ToolInput,
  ToolLike,
} from "../../repair/types.ts";
import { checkToolList } from "../../repair/usage.ts";
import type { LocatedCall } from "./locate.ts";
import {
  type CallRecord,
  checkMessages,
  isAIMessage,
  isMalformed,
  isStillRejected,
  isToolMessage,
  revealNames,
} from "./messages.ts";
import { readCalls } from "./read.ts";

/** A call of a run: what the model wrote, its repairs, and its answer. */
export interface ReadToolCall<Name extends string = string, Input = JsonValue>
  extends Pick<
    CallRecord,
    "nameRepair" | "rescued" | "format" | "error" | "undeclared" | "omitted"
  > {
  readonly id: string;
  /** The tool. */
  readonly name: Name;
  /**
   * The input that the tool ran with: JSON that its schema accepts. If `valid`
   * is `false`, what the model wrote.
   */
  readonly toolInput: Input;
  /**
   * What the model wrote; absent if it wrote nothing, or if it is `omitted`.
   */
  readonly rawToolInput: JsonValue | undefined;
  /** Every change that was made to it. */
  readonly repairs: readonly Repair[];
  /** Whether the tool's schema accepts `toolInput`. */
  readonly valid: boolean;
  /** The answer to the call; absent if it has none. */
  readonly observation?: MessageContent;
  /** Whether the answer was an error; absent if there is no answer. */
  readonly status?: "success" | "error";
}

/**
 * The calls of a run with these tools: a union discriminated by `name` and
 * `valid`.
 */
type ReadToolCalls<Tools extends readonly ToolLike[]> =
  | CallOf<Tools[number]>
  | (ReadToolCall & { readonly valid: false });

type CallOf<Tool extends ToolLike> = Tool extends ToolLike
  ? ReadToolCall<Tool["name"], ToolInput<Tool>>
  : never;

/**
 * Reads the calls in messages, typed by the tools: what the model wrote, the
 * repairs, and why a call was rejected, as toolmend recorded them in the
 * messages. Calls without a record are checked against the tools' schemas, and
 * have no repairs. Calls of other tools are included only if they were
 * rejected.
 *
 * @param messages The messages, of one turn or a whole run.
 * @param tools The tools.
 * @returns The calls, in order.
 * @throws TypeError if `messages` or `tools` is not an array of such, or if the
 *   kind of a tool's schema is unknown.
 * @example
 * ```ts
 * const agent = createAgent({ model, tools, middleware: [toolInputMiddleware({ fixers })] });
 * const { messages } = await agent.invoke({ messages: "Buy it." });
 * for (const { name, toolInput, valid } of await readToolCalls(messages, tools)) {
 *   if (name === "click" && valid) console.log(toolInput.selector); // #buy
 * }
 * ```
 */
export async function readToolCalls<const Tools extends readonly ToolLike[]>(
  messages: readonly BaseMessage[],
  tools: Tools,
): Promise<ReadToolCalls<Tools>[]> {
  checkMessages(messages, "readToolCalls(messages, tools)");
  checkToolList(tools, "readToolCalls(messages, tools)");
  const calls: ReadToolCall[] = [];
  const answers = new Map<string, ToolMessage>();
  for (const message of messages.toReversed()) {
    if (isAIMessage(message))
      calls.push(...(await readMessage(message, tools, answers)));
    // The later of two answers to one call counts.
    if (!isToolMessage(message) || answers.has(message.tool_call_id)) continue;
    answers.set(message.tool_call_id, message);
  }
  return calls.reverse() as unknown as ReadToolCalls<Tools>[];
}

/**
 * Reads the calls of a message, the last one first, and takes their answers: an
 * earlier call may have the same id.
 */
async function readMessage(
  message: AIMessage,
  tools: readonly ToolLike[],
  answers: Map<string, ToolMessage>,
): Promise<readonly ReadToolCall[]> {
  const calls: ReadToolCall[] = [];
  for (const { located, id, name, record } of readCalls(
    revealNames(message),
  ).toReversed()) {
    const answer = answers.get(id);
    answers.delete(id);
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined && record?.error === undefined) continue;
    const input = await readInput(located.call, tool, record);
    const status = answer?.status === "error" ? "error" : "success";
    calls.push({
      id,
      name,
      ...input,
      ...(answer && { observation: answer.content, status }),
    });
  }
  return calls;
}

async function readInput(
  call: LocatedCall["call"],
  tool: ToolLike | undefined,
  record: CallRecord | undefined,
): Promise<Omit<ReadToolCall, "id" | "name" | "observation" | "status">> {
  const { args } = call;
  const toolInput = args as JsonValue;
  const none = {
    repairs: [],
    rawToolInput: toolInput,
  } as Partial<CallRecord> as CallRecord;
  const {
    id: _,
    call: __,
    isUnknown: ___,
    error,
    rawToolInput,
    ...kept
  } = record ?? none;
  const isText = typeof args === "string";
  if (error !== undefined && (isText || isStillRejected(call, record))) {
    return {
      ...kept,
      error,
      toolInput: rawToolInput ?? toolInput,
      rawToolInput,
      valid: false,
    };
  }
  const isReadable = !isText && !isMalformed(args);
  const valid = tool !== undefined && isReadable && (await isValid(args, tool));
  return { ...kept, toolInput, rawToolInput, valid };
}

async function isValid(args: unknown, tool: ToolLike): Promise<boolean> {
  const checked = await repairToolInput(args, tool, { level: "strict" });
  return checked.ok && checked.repairs.length === 0;
}
