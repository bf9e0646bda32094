import type { ToolCall, ToolMessage } from "@langchain/core/messages";
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
import type { JudgedTurn } from "./judged-turn.ts";
import {
  APPROVAL,
  type HumanInTheLoop,
  hasNode,
  needsApproval,
  withMessages,
} from "./langgraph.ts";
import { keyOf, type Turns } from "./turns.ts";

type ToolAnswer = Awaited<ReturnType<ToolCallHandler>>;

interface AtToolsOptions extends RepairCallsOptions {
  /** The tools that the options list. */
  readonly tools: readonly unknown[] | undefined;
  readonly toolErrors?: "answer" | "throw" | undefined;
  readonly humanInTheLoop: HumanInTheLoop;
}

const NOT_RUN = "It was not accepted, and was not run.";

/** A call that LangChain is about to run, and what is known of its message. */
interface ArrivingCall {
  readonly request: ToolCallRequest;
  readonly handler: ToolCallHandler;
  readonly options: AtToolsOptions;
  readonly calling: CallingMessage;
  readonly turn: JudgedTurn;
  /** The answers to other calls of the message that the state has. */
  readonly answers: readonly ToolMessage[];
  /** The ids of the calls that they answer. */
  readonly answered: ReadonlySet<CallId>;
}

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
  const { toolCall, tool, runtime, state } = request;
  const asking = state.messages.findLast(isAIMessage);
  const calling = asking && CallingMessage.of(asking);
  // The call as the message in the state has it.
  const written = calling?.callOf(toolCall.id);
  // Outer middleware gave the call another id, or the request another state.
  if (calling === undefined || written === undefined)
    return runTool(request, handler, options);
  const isAsWritten = isSameCall(toolCall, written);
  const key = keyOf(calling.message, runtime);
  const turn = turns.of(key, calling, written.id, {
    // If outer middleware changed the call, it may be the tool of another.
    tool: isAsWritten ? tool : undefined,
    ownTools: options.tools,
  });
  const after = state.messages.lastIndexOf(calling.message) + 1;
  const answers = state.messages.slice(after).filter(isToolMessage);
  const answered = new Set(answers.map(({ tool_call_id }) => tool_call_id));
  const arriving: ArrivingCall = {
    request,
    handler,
    options,
    calling,
    turn,
    answers,
    answered,
  };
  // Outer middleware replaced the call. It may not replace a rejected one.
  if (!isAsWritten && !mustNotRun(arriving, written))
    return run(arriving, toolCall);
  const parallel = parallelCalls(arriving);
  for (const ids of [parallel, [toolCall.id]]) beginToJudge(arriving, ids);
  // Nothing else is awaited before the tool runs: if a parallel tool aborts the
  // run, it ends as without middleware (langchain 1.5.14; tool-errors.test).
  await turn.whenJudged(toolCall.id, parallel);
  // The run may have been aborted meanwhile, and gone on in another.
  options.signal?.throwIfAborted();
  const outcome = turn.outcomeOf(toolCall.id);
  if (outcome === undefined) return run(arriving, toolCall);
  const answer = await answerTo(arriving, outcome);
  turns.close(key, turn, toolCall.id);
  return withRepairedMessages(arriving, answer);
}

function run(
  { request, handler, options, turn }: ArrivingCall,
  toolCall: ToolCall,
): Promise<ToolAnswer> {
  // The very request, unless its call changes.
  const running =
    toolCall === request.toolCall ? request : { ...request, toolCall };
  return runTool(running, handler, options, turn.signal);
}

/** Whether a call was rejected, or could not be read, at the model's answer. */
function mustNotRun(
  { request: { toolCall }, calling }: ArrivingCall,
  written: ToolCall,
): boolean {
  if (calling.recordOf(toolCall.id)?.error !== undefined) return true;
  return isMalformed(written.args) || isHidden(toolCall);
}

/**
 * The known calls without an answer, which are judged at once: LangGraph may
 * store what one writes before another is judged (langgraph 1.7.3; apart.test).
 */
function parallelCalls({
  calling,
  turn,
  answered,
}: ArrivingCall): readonly CallId[] {
  if (turn.tools === undefined) return [];
  return calling.knownIds.filter((id) => !answered.has(id));
}

/** Begins to judge those of the calls that are not judged yet. */
function beginToJudge(
  { request, options, calling, turn }: ArrivingCall,
  ids: readonly CallId[],
): void {
  const open = turn.openAmong(ids);
  if (open.length === 0) return;
  const { origin, onUnfixable } = options;
  // A call whose tool was known has been reported at the model's answer.
  const isAgain = calling.isKnown(open[0]);
  turn.judge(open, [...(turn.tools ?? []), request.tool], {
    ...options,
    onUnfixable: answersApproved(onUnfixable, approvalOf(request, options)),
    origin: origin && { ...origin, isAgain },
    leavesUnknown: true,
  });
}

async function answerTo(
  arriving: ArrivingCall,
  outcome: JudgedCall,
): Promise<ToolAnswer> {
  const { toolCall } = arriving.request;
  // A human was not asked about a hidden call: it never runs.
  if (outcome.kind === "rejected" || isHidden(toolCall))
    return rejectionOf(outcome);
  const running = callToRun(outcome, toolCall);
  const answer = await run(arriving, running);
  if (outcome.kind === "accepted") return answer;
  const listed = toolsInstead(answer, outcome.name);
  if (listed !== undefined)
    return judgeByListedTools(arriving, outcome, listed, answer);
  // Other middleware has run it: it was not reported at the model's answer.
  if (!arriving.calling.isKnown(outcome.id))
    await reportRun(running, arriving.options);
  return answer;
}

/**
 * Judges a call of a tool that LangChain does not have by the tools that its
 * answer lists, and keeps the answer if that does not reject the call.
 */
async function judgeByListedTools(
  { options, turn }: ArrivingCall,
  { id, name }: JudgedCall,
  listed: readonly object[],
  answer: ToolAnswer,
): Promise<ToolAnswer> {
  turn.judge([id], listed, options);
  await turn.whenJudged(id, []);
  const outcome = turn.outcomeOf(id);
  if (outcome?.kind !== "rejected") return answer;
  return errorAnswer(id, name, outcome.refusal);
}

/** Reports a call that ran with the input that the model wrote. */
async function reportRun(
  toolCall: ToolCall,
  options: AtToolsOptions,
): Promise<void> {
  const { name, args } = toolCall;
  const tool = { name } as ToolLike;
  const resolution = runUnchanged(args);
  await emitCall({ raw: args, tool, resolution }, { ...options, toolCall });
}

/**
 * Adds the model's message, if calls were repaired at the tools, and the true
 * names of calls.
 */
function withRepairedMessages(
  { request, calling, turn, answers, answered }: ArrivingCall,
  answer: ToolAnswer,
): ToolAnswer {
  // A hidden call that other middleware answered does not reach the tools
  // itself.
  const mustReveal =
    isHidden(request.toolCall) ||
    calling.hiddenIds.some((id) => answered.has(id));
  if (turn.rewritten === undefined && !mustReveal) return answer;
  const revealed = answers.filter(isHidden).map(revealNames);
  const message = turn.rewritten ?? revealNames(calling.message);
  return withMessages(answer, [message, ...revealed]) as ToolAnswer;
}

/** The calls that a human has seen where they arrive at the tools. */
function approvalOf(
  { runtime }: ToolCallRequest,
  { humanInTheLoop }: AtToolsOptions,
): HumanInTheLoop {
  return hasNode(runtime as RunnableConfig, APPROVAL) || humanInTheLoop;
}

/**
 * A human has seen the call: a handler may answer it, but no other input runs
 * in its place.
 */
function answersApproved(
  handler: RepairCallsOptions["onUnfixable"],
  approval: HumanInTheLoop,
): typeof handler {
  if (typeof handler !== "function") return handler;
  return async (error, ...details) => {
    const answer = await handler(error, ...details);
    if (typeof answer === "string") return answer;
    return needsApproval(approval, error.toolName) ? undefined : answer;
  };
}

function rejectionOf(outcome: JudgedCall): ToolMessage {
  const { id, name, record } = outcome;
  const { error = NOT_RUN } = record ?? {};
  const refusal = outcome.kind === "rejected" ? outcome.refusal : error;
  return errorAnswer(id, name, refusal);
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
  const text = status === "error" ? `${content}` : "";
  const start = `Error: ${name} is not a valid tool, try one of [`;
  if (!text.startsWith(start)) return undefined;
  const names = text
    .slice(start.length, text.indexOf("]", start.length))
    .split(", ");
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
    if (toolErrors === "throw" || isFatal(error)) throw error;
    if (signal?.aborted || agentSignal?.aborted) throw error;
    return errorAnswer(id, name, textOfError(error));
  }
}

function textOfError(error: unknown): string {
  const isOfInput = brandOf(error) === "ToolInvocationError";
  if (isOfInput) return (error as Error).message;
  return `${error}\n Please fix your mistakes.`;
}

/**
 * Errors that end a run without middleware too, and failures of this agent's
 * own middleware.
 */
function isFatal(error: unknown): boolean {
  if (error === null) return true;
  const { name } = Object(error) as { name?: unknown };
  if (INTERRUPTS.has(name)) return true;
  if (brandOf(error) !== "MiddlewareError") return false;
  // A tool's comes from the middleware of an agent inside it: LangGraph marks
  // what ends a task (langgraph 1.7.3; others-calls.test).
  return !("pregelTaskId" in (error as Error));
}

const INTERRUPTS = new Set<unknown>(["GraphInterrupt", "NodeInterrupt"]);

/** The brand that marks LangChain's errors across copies. */
function brandOf(error: unknown): unknown {
  return error instanceof Error && (error as { "~brand"?: unknown })["~brand"];
}
