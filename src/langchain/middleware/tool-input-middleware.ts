import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { type AIMessage, type BaseMessage, SystemMessage } from "@langchain/core/messages";
import type { ChatGeneration } from "@langchain/core/outputs";
import type { Runnable, RunnableConfig } from "@langchain/core/runnables";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { emitCorrections } from "../../repair/events/report.ts";
import type { NotRegistry } from "../../repair/policy.ts";
import { orElse } from "../../repair/schema/part.ts";
import type { ToolLike } from "../../repair/types.ts";
import {
  aBoolean,
  arrayOf,
  aString,
  aTool,
  type Check,
  type Checks,
  checkOptions,
  either,
  oneOf,
  optionsOf,
  warnOfFixerNames,
} from "../../repair/usage.ts";
import { findLaterCorrections } from "../correct/later-calls.ts";
import { correctAnswer } from "../correct/self-correct.ts";
import {
  giveId,
  hideCalls,
  isAIMessage,
  isHidden,
  REFUSED_NAME,
  recordsOf,
  revealNames,
  sinceSpoken,
} from "../message/messages.ts";
import {
  MESSAGE_CHECKS,
  type RepairCallsOptions,
  type RepairMessageOptions,
} from "../message/options.ts";
import { saveStopInfo } from "../message/read.ts";
import { type JudgedCall, offeredTools, repairAllCalls } from "../message/repair.ts";
import { completeToolMessages } from "../message/settle.ts";
import { viewOf } from "../tool/view-of.ts";
import { originOf } from "../trace/trace.ts";
import { answerAtTools, isCommand, keyOf, MessagesCommand, messagesIn, Turns } from "./at-tools.ts";

/** How an agent's tool calls are repaired. A registry of fixers adds settings for single tools. */
export interface ToolInputMiddlewareOptions
  extends Pick<
    RepairMessageOptions,
    "fixers" | "level" | "onUnfixable" | "onToolCall" | "trace" | "rescueTextToolCalls"
  > {
  /**
   * The agent's tools, including those that other middleware adds. Required if a human edits several
   * calls at once (LangChain does not name the tools when a run resumes), and if inner middleware
   * adds tools to a wrapped model (`model.withConfig(…)`). Default: those bound to the model.
   */
  readonly tools?: readonly unknown[] | undefined;
  /**
   * Asks the model to correct calls that could not be repaired, before its message becomes part of
   * the history: it is shown the errors, and no tool runs. `maxAttempts`: how often it is asked for
   * one answer, including the first time (2). Default: it is not asked; such a call is answered
   * with its error, and the run goes on.
   */
  readonly selfCorrect?: { readonly maxAttempts?: number | undefined } | undefined;
  /**
   * Whether a human approves tool calls, or the names of the tools that need approval: rejected
   * calls are kept out of the approval. Set it for middleware other than LangChain's. Default:
   * whether the agent has `humanInTheLoopMiddleware` without a `toolCallLimitMiddleware` for these
   * calls; beside such a limit, the human is asked about rejected calls too (docs/create-agent.md).
   */
  readonly humanInTheLoop?: boolean | readonly string[] | undefined;
  /**
   * What happens to an error that a tool throws. `"answer"`: the model gets it, as without any
   * middleware. `"throw"`: LangChain gets it and ends the run, as with any middleware that wraps
   * tool calls. Default: `"answer"`.
   */
  readonly toolErrors?: "answer" | "throw" | undefined;
}

const { fixers, level, onUnfixable, onToolCall, trace, rescueTextToolCalls } = MESSAGE_CHECKS;

const anAttempt: Check = {
  must: "a whole number of at least 1",
  isMet: (value) => Number.isInteger(value) && (value as number) >= 1,
};

const CHECKS: Checks<ToolInputMiddlewareOptions> = {
  ...{ fixers, level, onUnfixable, onToolCall, trace, rescueTextToolCalls },
  tools: arrayOf(aTool),
  selfCorrect: optionsOf({ maxAttempts: anAttempt }),
  humanInTheLoop: either(aBoolean, arrayOf(aString)),
  toolErrors: oneOf("answer", "throw"),
};

/** The middleware, without state, context and tools: so the agent's own tools type its messages. */
export interface ToolInputMiddleware
  extends Omit<
    AgentMiddleware<undefined, undefined, unknown>,
    "~middlewareTypes" | "tools" | "streamTransformers"
  > {
  readonly "~middlewareTypes"?: {
    readonly Schema: undefined;
    readonly ContextSchema: undefined;
    readonly FullContext: unknown;
    readonly Tools: readonly [];
    readonly StreamTransformers: readonly [];
  };
  readonly tools?: readonly [];
  readonly streamTransformers?: readonly [];
}

/**
 * Makes a middleware for `createAgent` that repairs every tool call of the model's messages. The
 * tool runs with the repaired call, the history and the checkpoint hold it, a human approves it,
 * and the provider receives it next.
 *
 * A call that cannot be repaired does not run: a `ToolMessage` gives the model the error, and the
 * run goes on. It takes no step of the graph, and earlier messages stay unchanged.
 *
 * Put it first: it then repairs what other middleware does to the calls, and middleware that
 * retries or answers the errors of tools gets them before it does.
 *
 * @param options Fixers, level, limits and handlers.
 * @returns The middleware. One serves any number of agents and runs at once.
 * @throws TypeError for wrong use: an unknown option, or an invalid value of an option.
 * @example
 * ```ts
 * const agent = createAgent({ model, tools, middleware: [toolInputMiddleware({ fixers })] });
 * ```
 */
export function toolInputMiddleware(
  options: ToolInputMiddlewareOptions & NotRegistry = {},
): ToolInputMiddleware {
  const example = "toolInputMiddleware({ fixers })";
  checkOptions(options, { of: "toolInputMiddleware", example, checks: CHECKS });
  const { tools: ownTools, selfCorrect, humanInTheLoop, toolErrors, ...repair } = options;
  const turns = new Turns();
  const repairingIn = (runtime: RunnableConfig | undefined): RepairCallsOptions => ({
    ...repair,
    origin: originOf("middleware", undefined, repair),
    signal: runtime?.signal,
  });
  return createMiddleware({
    name: "toolInputMiddleware",
    wrapModelCall: async (request, handler) => {
      type Answer = Awaited<ReturnType<typeof handler>>;
      const repairing = repairingIn(request.runtime);
      const agentTools = [...(ownTools ?? []), ...request.tools];
      warnOfFixerNames(repairing.fixers, agentTools);
      const reserved = agentTools.find((tool) => isHidden(tool as Partial<ToolLike>));
      if (reserved)
        throw new TypeError(`A tool's name must not begin with "${REFUSED_NAME}": rename it.`);
      const known = request.state?.messages ?? [];
      const revealed = known.filter((one) => revealNames(one) !== one).map(revealNames);
      const messages = completeToolMessages(request.messages, known);
      const bound = boundModel(request.model);
      const reading = (answer: Partial<BaseMessage>) => {
        // Inner middleware may have asked several models.
        const seen = bound.answer?.id === answer.id ? bound.tools : undefined;
        const tools = seen ?? ownTools ?? request.tools;
        const shown = (repair.rescueTextToolCalls && bound.shown) || [];
        return {
          ...repairing,
          tools,
          // Inner middleware may offer a selection; LangChain runs the others, too.
          unoffered: agentTools.filter((one) => !tools.includes(one)),
          isComplete: seen !== undefined || ownTools !== undefined,
          leavesUnknown: true,
          history: [systemOf(request), ...request.messages, ...shown],
        };
      };
      const ask = async (asked: readonly BaseMessage[]): Promise<unknown> => {
        const own = { ...request, model: bound.model, messages: asked as BaseMessage[] };
        const answer: unknown = await captureStopReason(async () => handler(own));
        if (isAIMessage(answer)) return giveId(answer);
        // LangChain runs no call beside a structured response.
        const [said] = (answer as Structured).messages ?? [];
        if (isAIMessage(said)) {
          const { tools, ...repair } = reading(said);
          const reporting = { leavesUnknown: !repair.isComplete, rescueTextToolCalls: false };
          await repairAllCalls(said, tools, { ...repair, ...reporting });
        }
        return answer;
      };
      const write = (answer: unknown, ...said: readonly BaseMessage[]): Answer => {
        const { messages: own } = answer as Structured;
        if (own) return { ...(answer as Structured), messages: [...revealed, ...own] } as never;
        if (isAIMessage(answer) && revealed.length === 0) return said[0] as Answer;
        // LangChain has a command already, and would apply it twice. It may remove messages.
        const isAlone = isCommand(answer) && !messagesIn(answer).every(isAIMessage);
        return new MessagesCommand(isAlone ? said : [...revealed, ...said]) as never;
      };
      const answer = await ask(messages);
      // Calls that inner middleware answers in its command, or gives another graph, do not run here.
      const response = isCommand(answer) && !answer.graph ? messagesIn(answer).at(-1) : answer;
      if (!isAIMessage(response)) return write(answer);
      giveId(response);
      const { tools, ...options } = reading(response);
      let turn = await repairAllCalls(response, tools, options);
      if (selfCorrect !== undefined && !isCommand(answer)) {
        const correcting = { ...selfCorrect, messages, tools, ask };
        const corrected = await correctAnswer(response, turn, correcting, options);
        if ("other" in corrected) return write(corrected.other);
        turn = corrected;
      }
      const given = { tools: [...tools, ...options.unoffered], signal: bound.signal };
      const since = turn.calls.length === 0 ? [] : sinceSpoken(messages);
      if (since.flatMap(recordsOf).some(({ error }) => error !== undefined)) {
        const { client } = offeredTools(given.tools);
        await emitCorrections(() => findLaterCorrections(turn.message, since, client), repairing);
      }
      const refused = turn.calls.filter(({ refusal }) => refusal !== undefined);
      // A message that replaces its own in the state may be the last one: its calls keep their names.
      const isNew = () => known.every(({ id }) => id !== turn.message.id);
      const isAsked =
        refused.length > 0 &&
        isNew() &&
        (humanInTheLoop ?? isApproved(request.runtime, turn.calls));
      const hidden = refused.filter(({ name }) =>
        typeof isAsked === "boolean" ? isAsked : isAsked.includes(name),
      );
      const message = hideCalls(turn.message, new Set(hidden.map(({ id }) => id)));
      turns.add(keyOf(message, request.runtime), message, turn, given);
      return write(answer, message);
    },
    wrapToolCall: async (request, handler) => {
      const own = { ...repairingIn(request.runtime), tools: ownTools, toolErrors };
      return answerAtTools(request, handler, turns, own);
    },
  });
}

/**
 * Checks whether a human approves calls, and no limit counts them: it would take the reserved name
 * of a rejected call for another tool's, and if it ends the run, nothing restores the true name.
 */
function isApproved(runtime: RunnableConfig | undefined, calls: readonly JudgedCall[]): boolean {
  if (!hasNode(runtime, "HumanInTheLoopMiddleware.after_model")) return false;
  const limits = ["", ...calls.map(({ name }) => `[${name}]`)];
  return !limits.some((of) => hasNode(runtime, `ToolCallLimitMiddleware${of}.after_model`));
}

/** Checks whether the agent has a node: a run's reader throws if a channel is missing. */
function hasNode(runtime: RunnableConfig | undefined, node: string): boolean {
  const { __pregel_read: read } = runtime?.configurable ?? {};
  const find = () => (typeof read === "function" ? [read(`branch:to:${node}`)] : []);
  return orElse(find, []).length > 0;
}

/** LangChain passes the system prompt separately; before 1.1 as text. */
function systemOf(request: object): BaseMessage {
  const given = request as { systemMessage?: BaseMessage; systemPrompt?: string };
  return given.systemMessage ?? new SystemMessage(given.systemPrompt ?? "");
}

/** How LangChain gives a structured response. */
type Structured = { readonly messages?: readonly BaseMessage[] };

type Bind = (tools: readonly unknown[], options?: unknown) => Runnable<unknown, unknown>;

/** A view of a request's model, the tools bound to it, its last answer, and the agent's own signal. */
interface BoundModel<Model> {
  readonly model: Model;
  tools?: readonly unknown[];
  answer?: AIMessage;
  /** What it was shown, with what inner middleware added. */
  shown?: readonly BaseMessage[];
  signal?: AbortSignal | undefined;
}

/** Makes a view of a request's model that records which tools are bound to it, by inner middleware too. */
function boundModel<Model>(model: Model): BoundModel<Model> {
  const { bindTools } = (model ?? {}) as { bindTools?: Bind };
  if (typeof bindTools !== "function" || "bound" in (model as object)) return { model };
  const bind: Bind = (tools, settings) => {
    const asked = bindTools.call(model, tools, settings);
    const invoke: typeof asked.invoke = async (input, config) => {
      Object.assign(bound, { signal: config?.signal, shown: input });
      const answer = await asked.invoke(input, config);
      if (isAIMessage(answer)) Object.assign(bound, { tools, answer: giveId(answer) });
      return answer;
    };
    return viewOf(asked, { invoke });
  };
  const view = viewOf(model as Model & object, { bindTools: bind });
  const bound: BoundModel<Model> = { model: view };
  return bound;
}

/** Captures why a model stops: if tokens are streamed, only callbacks get the reason. */
async function captureStopReason<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  // LangChain passes the config of its node to no middleware.
  const { callbacks } = AsyncLocalStorageProviderSingleton.getRunnableConfig() ?? {};
  // Handlers alone belong to no run; without a run, no tokens are streamed.
  if (callbacks === undefined || Array.isArray(callbacks)) return ask();
  const captured: ChatGeneration[] = [];
  const handler = BaseCallbackHandler.fromMethods({
    handleLLMEnd: ({ generations }) =>
      void captured.push(...(generations.flat() as ChatGeneration[])),
  });
  handler.awaitHandlers = true;
  callbacks.addHandler(handler, true);
  try {
    const answer = await ask();
    if (isAIMessage(answer)) {
      // Other middleware may have copied the model's message.
      const isOwn = ({ message }: ChatGeneration) => message?.id === answer.id;
      const own = captured.length === 1 ? captured[0] : captured.findLast(isOwn);
      saveStopInfo(answer, own?.generationInfo);
    }
    return answer;
  } finally {
    callbacks.removeHandler(handler);
  }
}
