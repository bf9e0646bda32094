import { ToolInputError, toCausingData } from "../repair/errors.ts";
import { emitCall } from "../repair/events/report.ts";
import { faultsForModel } from "../repair/model-message.ts";
import type { CommonOptions, InputOptions, RepairOptions } from "../repair/policy.ts";
import { findTool, repairFoundCall } from "../repair/repair-tool-call.ts";
import { ISSUE } from "../repair/types.ts";
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
import { ToolList } from "./tool-list.ts";

/** How the calls of a connection are repaired. */
export interface McpOptions extends CommonOptions, Pick<RepairOptions, "origin"> {
  /**
   * Who answers a call whose input cannot be repaired. `"toolmend"`: the model gets the reason as an error of
   * the tool, and the server is not asked. `"server"`: the call goes on unchanged, and what does not fit the
   * listed schema is added to the server's error, if it answers with one. Default: `"toolmend"` at a server, `"server"` at a client.
   */
  readonly rejections?: "toolmend" | "server" | undefined;
  /**
   * How long a call waits for the server's list of tools, in milliseconds, however often the list changes
   * meanwhile; 0: no limit. Then calls pass unrepaired until the list is there. Default: 10,000.
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
  /** Returns why a message must pass unchanged; `undefined` if it may be changed. Default: each may. */
  whyUnchangeable?(context: Context): string | undefined;
}

/** A call that the server has not seen: it waits for the list, or for its repair. */
interface HeldCall {
  readonly id: MessageId;
  /** Aborted when the call ends here, or, for `RELEASED`, when it passes without a repair. */
  readonly controller: AbortController;
}

/** Why a held call passes without a repair. */
const RELEASED = new Error("there was no time left to check it");

/** What becomes of a call: what goes on in place of it, and why its input was rejected; or an answer. */
interface Decision {
  readonly repaired?: Message;
  readonly reason?: string | undefined;
  readonly answer?: Message;
}

/** A server that leaves calls unanswered must not fill the memory. */
const MAX_REASONS = 1_000;

/** Rejections that say nothing of the input itself. */
const NOT_OF_THE_INPUT: ReadonlySet<string> = new Set([
  ISSUE.unknownTool,
  ISSUE.schemaThrew,
  ISSUE.overLimit,
]);

/**
 * Repairs the calls between a client and a server by the server's own list of tools. All other messages
 * pass at once and by reference, as valid calls do.
 */
export class MessageRepair<Context> {
  readonly #ends: Ends<Context>;
  readonly #options: InputOptions;
  readonly #rejections: "toolmend" | "server";
  readonly #list: ToolList<Context>;
  readonly #held = new Set<HeldCall>();
  /** Why the inputs of calls were rejected that the server is to answer, the oldest first. */
  readonly #reasons = new Map<MessageId, string>();

  constructor(ends: Ends<Context>, options: McpOptions) {
    const { rejections = "server", listTimeoutMs = 10_000, ...repairOptions } = options;
    const origin = { seam: "mcp" as const, ...repairOptions.origin };
    this.#ends = ends;
    this.#options = { ...repairOptions, origin, parsed: true, passesUnchecked: true };
    this.#rejections = rejections;
    this.#list = new ToolList<Context>(
      (request, context) => ends.ask(request, context),
      listTimeoutMs,
    );
  }

  /** Takes a message of the client. A promise stands for a call that is held, and resolves when it has gone on. */
  fromClient(message: Message, context: Context): unknown {
    if (isCall(message)) return this.#takeCall(message, context);
    const cancelled = cancelledId(message);
    if (cancelled === undefined) return this.#ends.toServer(message, context);
    const cancelledCalls = [...this.#held].filter(({ id }) => id === cancelled);
    for (const { controller } of cancelledCalls) controller.abort();
    // The server has not seen them.
    if (cancelledCalls.length > 0) return undefined;
    this.#reasons.delete(cancelled);
    return this.#ends.toServer(message, context);
  }

  /** Takes a message of the server. */
  fromServer(message: Message, context: Context): unknown {
    if (message.method === "notifications/tools/list_changed") this.#list.forget();
    if (!isAnswer(message)) return this.#ends.toClient(message, context);
    if (this.#list.take(message)) return undefined;
    const reason = this.#reasons.get(message.id);
    this.#reasons.delete(message.id);
    const mayChange = reason !== undefined && this.#whyUnchangeable(context) === undefined;
    const answer = mayChange ? withReason(message, reason) : message;
    return this.#ends.toClient(answer, context);
  }

  /** Returns the id of the call that an open request of toolmend's own was made for. */
  callIdOf(requestId: MessageId): MessageId | undefined {
    return this.#list.callIdOf(requestId);
  }

  /** Lets the calls pass that are held, without a repair. */
  release(): void {
    for (const { controller } of this.#held) controller.abort(RELEASED);
  }

  /** Ends with the connection: calls that are held reach no server. Another connection may follow. */
  close(): void {
    for (const { controller } of this.#held) controller.abort();
    this.#reasons.clear();
    this.#list.close();
  }

  async #takeCall(call: CallMessage, context: Context): Promise<unknown> {
    const { id } = call;
    // Of an earlier call with this id.
    this.#reasons.delete(id);
    const heldCall = { id, controller: new AbortController() };
    const { signal } = heldCall.controller;
    this.#held.add(heldCall);
    const decision = await this.#decide(call, context, signal).catch((cause: unknown): Decision => {
      if (!isEnded(signal)) this.#reportUnchecked(call, cause);
      return {};
    });
    this.#held.delete(heldCall);
    if (isEnded(signal)) return undefined;
    const { repaired = call, reason, answer } = decision;
    if (answer !== undefined) return this.#ends.answer(answer);
    if (reason !== undefined) this.#keepReason(id, reason);
    return this.#ends.toServer(repaired, context);
  }

  async #decide(call: CallMessage, context: Context, signal: AbortSignal): Promise<Decision> {
    const { name, arguments: args = {}, task } = call.params;
    const { tools, withoutSchema } = await this.#list.read({ call, context }, signal);
    if (withoutSchema.has(name)) throw new Error("the server lists no schema for it");
    const whyUnchangeable = this.#whyUnchangeable(context);
    if (whyUnchangeable !== undefined) throw new Error(whyUnchangeable);

    const request = { id: String(call.id), name, args };
    const match = findTool(request, tools, this.#options);
    // A tool that is not listed may be there all the same, and a task has another kind of answer.
    const mayReject = this.#rejections === "toolmend" && match.ok && task === undefined;
    const use = mayReject ? "all" : "repairs";
    const options = { ...this.#options, use, signal } as const;
    const result = await repairFoundCall(match, request, tools, options);
    if (!result.ok) {
      const { error } = result;
      const isUnchecked = error.reason === ISSUE.schemaThrew;
      if (!mayReject || isUnchecked) return { reason: reasonOf(error) };
      return { answer: rejectionOf(call, error.toModelMessage()) };
    }
    if (!result.changed) return {};
    const params = { ...call.params, name: result.name, arguments: result.toolInput };
    return { repaired: { ...call, params } };
  }

  #whyUnchangeable(context: Context): string | undefined {
    return this.#ends.whyUnchangeable?.(context);
  }

  #keepReason(id: MessageId, reason: string): void {
    const [oldest] = this.#reasons.keys();
    if (this.#reasons.size >= MAX_REASONS && oldest !== undefined) this.#reasons.delete(oldest);
    this.#reasons.set(id, reason);
  }

  /** Reports a call that passes without a check: the list is missing, or has no schema for it. */
  #reportUnchecked({ id, params }: CallMessage, cause: unknown): void {
    const { name: toolName, arguments: raw } = params;
    const message = `was not checked: ${cause instanceof Error ? cause.message : cause}`;
    const issues = [{ path: "", code: "not_checked", message }];
    const error = new ToolInputError({ toolName, causingData: toCausingData(raw), issues });
    const resolution = { kind: "refused", error } as const;
    const call = { raw, tool: undefined, callId: String(id), resolution };
    void emitCall(call, { ...this.#options, use: "repairs" });
  }
}

/** Whether a call ends here: its client has cancelled it, or the connection is closed. */
function isEnded({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason !== RELEASED;
}

/** What is added to an error of the server, which may have run the tool, and failed for another reason. */
function reasonOf(error: ToolInputError): string | undefined {
  if (NOT_OF_THE_INPUT.has(error.reason)) return undefined;
  return faultsForModel(
    "The input does not fit the schema that the server lists for the tool:",
    error,
  );
}
