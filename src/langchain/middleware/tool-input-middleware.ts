import { type BaseMessage, SystemMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { loadOnce } from "../../repair/drive.ts";
import { emitCorrections } from "../../repair/events/emit.ts";
import type { NotRegistry } from "../../repair/policy.ts";
import {
  aBoolean,
  arrayOf,
  aTool,
  type Checks,
  checkOptions,
  type OptionsUsage,
  oneOf,
} from "../../repair/usage.ts";
import { keptRecordsOf } from "../calls/call-records.ts";
import { captureStopReason } from "../calls/capture-stop-reason.ts";
import { detachRefusedCalls } from "../calls/detach-refused-calls.ts";
import { isAIMessage, isToolMessage } from "../calls/is-ai-message.ts";
import { isToolRefusal } from "../calls/is-tool-refusal.ts";
import { offeredTools } from "../calls/offered-tools.ts";
import { repairCalls } from "../calls/repair-ai-message.ts";
import {
  MESSAGE_CHECKS,
  type MessageIntegrationOptions,
  type RepairMessageOptions,
} from "../calls/repair-message-options.ts";
import { completeToolMessages } from "../calls/settle-tool-calls.ts";
import { canBeForced } from "../correct/force-tool-call.ts";
import {
  type AgentSelfCorrectOptions,
  agentSelfCorrectOptions,
  readSelfCorrect,
} from "../correct/options.ts";
import { originOf } from "../trace/origin-of.ts";
import { createAgentMemory } from "./agent-memory.ts";
import { answerAtTools, withRefusedCalls } from "./answer-at-tools.ts";
import { answerRefusedCalls } from "./answer-refused-calls.ts";
import type { ModelQuestion } from "./correct-answer.ts";
import { giveId } from "./give-id.ts";
import { repairStructuredCalls } from "./repair-structured-calls.ts";
import { retryRefusedCalls } from "./retry-refused-calls.ts";

/** How an agent's tool calls are repaired. */
export interface ToolInputMiddlewareOptions
  extends Omit<RepairMessageOptions, "history" | "signal"> {
  /**
   * Whether a tool's answer gets a line that tells the model what was repaired in its call, so that
   * it stops making the mistake. Default: `false`.
   */
  readonly tellModel?: boolean | undefined;
  /**
   * The agent's tools, those that other middleware adds too. Needed to repair calls of tools that are
   * added inside of this middleware, and calls that a human edits after the run was resumed in another
   * process, as LangChain does not say what the tools are then: without it, such a call is made again
   * once the tool has refused it. Default: the tools of each request.
   */
  readonly tools?: readonly unknown[] | undefined;
  /**
   * Asks the model to correct calls that could not be repaired, before its message becomes part of
   * the history: it is shown what is wrong, and no tool is run. Default: it is not asked; then a call
   * is answered with what is wrong, and the run goes on.
   */
  readonly selfCorrect?: AgentSelfCorrectOptions | undefined;
  /**
   * Which hook of LangChain's sees to refused calls.
   *
   * - `"afterModel"` (default): each call of the model takes one step more of the `recursionLimit`. A
   *   human is not asked about refused calls, and what a human edits is repaired before it is run.
   * - `"wrapToolCall"`: no step more. Refused calls are answered where the tools are run, and the
   *   metadata of a tool's run says that its input was repaired. For agents without
   *   `humanInTheLoopMiddleware`: that would ask about refused calls too, and what a human edits is
   *   repaired only once the tool has refused it. What a tool throws ends the run, as LangChain has it
   *   for any middleware with this hook: its `toolErrorMiddleware` tells the model instead.
   */
  readonly hook?: "afterModel" | "wrapToolCall" | undefined;
}

const { history: _history, signal: _signal, ...REPAIR_CHECKS } = MESSAGE_CHECKS;

const MIDDLEWARE_USAGE: OptionsUsage = {
  of: "toolInputMiddleware",
  example: "toolInputMiddleware({ fixers })",
  checks: {
    ...REPAIR_CHECKS,
    tellModel: aBoolean,
    tools: arrayOf(aTool),
    selfCorrect: agentSelfCorrectOptions,
    hook: oneOf("afterModel", "wrapToolCall"),
  } satisfies Checks<ToolInputMiddlewareOptions>,
};

/** LangChain's type of a middleware, of whatever 1.x it is. */
type PlainMiddleware = AgentMiddleware<undefined, undefined, unknown>;

/**
 * The middleware: one without state and context, and, unlike those that LangChain's
 * `createMiddleware` types, without tools. So the messages of the agent stay typed by its own.
 */
export interface ToolInputMiddleware
  extends Omit<PlainMiddleware, "~middlewareTypes" | "tools" | "streamTransformers"> {
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
 * repaired call is what the tool runs with, what the history and the checkpoint hold, what a human
 * approves, and what the provider is sent next.
 *
 * A call that cannot be repaired is not run: the model is told what is wrong with it, in a
 * `ToolMessage`, and the run goes on. How the agent handles errors of tools stays as it is.
 *
 * Put it first: then it also repairs what other middleware does to the calls. It takes one step
 * more of the `recursionLimit` for each call of the model, unless `hook` is `"wrapToolCall"`.
 *
 * @param options Fixers, level, limits and handlers.
 * @returns The middleware. One serves any number of agents and runs at once.
 * @throws TypeError for a wrong use: an unknown option, a value that an option cannot have.
 * @example
 * ```ts
 * const agent = createAgent({ model, tools, middleware: [toolInputMiddleware({ fixers })] });
 * ```
 */
export function toolInputMiddleware(
  options: ToolInputMiddlewareOptions & NotRegistry = {},
): ToolInputMiddleware {
  checkOptions(options, MIDDLEWARE_USAGE);
  const { tools: ownTools, selfCorrect, hook, ...repair } = options;
  readSelfCorrect(selfCorrect);
  const isAtTools = hook === "wrapToolCall";
  const memory = createAgentMemory();
  return createMiddleware({
    name: "toolInputMiddleware",
    wrapModelCall: async (request, handler) => {
      const { runtime } = request;
      const tools = withTools(request.tools, ownTools);
      const origin = originOf("middleware", undefined, repair);
      const repairing: MessageIntegrationOptions = { ...repair, origin, signal: runtime?.signal };
      const { client } = offeredTools(tools);
      const retried = await retryRefusedCalls(request.messages, client, {
        ...repairing,
        isInPlace: !isAtTools,
        isFirst: memory.isFirst,
      });
      const { told } = retried;
      if (retried.retry !== undefined) {
        memory.keep(retried.retry, { tools, replaced: told, calls: retried.retry.tool_calls });
        return retried.retry;
      }
      const known = request.state?.messages;
      const messages = completeToolMessages(retried.messages, { ...options, isOver: true, known });
      const model =
        request.responseFormat === undefined
          ? request.model
          : repairStructuredCalls(request.model, request.tools, repairing);
      const ask: ModelQuestion["ask"] = async (asked, toolChoice) => {
        const forced = toolChoice === undefined ? {} : { toolChoice: toolChoice as never };
        // Other middleware edits the very array of the state: it is handed on where it can be.
        const handed = { ...request, model, messages: asked as BaseMessage[], ...forced };
        // LangChain hands the config of its node to no middleware.
        const config = AsyncLocalStorageProviderSingleton.getRunnableConfig();
        const answer: unknown = await captureStopReason(config?.callbacks, async () =>
          handler(handed),
        );
        return isAIMessage(answer) ? giveId(answer) : answer;
      };
      const response = await ask(messages, undefined);
      if (!isAIMessage(response)) return response as Awaited<ReturnType<typeof handler>>;
      const history = [...systemOf(request), ...request.messages];
      const withHistory = { ...repairing, history };
      const message =
        selfCorrect === undefined
          ? await repairCalls(response, tools, withHistory)
          : await (await loadRareParts()).correctAnswer(
              response,
              { messages, tools, ask, canBeForced: canBeForced(request.model) },
              withHistory,
              selfCorrect,
            );
      if (!isAIMessage(message)) return message as Awaited<ReturnType<typeof handler>>;
      if (messages.some(hasRefusals)) {
        const later = { message, history: messages, tools: client };
        const find = async () => (await loadRareParts()).findLaterCorrections(later);
        await emitCorrections(find, repairing);
      }
      if (isAtTools) return withRefusedCalls(message, options);
      const detached = detachRefusedCalls(message);
      memory.keep(detached, { tools, replaced: told, calls: detached.tool_calls });
      return detached;
    },
    ...(isAtTools
      ? {
          wrapToolCall: async (request, handler) => {
            const answer = answerAtTools(request, repair);
            if (isToolMessage(answer)) return answer;
            if (request.state.messages.some(hasRefusals)) {
              const emitting = { ...repair, origin: originOf("middleware", undefined, repair) };
              const find = async () => (await loadRareParts()).findHumanEdit(request);
              await emitCorrections(find, emitting);
            }
            return handler(answer);
          },
        }
      : {
          afterModel: {
            canJumpTo: ["tools", "end"],
            hook: async ({ messages }, runtime) => {
              const last = messages.findLast(isAIMessage);
              const turn = (last && memory.recall(last)) ?? (ownTools && { tools: ownTools });
              const origin = originOf("middleware", undefined, repair);
              const { signal } = runtime ?? {};
              return answerRefusedCalls(messages, turn, { ...options, origin, signal });
            },
          },
        }),
  });
}

/** Most agents ask for no self-correction, and most histories have no refused call. */
const loadRareParts = loadOnce(() => import("./lazy.ts"));

function hasRefusals(message: BaseMessage): boolean {
  return isAIMessage(message)
    ? keptRecordsOf(message).some(({ error }) => error !== undefined)
    : isToolMessage(message) && isToolRefusal(message);
}

/** The tools of a request, and those that the agent is said to have besides. */
function withTools(offered: readonly unknown[], own: readonly unknown[] = []): readonly unknown[] {
  const names = new Set(offeredTools(offered).client.map(({ name }) => name));
  return [...offered, ...offeredTools(own).client.filter(({ name }) => !names.has(name))];
}

/** LangChain hands the system prompt on apart; before 1.1 as text. */
function systemOf(request: object): readonly BaseMessage[] {
  const { systemMessage, systemPrompt = "" } = request as {
    readonly systemMessage?: BaseMessage;
    readonly systemPrompt?: string;
  };
  return [systemMessage ?? new SystemMessage(systemPrompt)];
}
