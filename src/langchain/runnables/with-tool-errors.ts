import { type ToolCall, ToolMessage } from "@langchain/core/messages";
import type { Runnable, RunnableConfig } from "@langchain/core/runnables";
import { isWrongUse, wrongUse } from "../../repair/errors/likeness.ts";
import { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { aHandler, COMMON_CHECKS, type NotRegistry } from "../../repair/policy.ts";
import {
  aFunction,
  aString,
  type Checks,
  checkOptions,
  either,
  nameThing,
  type OptionsUsage,
} from "../../repair/usage.ts";
import type { InvocableTool } from "../tool/invocable-tool.ts";
import { isToolCall } from "../tool/is-tool-call.ts";
import { mustRethrow } from "../tool/must-rethrow.ts";
import { WRAPPED, type WrapToolOptions, wrapOptionsOf, wrapTool } from "../tool/wrap-tool.ts";
import { makeWrapper } from "../tool/wrapper.ts";
import { aTrace } from "../trace/a-trace.ts";
import { describeFailure, type ToolFailure } from "./describe-failure.ts";
import { namedLambda } from "./named-lambda.ts";
import { passThrough } from "./pass-through.ts";
import { toError } from "./to-error.ts";
import type { AnyRunnable, WithToolErrors } from "./with-tool-errors-types.ts";

/** How failures are told, and how a tool's inputs are repaired before that. */
export interface ToolErrorsOptions extends WrapToolOptions {
  /**
   * What the model is told. Default: the tool, the arguments and the error, without a stack; each
   * cut to 1,000 characters.
   */
  readonly message?: string | ((failure: ToolFailure) => string | Promise<string>) | undefined;
}

const TOOL_ERRORS_USAGE: OptionsUsage = {
  of: "withToolErrors",
  example: "withToolErrors(tool, { fixers })",
  checks: {
    ...COMMON_CHECKS,
    trace: aTrace,
    onUnfixable: aHandler,
    message: either(aString, aFunction),
  } satisfies Checks<ToolErrorsOptions>,
};

/** What a tool is given besides its input. */
type ToolConfig = RunnableConfig & { readonly toolCall?: ToolCall };

type WayIn = (input: unknown, config?: ToolConfig, ...rest: unknown[]) => Promise<unknown>;

/**
 * Puts a try/except around a tool, or around a chain that runs tools: a bad input and a failing tool
 * become the text that says so; given a tool call, a `ToolMessage` with the status `"error"`. The
 * inputs of a tool are repaired first.
 *
 * LangGraph's interrupts, aborts, wrong uses of toolmend, and what the handlers `onUnfixable` and
 * `message` throw pass through. Around a chain, everything else that is thrown becomes text, a model's failure too, and a
 * stream comes in one piece.
 *
 * @param target A tool, or a chain. It stays as it was.
 * @param options How failures are told; for a tool also fixers, level, limits and handlers.
 * @returns For a tool a view of it, as `wrapTool` makes it; for a chain a Runnable.
 * @throws TypeError when it is neither, or the tool's schema is of no known kind.
 * @example
 * ```ts
 * const safe = withToolErrors(click, { fixers });
 * console.log(await safe.invoke({ element: "#buy" } as never)); // clicked #buy
 * ```
 */
export function withToolErrors<Target extends InvocableTool | AnyRunnable>(
  target: Target,
  options: ToolErrorsOptions & NotRegistry = {},
): WithToolErrors<Target> {
  if (typeof (target as Partial<Runnable> | null)?.invoke !== "function") {
    throw wrongUse(
      `withToolErrors(target, options) needs a tool or a Runnable; this is ${nameThing(target)}.`,
    );
  }
  checkOptions(options, TOOL_ERRORS_USAGE);
  const guarded = isTool(target)
    ? guardTool(target, options)
    : guardChain(target as Runnable, options);
  return guarded as WithToolErrors<Target>;
}

function isTool(target: object): target is InvocableTool {
  return "schema" in target && "name" in target && typeof target.name === "string";
}

function guardTool(tool: InvocableTool, options: ToolErrorsOptions): InvocableTool {
  const { message, ...given } = options;
  const rest = { ...wrapOptionsOf(tool), ...given };
  const { onUnfixable, passes } = passThrough(rest.onUnfixable);
  const wrapped = wrapTool(tool, { ...rest, onUnfixable });
  const guard =
    (run: WayIn): WayIn =>
    (input, config, ...more) =>
      run(input, config, ...more).catch((thrown: unknown) => {
        if (passes(thrown)) throw thrown;
        return answerFailure(thrown, { input, config }, { message, toolName: tool.name });
      });
  const { call } = wrapped as { call?: WayIn };
  const waysIn = {
    invoke: guard((input, config) => wrapped.invoke(input, config)),
    ...(call && { call: guard((...args) => call.apply(wrapped, args)) }),
  };
  // What wraps it again must not take it for a wrapper that it may replace.
  return makeWrapper(wrapped, () => ({ overrides: waysIn, marks: { [WRAPPED]: undefined } }));
}

function guardChain(chain: Runnable, { message }: ToolErrorsOptions): Runnable {
  return namedLambda("withToolErrors", async (input, config) => {
    try {
      return await chain.invoke(input, config);
    } catch (thrown) {
      return answerFailure(thrown, { input, config }, { message });
    }
  });
}

async function answerFailure(
  thrown: unknown,
  { input, config }: { readonly input: unknown; readonly config: ToolConfig | undefined },
  { message, toolName }: Pick<ToolErrorsOptions, "message"> & { readonly toolName?: string },
): Promise<string | ToolMessage> {
  if (mustRethrow(thrown, config?.signal) || isWrongUse(thrown)) throw thrown;
  const error = toError(thrown);
  const given = isToolCall(input) ? input : undefined;
  const toolCall = given ?? config?.toolCall;
  const isRefused = ToolInputError.isInstance(error);
  const name = isRefused ? error.toolName : (toolName ?? toolCall?.name);
  const failure: ToolFailure = {
    error,
    input: isRefused ? error.causingData : given === undefined ? input : given.args,
    ...(name !== undefined && { toolName: name }),
    ...(toolCall !== undefined && { toolCall }),
  };
  const content =
    typeof message === "string" ? message : await (message ?? describeFailure)(failure);
  if (toolCall?.id === undefined) return content;
  return new ToolMessage({
    content,
    tool_call_id: toolCall.id,
    status: "error",
    ...(name !== undefined && { name }),
  });
}
