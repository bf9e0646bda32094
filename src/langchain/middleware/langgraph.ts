import type { BaseMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { orElse } from "../../repair/foreign.ts";
import { isAIMessage, isToolMessage } from "../message/messages.ts";

/**
 * LangGraph's `Command`: its package is LangChain's dependency, and cannot
 * always be imported.
 */
interface CommandLike {
  readonly lg_name: "Command";
  readonly graph?: string | undefined;
  readonly update?: unknown;
}

export function isCommand(answer: unknown): answer is CommandLike {
  return Object(answer).lg_name === "Command";
}

/** Returns the messages that a command writes. */
export function messagesIn(command: CommandLike): readonly unknown[] {
  const writes = entriesOf(command).filter(([key]) => key === "messages");
  return writes.flatMap(([, messages]) => messages);
}

/**
 * What a command writes, by the keys of the state. A list of anything but pairs
 * is the whole state of another graph.
 */
function entriesOf({ update }: CommandLike): readonly [string, unknown][] {
  return Array.isArray(update) ? update : Object.entries(update ?? {});
}

/**
 * Writes messages, by id. A class, as LangGraph takes no plain object for a
 * command (in langgraph 1.7.3, and not in 1.4.17; reserved-names.test).
 */
export class MessagesCommand implements CommandLike {
  readonly lg_name = "Command";
  readonly lc_direct_tool_output = true;
  readonly goto: readonly never[] = [];
  readonly update: { readonly messages: readonly BaseMessage[] };

  constructor(messages: readonly BaseMessage[]) {
    this.update = { messages };
  }

  _updateAsTuples(): [string, unknown][] {
    return Object.entries(this.update);
  }
}

/**
 * Makes a tool's answer write these messages, too. They replace those of its
 * own that have the same id.
 */
export function withMessages(
  answer: BaseMessage | CommandLike,
  messages: readonly BaseMessage[],
): BaseMessage | CommandLike {
  if (!isCommand(answer)) return new MessagesCommand([...messages, answer]);
  if (!takesMessages(answer)) return answer;
  const ofCommand = messagesIn(answer).map(
    (message) => replacementOf(message, messages) ?? message,
  );
  // Another graph's state has only the messages that the tool itself wrote for
  // it.
  const isOwnGraph = answer.graph === undefined;
  const missing = isOwnGraph
    ? messages.filter((message) => !ofCommand.includes(message))
    : [];
  return withUpdate(answer, [...missing, ...ofCommand]);
}

/** Whether a command's update has room for messages. */
function takesMessages(command: CommandLike): boolean {
  const { update } = command;
  const isStateWithoutMessages =
    Array.isArray(update) && !update.every(Array.isArray);
  if (isStateWithoutMessages) return false;
  const overwrites = messagesIn(command).some(
    (message) => "__overwrite__" in Object(message),
  );
  return !overwrites;
}

/** Finds the message that stands for one with the same id. */
function replacementOf(
  message: unknown,
  messages: readonly BaseMessage[],
): BaseMessage | undefined {
  if (!isAIMessage(message) && !isToolMessage(message)) return undefined;
  return messages.find(({ id }) => id && id === message.id);
}

/** Copies a command with other messages. */
function withUpdate(
  command: CommandLike,
  messages: readonly unknown[],
): CommandLike {
  const entries = entriesOf(command).filter(([key]) => key !== "messages");
  if (messages.length > 0) entries.push(["messages", messages]);
  const update = Array.isArray(command.update)
    ? entries
    : Object.fromEntries(entries);
  const copy: CommandLike = Object.create(Object.getPrototypeOf(command));
  return Object.assign(copy, command, { update });
}

/**
 * The node where a human approves calls (langchain 1.5.14;
 * limits-and-approval.test).
 */
export const APPROVAL = "HumanInTheLoopMiddleware.after_model";

/** Whether a human approves calls, or the names of the tools that need it. */
export type HumanInTheLoop = boolean | readonly string[] | undefined;

export function needsApproval(approval: HumanInTheLoop, tool: string): boolean {
  return typeof approval === "object" ? approval.includes(tool) : !!approval;
}

/**
 * Checks whether the agent has a node: a run's reader throws if a channel is
 * missing.
 */
export function hasNode(
  runtime: RunnableConfig | undefined,
  node: string,
): boolean {
  const { __pregel_read: read } = runtime?.configurable ?? {};
  if (typeof read !== "function") return false;
  const hasChannel = () => {
    read(`branch:to:${node}`);
    return true;
  };
  return orElse(hasChannel, false);
}
