import type { RunnableConfig } from "@langchain/core/runnables";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { checkFixers } from "../../repair/fixers/check-fixers.ts";
import type { ForTools, NotRegistry } from "../../repair/policy.ts";
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
} from "../../repair/usage.ts";
import {
  MESSAGE_CHECKS,
  type RepairCallsOptions,
  type RepairMessageOptions,
} from "../message/options.ts";
import { withProcessListeners } from "../trace/process-state.ts";
import { originOf } from "../trace/trace.ts";
import { answerAtTools } from "./at-tools.ts";
import { ModelTurn, warnOfApprovedNames } from "./model-turn.ts";
import { Turns } from "./turns.ts";

/**
 * How an agent's tool calls are repaired. A registry of fixers adds settings
 * for single tools.
 */
export interface ToolInputMiddlewareOptions
  extends Pick<
    RepairMessageOptions,
    | "fixers"
    | "level"
    | "onUnfixable"
    | "onToolCall"
    | "trace"
    | "rescueTextToolCalls"
  > {
  /**
   * The agent's tools, including those that other middleware adds. Required if
   * a human edits several calls at once (LangChain does not name the tools when
   * a run resumes), and if inner middleware adds tools to a wrapped model
   * (`model.withConfig(…)`). Default: those bound to the model.
   */
  readonly tools?: readonly unknown[] | undefined;
  /**
   * Asks the model to correct calls that could not be repaired, before its
   * message becomes part of the history: it is shown the errors, and no tool
   * runs. `maxAttempts`: how often it is asked for one answer, including the
   * first time (2). Default: it is not asked; such a call is answered with its
   * error, and the run goes on.
   */
  readonly selfCorrect?:
    | { readonly maxAttempts?: number | undefined }
    | undefined;
  /**
   * Whether a human approves tool calls, or the names of the tools that need
   * approval: rejected calls are kept out of it, and after it no input that
   * `onUnfixable` returns runs. Set it for middleware other than LangChain's.
   * Default: whether the agent has `humanInTheLoopMiddleware` without a
   * `toolCallLimitMiddleware` for these calls; beside such a limit, the human is
   * asked about rejected calls too (docs/create-agent.md).
   */
  readonly humanInTheLoop?: boolean | readonly string[] | undefined;
  /**
   * What happens to an error that a tool throws. `"answer"`: the model gets it,
   * as without any middleware. `"throw"`: LangChain gets it and ends the run,
   * as with any middleware that wraps tool calls. Default: `"answer"`.
   */
  readonly toolErrors?: "answer" | "throw" | undefined;
}

/**
 * The options of an agent whose tools are named: fixers under any other name do
 * not compile.
 */
type MiddlewareOptionsFor<Tools extends readonly unknown[]> = ForTools<
  Omit<ToolInputMiddlewareOptions, "tools">,
  Tools
> & {
  readonly tools?: Tools | undefined;
};

const { fixers, level, onUnfixable, onToolCall, trace, rescueTextToolCalls } =
  MESSAGE_CHECKS;

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

/**
 * The middleware, without state, context and tools: so the agent's own tools
 * type its messages.
 */
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
 * Makes a middleware for `createAgent` that repairs every tool call of the
 * model's messages. The tool runs with the repaired call, the history and the
 * checkpoint hold it, a human approves it, and the provider receives it next.
 *
 * A call that cannot be repaired does not run: a `ToolMessage` gives the model
 * the error, and the run goes on. It takes no step of the graph, and earlier
 * messages stay unchanged.
 *
 * Put it first: it then repairs what other middleware does to the calls, and
 * middleware that retries or answers the errors of tools gets them before it
 * does.
 *
 * @param options Fixers, level, limits and handlers.
 * @returns The middleware. One serves any number of agents and runs at once.
 * @throws TypeError for wrong use: an unknown option, or an invalid value of an
 *   option.
 * @example
 * ```ts
 * const agent = createAgent({ model, tools, middleware: [toolInputMiddleware({ fixers })] });
 * ```
 */
export function toolInputMiddleware<
  const Tools extends readonly unknown[] = readonly unknown[],
>(
  options: MiddlewareOptionsFor<Tools> & NotRegistry = {},
): ToolInputMiddleware {
  const example = "toolInputMiddleware({ fixers })";
  checkOptions(options, { of: "toolInputMiddleware", example, checks: CHECKS });
  const {
    tools: ownTools,
    selfCorrect,
    humanInTheLoop,
    toolErrors,
    ...repair
  } = options as ToolInputMiddlewareOptions;
  if (ownTools !== undefined) {
    checkFixers("toolInputMiddleware", repair.fixers, ownTools);
    warnOfApprovedNames(humanInTheLoop, ownTools);
  }
  const turns = new Turns();
  const repairingIn = (
    runtime: RunnableConfig | undefined,
  ): RepairCallsOptions => ({
    ...withProcessListeners(repair),
    origin: originOf("middleware", undefined, repair),
    signal: runtime?.signal,
  });
  return createMiddleware({
    name: "toolInputMiddleware",
    wrapModelCall: async (request, handler) => {
      const repairing = repairingIn(request.runtime);
      const turnOptions = { ownTools, selfCorrect, humanInTheLoop, repairing };
      const answer = new ModelTurn(
        request,
        handler,
        turnOptions,
        turns,
      ).answer();
      // LangChain's types name no structured response, and only LangGraph's own
      // commands.
      return answer as Promise<never>;
    },
    wrapToolCall: async (request, handler) => {
      const atTools = {
        ...repairingIn(request.runtime),
        tools: ownTools,
        toolErrors,
        humanInTheLoop,
      };
      return answerAtTools(request, handler, turns, atTools);
    },
  });
}

// LangChain takes the function itself for a middleware, because it has a name,
// and repairs nothing: it looks at the hooks when an agent is made (langchain
// 1.5.14; misuse.test).
Object.defineProperty(toolInputMiddleware, "wrapModelCall", {
  get(): never {
    throw new TypeError(
      "toolInputMiddleware makes a middleware and is none: write middleware: [toolInputMiddleware()], with the call.",
    );
  },
});
