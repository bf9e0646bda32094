import { ToolInputError, toCausingData } from "../repair/errors.ts";
import { emitCall } from "../repair/events/report.ts";
import type { CommonOptions, RepairOptions } from "../repair/policy.ts";
import { findTool, repairToolCall } from "../repair/repair-tool-call.ts";
import {
  type CallMessage,
  cancelledId,
  isAnswer,
  isCall,
  type Message,
  type MessageId,
  rejectionOf,
  withReason,
} from "./messages.ts";
import { createToolList } from "./tool-list.ts";

/** How the calls of a connection are repaired. */
export interface McpOptions extends CommonOptions, Pick<RepairOptions, "origin"> {
  /**
   * Who answers a call whose input cannot be repaired. `"toolmend"`: the model gets the reason as an error of
   * the tool, and the server is not asked. `"server"`: the call goes on unchanged, and the reason is added to
   * the server's error, if it answers with one. Default: `"toolmend"` at a server, `"server"` at a client.
   */
  readonly rejections?: "toolmend" | "server" | undefined;
  /**
   * How long a call waits for the server's list of tools, in milliseconds; 0: no limit. Then calls pass
   * unrepaired until the list is there. Default: 10,000.
   */
  readonly listTimeoutMs?: number | undefined;
}

/** The ends of a connection. The context is what came with a message. */
export interface Ends<Context> {
  toServer(message: Message, context: Context): unknown;
  toClient(message: Message, context: Context): unknown;
  /** Sends the server a request of toolmend's own, in the context of a call. */
  ask(request: Message, context: Context): unknown;
  /** Answers a call in place of the server. */
  answer(answer: Message): unknown;
}

/** Where the messages of a connection go through. */
export interface MessageRepair<Context> {
  fromClient(message: Message, context: Context): unknown;
  fromServer(message: Message, context: Context): unknown;
}

/** What becomes of a call: what goes on in place of it, and why its input was rejected; or an answer. */
interface Decision {
  readonly repaired?: Message;
  readonly reason?: string;
  readonly answer?: Message;
}

/** A server that leaves calls unanswered must not fill the memory. */
const MAX_REASONS = 1_000;

/**
 * Repairs the calls between a client and a server by the server's own list of tools. All other messages
 * pass at once and by reference, as valid calls do.
 */
export function repairMessages<Context>(
  ends: Ends<Context>,
  { rejections = "server", listTimeoutMs = 10_000, ...given }: McpOptions,
): MessageRepair<Context> {
  const options = { ...given, origin: { seam: "mcp" as const, ...given.origin }, parsed: true };
  const list = createToolList<Context>(ends.ask, listTimeoutMs);
  /** The calls that wait for the list or for their repair. */
  const held = new Map<MessageId, AbortController>();
  /** Why the inputs of calls were rejected that the server is to answer. */
  const reasons = new Map<MessageId, string>();

  async function takeCall(call: CallMessage, context: Context): Promise<unknown> {
    const { id } = call;
    const controller = new AbortController();
    const { signal } = controller;
    held.set(id, controller);
    const decision = await decide(call, context, signal).catch((cause: unknown): Decision => {
      if (!signal.aborted) reportUnchecked(call, cause);
      return {};
    });
    if (held.get(id) === controller) held.delete(id);
    // The client has cancelled it, and waits for no answer.
    if (signal.aborted) return undefined;
    const { repaired = call, reason, answer } = decision;
    if (answer !== undefined) return ends.answer(answer);
    if (reason !== undefined && reasons.size < MAX_REASONS) reasons.set(id, reason);
    return ends.toServer(repaired, context);
  }

  async function decide(
    call: CallMessage,
    context: Context,
    signal: AbortSignal,
  ): Promise<Decision> {
    const { name, arguments: args = {}, task } = call.params;
    const tools = await list.read(context, signal);
    // A tool that is not listed may be there all the same, and a task has another kind of answer.
    const isListed = findTool({ name, args }, tools, options).ok;
    const mayReject = rejections === "toolmend" && isListed && task === undefined;
    const request = { id: String(call.id), name, args };
    const use = mayReject ? "all" : "repairs";
    const result = await repairToolCall(request, tools, { ...options, use, signal });
    if (!result.ok) {
      const reason = result.error.toModelMessage();
      return mayReject ? { answer: rejectionOf(call, reason) } : { reason };
    }
    if (!result.changed) return {};
    const params = { ...call.params, name: result.name, arguments: result.toolInput };
    return { repaired: { ...call, params } };
  }

  /** Reports a call that passes without a check: the list is missing, or has no schema for it. */
  function reportUnchecked({ id, params }: CallMessage, cause: unknown): void {
    const { name: toolName, arguments: raw } = params;
    const message = `was not checked: ${cause instanceof Error ? cause.message : cause}`;
    const issues = [{ path: "", code: "not_checked", message }];
    const error = new ToolInputError({ toolName, causingData: toCausingData(raw), issues });
    const resolution = { kind: "refused", error } as const;
    const call = { raw, tool: undefined, callId: String(id), resolution };
    void emitCall(call, { ...options, use: "repairs" });
  }

  return {
    fromClient(message, context) {
      if (isCall(message)) return takeCall(message, context);
      const controller = held.get(cancelledId(message) ?? "");
      // The server has not seen the call.
      return controller ? controller.abort() : ends.toServer(message, context);
    },
    fromServer(message, context) {
      if (message.method === "notifications/tools/list_changed") list.forget();
      if (!isAnswer(message)) return ends.toClient(message, context);
      if (list.take(message)) return undefined;
      const reason = reasons.get(message.id);
      reasons.delete(message.id);
      const answer = reason === undefined ? message : withReason(message, reason);
      return ends.toClient(answer, context);
    },
  };
}
