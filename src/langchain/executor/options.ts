import type { OutputParserException } from "@langchain/core/output_parsers";
import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import type { FixerRegistry } from "../../repair/fixers/registry.ts";
import {
  aHandler,
  COMMON_CHECKS,
  type CommonOptions,
  type Fixers,
  type ResolveOptions,
} from "../../repair/policy.ts";
import type { Unfixable } from "../../repair/result.ts";
import type { AgentAction, ToolLike } from "../../repair/types.ts";
import {
  aFunction,
  anArray,
  type Checks,
  either,
  manyOf,
  type OptionsUsage,
  oneOf,
} from "../../repair/usage.ts";
import { type AgentSelfCorrectOptions, agentSelfCorrectOptions } from "../correct/options.ts";
import { aTrace } from "../trace/a-trace.ts";
import type { TraceOptions } from "../trace/trace-options.ts";

/**
 * One of LangChain's own ways, which `wrapAgentExecutor` changes unless it is kept:
 *
 * - `toolErrors`: an error that a tool throws becomes the observation `""`, unless the executor has
 *   `handleToolRuntimeErrors`; in a stream, always. Default: see `onToolError`.
 * - `inputErrors`: an input that is refused ends the run, unless the executor has
 *   `handleParsingErrors`; where that is `true`, the model is told "Invalid or incomplete tool input.
 *   Please try again." Default: see `onUnfixable`.
 * - `toolResults`: a result that is no string goes into the step as it is. Default: as JSON text.
 * - `toolNames`: in a stream, a tool's name must be exact, and no name is ever repaired. Default: a
 *   name that differs only in case is found in a stream as in `invoke`.
 * - `invalidToolCalls`: a call whose arguments could not be read is dropped; the run ends with the
 *   output `""` when there is no other. Default: it is repaired, or refused as any other input.
 * - `parsingErrors`: output that the agent's parser cannot read is not repaired, `onUnfixable` is
 *   not asked about it, and OutputFixingParser asks the model again at once; in a stream, LangChain
 *   tells the model that `_Exception` is not a valid tool. An `action_input` of `""`, `0` or `false`
 *   becomes `{}`.
 */
export type KeepLangChain =
  | "toolErrors"
  | "inputErrors"
  | "toolResults"
  | "toolNames"
  | "invalidToolCalls"
  | "parsingErrors";

/** How a wrapped executor repairs, and who decides about what it cannot repair. */
export interface WrapAgentExecutorOptions<Tools extends readonly ToolLike[] = readonly ToolLike[]>
  extends Omit<CommonOptions, "fixers">,
    TraceOptions {
  /** The fixers, by tool name; they carry the tools' types to the steps. Default: none. */
  readonly fixers?: FixerRegistry<Tools> | Fixers | undefined;
  /** The tools, for the types of the steps only, where no registry carries them. */
  readonly tools?: Tools | undefined;
  /**
   * Decides what becomes of an input that could not be repaired, and of output in which no action
   * could be read: then the error is LangChain's `OutputParserException`, the causing data is what
   * the model wrote, and JSON names a tool (`{tool, toolInput}`, `{name, args}` or
   * `{action, action_input}`). Default: `"tellModel"`, unless `keepLangChain` has `"inputErrors"`: the
   * model is told what is wrong with the input, unless the executor's own `handleParsingErrors` is a
   * text or a function; that also decides about output in which no action could be read.
   */
  readonly onUnfixable?: Unfixable<ToolInputError | OutputParserException> | undefined;
  /**
   * Decides what becomes of an error that a tool throws while it runs: `"throw"` ends the run, a
   * function makes the observation. Aborts and LangGraph's interrupts always end it. Default: the
   * executor's own `handleToolRuntimeErrors`, else an observation with the error's name and the
   * first line of its message.
   */
  readonly onToolError?:
    | "throw"
    | ((error: Error, action: AgentAction) => string | Promise<string>)
    | undefined;
  /**
   * Asks the model to correct actions whose input could not be repaired, before they count as steps:
   * it is shown what is wrong, and no tool is run. Default: it is not asked; then it is as
   * `onUnfixable` says.
   */
  readonly selfCorrect?: AgentSelfCorrectOptions | undefined;
  /** LangChain's own ways to keep. Default: none. */
  readonly keepLangChain?: readonly KeepLangChain[] | undefined;
}

/** How `wrapAgentExecutor` is called. */
export const WRAP_EXECUTOR_USAGE: OptionsUsage = {
  of: "wrapAgentExecutor",
  example: "wrapAgentExecutor(executor, { fixers })",
  checks: {
    ...COMMON_CHECKS,
    trace: aTrace,
    tools: anArray,
    onUnfixable: aHandler,
    onToolError: either(oneOf("throw"), aFunction),
    selfCorrect: agentSelfCorrectOptions,
    keepLangChain: manyOf(
      "toolErrors",
      "inputErrors",
      "toolResults",
      "toolNames",
      "invalidToolCalls",
      "parsingErrors",
    ),
  } satisfies Checks<WrapAgentExecutorOptions>,
};
/** The same, as `toolmend/register` hands them on. */
export interface ExecutorIntegrationOptions
  extends WrapAgentExecutorOptions,
    Pick<ResolveOptions, "origin"> {}
