import { wrongUse } from "../../repair/errors/likeness.ts";
import type { ToolInputError } from "../../repair/errors/tool-input-error.ts";
import {
  aBoolean,
  aCount,
  aFunction,
  aString,
  type Check,
  type Checks,
  either,
  oneOf,
  optionsOf,
} from "../../repair/usage.ts";
import type { OnAttempt } from "./attempt-event.ts";

/** How a model is asked to correct a call that could not be repaired. */
export interface SelfCorrectOptions {
  /** How often the model is asked for one answer, the first time included. Default: 2. */
  readonly maxAttempts?: number | undefined;
  /** How often one tool's calls are corrected in one run. Default: 3 × (`maxAttempts` − 1). */
  readonly maxCorrectionsPerTool?: number | undefined;
  /** How often calls are corrected in one run, in all. Default: 10 × (`maxAttempts` − 1). */
  readonly maxCorrections?: number | undefined;
  /**
   * What the model is asked after it was told what is wrong. Default: to call the tool again with
   * corrected arguments.
   */
  readonly prompt?: string | ((errors: readonly ToolInputError[]) => string) | undefined;
  /**
   * Whether the model is made to call a tool when it is asked again (`tool_choice`). A model whose
   * profile says that it cannot is not; one that refuses is asked without. Default: `true`.
   */
  readonly forceToolCall?: boolean | undefined;
  /** Told of every attempt. */
  readonly onAttempt?: OnAttempt | undefined;
}

/** How an agent's model is asked. */
export interface AgentSelfCorrectOptions extends SelfCorrectOptions {
  /**
   * What becomes of a call that the model did not correct: as without self-correction
   * (`"continue"`), or the run ends with the `ToolInputError` (`"throw"`), so that an agent does not
   * go round in circles. Default: `"continue"`.
   */
  readonly giveUp?: "continue" | "throw" | undefined;
}

const SELF_CORRECT_CHECKS: Checks<SelfCorrectOptions> = {
  maxAttempts: aCount,
  maxCorrectionsPerTool: aCount,
  maxCorrections: aCount,
  prompt: either(aString, aFunction),
  forceToolCall: aBoolean,
  onAttempt: aFunction,
};

/** What the option `selfCorrect` of a chain must be. */
export const selfCorrectOptions: Check = optionsOf(SELF_CORRECT_CHECKS);

/** What it must be where an agent goes on. */
export const agentSelfCorrectOptions: Check = optionsOf({
  ...SELF_CORRECT_CHECKS,
  giveUp: oneOf("continue", "throw"),
} satisfies Checks<AgentSelfCorrectOptions>);

/** The options with their defaults. */
export interface SelfCorrectPolicy {
  readonly maxAttempts: number;
  readonly maxCorrectionsPerTool: number;
  readonly maxCorrections: number;
  readonly prompt: (errors: readonly ToolInputError[]) => string;
  readonly forceToolCall: boolean;
  readonly onAttempt: OnAttempt | undefined;
}

/**
 * Reads the options of a self-correction.
 *
 * @param options The options; `undefined` is for none: then a model is asked once.
 * @throws TypeError when a number is not one to readCount with.
 */
export function readSelfCorrect(options: SelfCorrectOptions | undefined): SelfCorrectPolicy {
  const { prompt = askAgain, forceToolCall = true, onAttempt } = options ?? {};
  const maxAttempts = readCount("maxAttempts", options?.maxAttempts, {
    standard: options === undefined ? 1 : 2,
    least: 1,
  });
  const corrections = maxAttempts - 1;
  const { maxCorrectionsPerTool, maxCorrections } = options ?? {};
  return {
    maxAttempts,
    maxCorrectionsPerTool: readCount("maxCorrectionsPerTool", maxCorrectionsPerTool, {
      standard: 3 * corrections,
      least: 0,
    }),
    maxCorrections: readCount("maxCorrections", maxCorrections, {
      standard: 10 * corrections,
      least: 0,
    }),
    prompt: typeof prompt === "function" ? prompt : () => prompt,
    forceToolCall,
    onAttempt,
  };
}

function readCount(
  name: string,
  given: number | undefined,
  { standard, least }: { readonly standard: number; readonly least: number },
): number {
  if (given === undefined) return standard;
  if (given === Number.POSITIVE_INFINITY || (Number.isInteger(given) && given >= least)) {
    return given;
  }
  throw wrongUse(`selfCorrect.${name} must be a whole number of at least ${least}, not ${given}.`);
}

function askAgain(errors: readonly ToolInputError[]): string {
  const names = [...new Set(errors.map(({ toolName }) => `"${toolName}"`))];
  return names.length === 1 && errors.length === 1
    ? `The last call of the tool ${names[0]} was not accepted, and nothing was run. Call it again with corrected arguments. Do not repeat the mistake.`
    : `${errors.length} of the last tool calls were not accepted: of ${names.join(", ")}. Make those calls again with corrected arguments. Do not repeat the mistakes.`;
}
