import type {
  BaseMessage,
  ToolCall,
  ToolMessage,
} from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { ToolCallHandler, ToolCallRequest } from "langchain";
import { emitCall } from "../../repair/events/report.ts";
import { copyJson } from "../../repair/json.ts";
import { runUnchanged } from "../../repair/result.ts";
import type { ToolLike } from "../../repair/types.ts";
import {
  errorAnswer,
  isAIMessage,
  isHidden,
  isMalformed,
  isRepaired,
  isToolMessage,
  revealNames,
} from "../message/messages.ts";
import type { RepairCallsOptions } from "../message/options.ts";
import type { JudgedCall } from "../message/repair.ts";
import { type CallId, CallingMessage, isSameCall } from "./calling-message.ts";
import { withMessages } from "./commands.ts";
import { type JudgedTurn, keyOf, type Turns } from "./judged-turn.ts";
import { APPROVAL, hasNode } from "./nodes.ts";

type ToolAnswer = Awaited<ReturnType<ToolCallHandler>>;

interface AtToolsOptions extends RepairCallsOptions {
  /** The tools that the options list. */
  readonly tools: readonly unknown[] | undefined;
  readonly toolErrors?: "answer" | "throw" | undefined;
}

const NOT_RUN = "It was not accepted, and was not run.";

/**
 * Answers a call at the tools: a rejected one with its error, any other with
 * the tool's answer.
 */
export async function answerAtTools(
  request: ToolCallRequest,
  handler: ToolCallHandler,
  turns: Turns,
  options: AtToolsOptions,
): Promise<ToolAnswer> {
  const asking = request.state.messages.findLast(isAIMessage);
  const calling = asking && CallingMessage.of(asking);
  const written = calling?.callOf(request.toolCall.id);
  // Outer middleware gave the call another id, or the request another state.
  if (calling === undefined || written === undefined)
    return runTool(request, handler, options);
  return new CallAtTools({
    request,
    handler,
    options,
    turns,
    calling,
    written,
  }).answer();
}

/** A call that LangChain is about to run. */
interface ArrivingCall {
  readonly request: ToolCallRequest;
  readonly handler: ToolCallHandler;
  readonly options: AtToolsOptions;
  readonly turns: Turns;
  readonly calling: CallingMessage;
  /** The call as the message in the state has it. */
  readonly written: ToolCall;
}

class CallAtTools {
  readonly #request: ToolCallRequest;
  readonly #handler: ToolCallHandler;
  readonly #options: AtToolsOptions;
  readonly #turns: Turns;
  readonly #calling: CallingMessage;
  readonly #written: ToolCall;
  readonly #isAsWritten: boolean;
  readonly #key: string;
  readonly #turn: JudgedTurn;
  /** The answers to other calls of the message that the state has. */
  readonly #answers: readonly ToolMessage[];
  readonly #answered: ReadonlySet<CallId>;

  constructor({
    request,
    handler,
    options,
    turns,
    calling,
    written,
  }: ArrivingCall) {
    const { toolCall, tool, runtime, state } = request;
    this.#request = request;
    this.#handler = handler;
    this.#options = options;
    this.#turns = turns;
    this.#calling = calling;
    this.#written = written;
    this.#isAsWritten = isSameCall(toolCall, written);
    this.#key = keyOf(calling.message, runtime);
    this.#turn = turns.of(this.#key, calling, written.id, {
      // Of another call, it may be another tool.
      tool: this.#isAsWritten ? tool : undefined,
      ownTools: options.tools,
    });
    const since = state.messages.slice(
      state.messages.lastIndexOf(calling.message) + 1,
    );
    this.#answers = since.filter(isToolMessage);
    this.#answered = new Set(
      this.#answers.map(({ tool_call_id }) => tool_call_id),
    );
  }

  async answer(): Promise<ToolAnswer> {
    const { id } = this.#request.toolCall;
    if (this.#isOfOuterMiddleware()) return this.#run(this.#request.toolCall);
    const parallel = this.#parallelCalls();
    this.#beginToJudge(parallel);
    await this.#turn.whenJudged(id, parallel);
    // The run may have been aborted meanwhile, and gone on in another.
    this.#options.signal?.throwIfAborted();
    const call = this.#turn.outcomeOf(id);
    if (call === undefined) return this.#run(this.#request.toolCall);
    const answer = await this.#answerTo(call);
    this.#turns.close(this.#key, this.#turn, id);
    return this.#withRepairedMessages(answer);
  }

  /**
   * Whether outer middleware made another call of it; of a rejected one it may
   * not.
   */
  #isOfOuterMiddleware(): boolean {
    if (this.#isAsWritten) return false;
    const isRefused =
      this.#calling.recordOf(this.#request.toolCall.id)?.error !== undefined;
    const mustNotRun =
      isRefused ||
      isMalformed(this.#written.args) ||
      isHidden(this.#request.toolCall);
    return !mustNotRun;
  }

  /**
   * The known calls without an answer, which are judged at once: LangGraph may
   * store what one writes before another is judged (langgraph 1.7.3;
   * apart.test).
   */
  #parallelCalls(): readonly CallId[] {
    if (this.#turn.tools === undefined) return [];
    const { knownIds } = this.#calling;
    return this.#answered.size === 0
      ? knownIds
      : knownIds.filter((id) => !this.#answered.has(id));
  }

  #beginToJudge(parallel: readonly CallId[]): void {
    for (const ids of [parallel, [this.#request.toolCall.id]]) {
      const open = this.#turn.openAmong(ids);
      if (open.length > 0) this.#judgeByTools(open);
    }
  }

  #judgeByTools(ids: readonly CallId[]): void {
    const { origin, onUnfixable } = this.#options;
    // A call whose tool was known has been reported at the model's answer.
    const isAgain = this.#calling.isKnown(ids[0]);
    const hasApproval = hasNode(
      this.#request.runtime as RunnableConfig,
      APPROVAL,
    );
    this.#turn.judge(ids, [...(this.#turn.tools ?? []), this.#request.tool], {
      ...this.#options,
      onUnfixable: hasApproval ? answersOnly(onUnfixable) : onUnfixable,
      origin: origin && { ...origin, isAgain },
      leavesUnknown: true,
    });
  }

  async #answerTo(call: JudgedCall): Promise<ToolAnswer> {
    // A human was not asked about a hidden call: it never runs.
    const isRefused =
      call.refusal !== undefined || isHidden(this.#request.toolCall);
    if (isRefused) return refuse(call);
    const toolCall = callToRun(call, this.#request.toolCall);
    const answer = await this.#run(toolCall);
    return call.isUnknown
      ? this.#answerUnknown(call, toolCall, answer)
      : answer;
  }

  /**
   * A call whose tool was unknown: other middleware has run it, or LangChain
   * lists the tools.
   */
  async #answerUnknown(
    call: JudgedCall,
    toolCall: ToolCall,
    answer: ToolAnswer,
  ): Promise<ToolAnswer> {
    const { id } = call;
    const listed = toolsInstead(answer, call.name);
    if (listed === undefined) {
      if (!this.#calling.isKnown(id)) await this.#reportRun(toolCall);
      return answer;
    }
    this.#turn.judge([id], listed, this.#options);
    await this.#turn.whenJudged(id, []);
    const refusal = this.#turn.outcomeOf(id)?.refusal;
    return refusal === undefined ? answer : refuse({ ...call, refusal });
  }

  /** Reports a call that was not reported at the model's answer. */
  async #reportRun(toolCall: ToolCall): Promise<void> {
    const { name, args } = toolCall;
    const tool = { name } as ToolLike;
    const resolution = runUnchanged(args);
    await emitCall(
      { raw: args, tool, resolution },
      { ...this.#options, toolCall },
    );
  }

  /**
   * Adds the model's message, if calls were repaired at the tools, and the true
   * names of calls.
   */
  #withRepairedMessages(answer: ToolAnswer): ToolAnswer {
    const { message, hiddenIds } = this.#calling;
    const { written } = this.#turn;
    // A hidden call that other middleware answered does not reach the tools
    // itself.
    const mustReveal =
      isHidden(this.#request.toolCall) ||
      hiddenIds.some((id) => this.#answered.has(id));
    if (written === undefined && !mustReveal) return answer;
    const revealed = this.#answers.filter(isHidden).map(revealNames);
    const messages: BaseMessage[] = [
      written ?? revealNames(message),
      ...revealed,
    ];
    return withMessages(answer, messages) as ToolAnswer;
  }

  #run(toolCall: ToolCall): Promise<ToolAnswer> {
    const isOwn = toolCall === this.#request.toolCall;
    const request = isOwn ? this.#request : { ...this.#request, toolCall };
    return runTool(request, this.#handler, this.#options, this.#turn.signal);
  }
}

/**
 * A human has seen the call: a handler may answer it, but no other input runs
 * in its place.
 */
function answersOnly(
  handler: RepairCallsOptions["onUnfixable"],
): typeof handler {
  if (typeof handler !== "function") return handler;
  return async (...asked) => {
    const answer = await handler(...asked);
    return typeof answer === "string" ? answer : undefined;
  };
}

function refuse({ id, name, refusal, record }: JudgedCall): ToolMessage {
  return errorAnswer(id, name, refusal ?? record?.error ?? NOT_RUN);
}

/**
 * Returns the call that a tool runs. A tool may change its input: the history's
 * stays.
 */
function callToRun(call: JudgedCall, toolCall: ToolCall): ToolCall {
  const { name, args, record } = call;
  // A call that is right runs as LangGraph gave it: for version "v2", as a copy
  // (langgraph 1.7.3; changed-inputs.test).
  if (!isRepaired(record) && isSameCall(call, toolCall)) return toolCall;
  return { ...toolCall, name, args: copyJson(args) as ToolCall["args"] };
}

/**
 * The tools that LangChain lists where it answers that there is no such tool:
 * it tells middleware of them nowhere else (langchain 1.5.14;
 * others-calls.test).
 */
function toolsInstead(
  answer: ToolAnswer,
  name: string,
): readonly object[] | undefined {
  const { content, status } = answer as Partial<ToolMessage>;
  const [before, list] = `${content}`.split(
    " is not a valid tool, try one of [",
  );
  if (status !== "error" || list === undefined || before !== `Error: ${name}`)
    return undefined;
  const names = list.slice(0, list.indexOf("]")).split(", ");
  return names
    .filter(Boolean)
    .map((toolName) => ({ name: toolName, schema: {} }));
}

/**
 * Runs a tool. An error that it throws is answered as LangChain does without
 * middleware: with any, it ends the run (langchain 1.5.14; tool-errors.test).
 */
async function runTool(
  request: ToolCallRequest,
  handler: ToolCallHandler,
  { toolErrors = "answer", signal }: AtToolsOptions,
  agentSignal?: AbortSignal,
): Promise<ToolAnswer> {
  const { id = "", name, args } = request.toolCall;
  if (isMalformed(args)) return errorAnswer(id, name, NOT_RUN);
  try {
    return await handler(request);
  } catch (error) {
    const isAborted = signal?.aborted || agentSignal?.aborted;
    if (toolErrors === "throw" || isFatal(error) || isAborted) throw error;
    const isInput = brandOf(error) === "ToolInvocationError";
    const text = isInput
      ? (error as Error).message
      : `${error}\n Please fix your mistakes.`;
    return errorAnswer(id, name, text);
  }
}

/**
 * Errors that end a run without middleware too, and failures of this agent's
 * own middleware.
 */
function isFatal(error: unknown): boolean {
  const { name } = Object(error) as { name?: unknown };
  const isInterrupt = name === "GraphInterrupt" || name === "NodeInterrupt";
  // A tool's comes from the middleware of an agent inside it: LangGraph marks
  // what ends a task (langgraph 1.7.3; others-calls.test).
  const isOthers =
    brandOf(error) === "MiddlewareError" &&
    !("pregelTaskId" in (error as Error));
  return error === null || isInterrupt || isOthers;
}

/** The brand that marks LangChain's errors across copies. */
function brandOf(error: unknown): unknown {
  return error instanceof Error && (error as { "~brand"?: unknown })["~brand"];
}
