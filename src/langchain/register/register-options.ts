import type { OutputParserException } from "@langchain/core/output_parsers";
import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import { aHandler, COMMON_CHECKS, type CommonOptions } from "../../repair/policy.ts";
import type { Unfixable } from "../../repair/result.ts";
import { aString, type Checks, type OptionsUsage } from "../../repair/usage.ts";
import { aTrace } from "../trace/a-trace.ts";
import type { TraceOptions } from "../trace/trace-options.ts";

/** How the tools of a process are repaired. */
export interface RegisterOptions extends CommonOptions, TraceOptions {
  /**
   * Decides what becomes of an input that could not be repaired and, in an AgentExecutor, of output
   * in which no action could be read. Of several, the latest that answers counts.
   */
  readonly onUnfixable?: Unfixable<ToolInputError | OutputParserException> | undefined;
  /** Where LangChain's copies are looked for. Default: the working directory, and that of the script that runs. */
  readonly from?: string | undefined;
}

/** How `register` is called. */
export const REGISTER_USAGE: OptionsUsage = {
  of: "register",
  example: "register({ fixers })",
  checks: {
    ...COMMON_CHECKS,
    trace: aTrace,
    onUnfixable: aHandler,
    from: aString,
  } satisfies Checks<RegisterOptions>,
};
