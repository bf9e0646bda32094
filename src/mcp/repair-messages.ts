import { ToolInputError, toCausingData } from "../repair/errors.ts";
import {
  correctionsOf,
  LaterCalls,
  type TurnCall,
} from "../repair/events/later-calls.ts";
import { emitCall, emitCorrections } from "../repair/events/report.ts";
import { faultsForModel } from "../repair/model-message.ts";
import {
  type CommonOptions,
  type InputOptions,
  policyFor,
  type RepairOptions,
} from "../repair/policy.ts";
import { findTool, repairFoundCall } from "../repair/repair-tool-call.ts";
import { ISSUE, type JsonValue, type ToolLike } from "../repair/types.ts";
import { warnOfFixerNames, warnProcess } from "../repair/usage.ts";
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
export interface McpOptions
  extends CommonOptions,
    Pick<RepairOptions, "origin"> {
  /**
   * Who answers a call whose input cannot be repaired. `"toolmend"`: the model
   * gets the reason as an error of the tool, and the server is not asked.
   * `"server"`: the call goes on unchanged, and what does not fit the listed
   * schema is added to the server's error, if it answers with one. For tools
   * with `undeclaredKeys: "refuse"` it is always toolmend: a server would
   * ignore the keys. Default: `"toolmend"` at a server, `"server"` at a client.
   */
  readonly rejections?: "toolmend" | "server" | undefined;
  /**
   * How long a call waits for the server's list of tools, in milliseconds,
   * however often the list changes meanwhile; 0: no limit. Then calls pass
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
  /**
   * Returns why a message must pass unchanged; `undefined` if it may be
   * changed. Default: each may.
   */
  whyUnchangeable?(context: Context): string | undefined;
}

/**
 * A call that the server has not seen: it waits for the list, or for its
 * repair.
 */
interface HeldCall {
  readonly id: MessageId;
  /**
   * Aborted when the call ends here, or, for `RELEASED`, when it passes without
   * a repair.
   */
  readonly controller: AbortController;
  /**
   * Whether another call was held when it came: it does not correct that one.
   */
  readonly isParallel: boolean;
}

/** Why a held call passes without a repair. */
const RELEASED = new Error("there was no time left to check it");

/**
 * What becomes of a call: what goes on in place of it, and why its input was
 * rejected; or an answer; or why it goes on without a check.
 */
interface Decision {
  readonly repaired?: Message;
  readonly reason?: string | undefined;
  readonly answer?: Message;
  readonly unchecked?: UncheckedCall;
}

interface UncheckedCall {
  readonly why: unknown;
  /** The tool, if the server lists it. */
  readonly tool?: ToolLike | undefined;
}

/**
 * A rejected input of more characters is not kept to be compared with later
 * ones.
 */
const MAX_COMPARED = 20_000;

/** A server that leaves calls unanswered must not fill the memory. */
const MAX_REASONS = 1_000;

/** Rejections that say nothing of the input itself. */
const NOT_OF_THE_INPUT: ReadonlySet<string> = new Set([
  ISSUE.unknownTool,
  ISSUE.schemaThrew,
  ISSUE.overLimit,
]);

/**
 * Repairs the calls between a client and a server by the server's own list of
 * tools. All other messages pass at once and by reference, as valid calls do.
 */
export class MessageRepair<Context> {
  readonly #ends: Ends<Context>;
  readonly #options: InputOptions;
  readonly #rejections: "toolmend" | "server";
  readonly #list: ToolList<Context>;
  readonly #held = new Set<HeldCall>();
  /**
   * Why the inputs of calls were rejected that the server is to answer, the
   * oldest first.
   */
  readonly #reasons = new Map<MessageId, string>();
  /** A connection is a thread of calls. */
  #threadId = crypto.randomUUID();
  #laterCalls = new LaterCalls<TurnCall>();
  #hasWarnedOfSide = false;

  constructor(ends: Ends<Context>, options: McpOptions) {
    const {
      rejections = "server",
      listTimeoutMs = 10_000,
      ...repairOptions
    } = options;
    const ids = () => ({ threadId: this.#threadId });
    const origin = { seam: "mcp" as const, ids, ...repairOptions.origin };
    this.#ends = ends;
    this.#options = {
      ...repairOptions,
      origin,
      parsed: true,
      passesUnchecked: true,
    };
    this.#rejections = rejections;
    this.#list = new ToolList<Context>(
      (request, context) => ends.ask(request, context),
      listTimeoutMs,
    );
  }

  /**
   * Takes a message of the client. A promise stands for a call that is held,
   * and resolves when it has gone on.
   */
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
    if (message.method === "notifications/tools/list_changed")
      this.#list.forget();
    if (!isAnswer(message)) {
      if (isCall(message)) this.#warnOfSide();
      return this.#ends.toClient(message, context);
    }
    if (this.#list.take(message)) return undefined;
    const reason = this.#reasons.get(message.id);
    this.#reasons.delete(message.id);
    const mayChange =
      reason !== undefined &&
      this.#ends.whyUnchangeable?.(context) === undefined;
    const answer = mayChange ? withReason(message, reason) : message;
    return this.#ends.toClient(answer, context);
  }

  /**
   * Returns the id of the call that an open request of toolmend's own was made
   * for.
   */
  callIdOf(requestId: MessageId): MessageId | undefined {
    return this.#list.callIdOf(requestId);
  }

  /** Lets the calls pass that are held, without a repair. */
  release(): void {
    for (const { controller } of this.#held) controller.abort(RELEASED);
  }

  /**
   * Ends with the connection: calls that are held reach no server. Another
   * connection may follow.
   */
  close(): void {
    for (const { controller } of this.#held) controller.abort();
    this.#reasons.clear();
    this.#list.close();
    this.#threadId = crypto.randomUUID();
    this.#laterCalls = new LaterCalls();
  }

  async #takeCall(call: CallMessage, context: Context): Promise<unknown> {
    const { id } = call;
    // Of an earlier call with this id.
    this.#reasons.delete(id);
    const isParallel = this.#held.size > 0;
    const heldCall = { id, controller: new AbortController(), isParallel };
    const { signal } = heldCall.controller;
    this.#held.add(heldCall);
    const decision = await this.#decide(call, context, heldCall).catch(
      (why: unknown): Decision => {
        return { unchecked: { why } };
      },
    );
    this.#held.delete(heldCall);
    if (isEnded(signal)) return undefined;
    const { repaired = call, reason, answer, unchecked } = decision;
    if (unchecked !== undefined) this.#reportUnchecked(call, unchecked);
    if (answer !== undefined) return this.#ends.answer(answer);
    if (reason !== undefined) this.#keepReason(id, reason);
    return this.#ends.toServer(repaired, context);
  }

  async #decide(
    call: CallMessage,
    context: Context,
    held: HeldCall,
  ): Promise<Decision> {
    const { name } = call.params;
    const { signal } = held.controller;
    const { tools, withoutSchema } = await this.#list.read(
      { call, context },
      signal,
    );
    warnOfFixerNames(this.#options.fixers, tools);
    const hasNoSchema = withoutSchema.has(name);
    const tool = hasNoSchema
      ? toolWithoutSchema(name)
      : tools.find((it) => it.name === name);
    const why = hasNoSchema
      ? "the server lists no schema for it"
      : this.#ends.whyUnchangeable?.(context);
    if (why !== undefined) return { unchecked: { why, tool } };
    return this.#repair(call, tools, held).catch(
      (thrown: unknown): Decision => {
        return { unchecked: { why: thrown, tool } };
      },
    );
  }

  /**
   * Repairs a call, or rejects it. Throws where the tool's schema cannot be
   * read.
   */
  async #repair(
    call: CallMessage,
    tools: readonly ToolLike[],
    { controller: { signal }, isParallel }: HeldCall,
  ): Promise<Decision> {
    const { name, arguments: args = {}, task } = call.params;
    const request = { id: String(call.id), name, args };
    const match = findTool(request, tools, this.#options);
    // A tool that is not listed may be there all the same, and a task has
    // another kind of answer.
    const mayReject =
      match.ok && task === undefined && this.#rejects(match.tool);
    const use = mayReject ? "all" : "repairs";
    const options = { ...this.#options, use, signal } as const;
    const result = await repairFoundCall(match, request, tools, options);
    const toolInput = result.ok ? (result.toolInput as JsonValue) : undefined;
    const isCompared = match.ok && !(result.ok && isParallel);
    if (isCompared) this.#compare(request, match.tool, toolInput);
    if (!result.ok) return decideRejected(call, result.error, mayReject);
    if (!result.changed) return {};
    const params = {
      ...call.params,
      name: result.name,
      arguments: result.toolInput,
    };
    return { repaired: { ...call, params } };
  }

  #rejects(tool: ToolLike): boolean {
    const { undeclaredKeys } = policyFor(tool, this.#options);
    return this.#rejections === "toolmend" || undeclaredKeys === "refuse";
  }

  /**
   * Compares a call with those before, and reports which rejected ones it
   * corrects.
   */
  #compare(
    { id, args }: { readonly id: string; readonly args: unknown },
    tool: ToolLike,
    toolInput: JsonValue | undefined,
  ): void {
    if (this.#options.onToolCall === undefined) return;
    const rawToolInput = args as JsonValue;
    const call: TurnCall = { id, toolName: tool.name, rawToolInput, toolInput };
    const isRejected = toolInput === undefined;
    if (isRejected && JSON.stringify(args).length > MAX_COMPARED) return;
    const turn = isRejected
      ? { refused: [call], accepted: [] }
      : { refused: [], accepted: [call] };
    const pairs = this.#laterCalls.add(turn);
    if (pairs.length === 0) return;
    void emitCorrections(() => correctionsOf(pairs, [tool]), this.#options);
  }

  /** A server calls no tools of its client. */
  #warnOfSide(): void {
    if (this.#hasWarnedOfSide) return;
    this.#hasWarnedOfSide = true;
    warnProcess(
      'toolmend repairs no calls here: they go the other way. Name the other side: repairCalls(transport, "server") is for a server\'s transport, "client" for a client\'s.',
      "TOOLMEND_MCP_SIDE",
    );
  }

  #keepReason(id: MessageId, reason: string): void {
    const [oldest] = this.#reasons.keys();
    if (this.#reasons.size >= MAX_REASONS && oldest !== undefined)
      this.#reasons.delete(oldest);
    this.#reasons.set(id, reason);
  }

  /**
   * Reports a call that passes without a check: the list is missing, or has no
   * schema for it.
   */
  #reportUnchecked(
    { id, params }: CallMessage,
    { why, tool }: UncheckedCall,
  ): void {
    const { name: toolName, arguments: raw } = params;
    const message = `was not checked: ${why instanceof Error ? why.message : why}`;
    const issues = [{ path: "", code: "not_checked", message }];
    const error = new ToolInputError({
      toolName,
      causingData: toCausingData(raw),
      issues,
    });
    const resolution = { kind: "refused", error } as const;
    const call = { raw, tool, callId: String(id), resolution };
    void emitCall(call, { ...this.#options, use: "repairs" });
  }
}

function toolWithoutSchema(name: string): ToolLike {
  return { name, schema: undefined } as unknown as ToolLike;
}

/** What becomes of a call whose input cannot be repaired. */
function decideRejected(
  call: CallMessage,
  error: ToolInputError,
  mayReject: boolean,
): Decision {
  const isUnchecked = error.reason === ISSUE.schemaThrew;
  if (!mayReject || isUnchecked) return { reason: reasonOf(error) };
  return { answer: rejectionOf(call, error.toModelMessage()) };
}

/**
 * Whether a call ends here: its client has cancelled it, or the connection is
 * closed.
 */
function isEnded({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason !== RELEASED;
}

/**
 * What is added to an error of the server, which may have run the tool, and
 * failed for another reason.
 */
function reasonOf(error: ToolInputError): string | undefined {
  if (NOT_OF_THE_INPUT.has(error.reason)) return undefined;
  return faultsForModel(
    "The input does not fit the schema that the server lists for the tool:",
    error,
  );
}
