import type { ReachedLimit } from "./errors/refusal-reason.ts";
import type { ToolInputError } from "./errors/tool-input-error.ts";
import type { AgentAction, InputIssue, JsonValue, Repair } from "./types.ts";

/** The input as the tool's schema takes it, the parsed output, and every change that was made. */
export interface RepairSuccess<Input = JsonValue, Output = unknown> {
  readonly ok: true;
  /** What is run and recorded. The very value that was given when that was valid. */
  readonly toolInput: Input;
  /** What the schema makes of it: defaults, coercions and transforms applied. */
  readonly parsed: Output;
  readonly repairs: readonly Repair[];
  /**
   * The keys of `toolInput` that the schema does not declare and yet accepts, as JSON Pointers: it
   * strips them, or lets them through. Empty where nothing is known of the schema.
   */
  readonly undeclared: readonly string[];
}

/** The input is refused, and why. */
export interface RepairFailure {
  readonly ok: false;
  readonly error: ToolInputError;
  readonly repairs: readonly [];
}

/** What comes of an input: what to run, or why it is refused. `ok` tells them apart. */
export type RepairResult<Input = JsonValue, Output = unknown> =
  | RepairSuccess<Input, Output>
  | RepairFailure;

/** An input that the schema accepts, on its way: what it does not declare was not looked at. */
export type Accepted = Omit<RepairSuccess, "undeclared">;

/** Why an input is refused, on its way. */
export interface Refusal {
  readonly ok: false;
  readonly issues: readonly InputIssue[];
  readonly cause?: unknown;
  /** Some of what could be meant. */
  readonly candidates?: readonly string[] | undefined;
  readonly limit?: ReachedLimit | undefined;
}

/**
 * Decides what becomes of an input that could not be repaired (langchainjs issue #2711).
 *
 * @param error What is wrong; an `OutputParserException` where no tool call could be read at all.
 * @param causingData What the model wrote.
 * @param action The agent's action, where there is one.
 * @returns An object: the corrected input, which is repaired and validated as the model's is, and
 * run. A string: the observation that the model gets instead. `undefined` or `null`: the default of
 * the wrapper. A number, a boolean or an array is run only if the tool's schema takes it as it is;
 * otherwise the input is refused, so that `(error) => errors.push(error)` runs nothing.
 */
export type OnUnfixable<Failure = ToolInputError> = (
  error: Failure,
  causingData: JsonValue | string,
  action?: AgentAction,
) => JsonValue | undefined | Promise<JsonValue | undefined>;
