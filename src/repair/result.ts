import type { ToolInputError } from "./errors.ts";
import type { AgentAction, InputIssue, JsonValue, Repair } from "./types.ts";

/**
 * The input as the tool's schema takes it, the parsed output, and every change
 * that was made.
 */
export interface RepairSuccess<Input = JsonValue, Output = unknown> {
  readonly ok: true;
  /**
   * The input that runs and is recorded. A valid input is returned by
   * reference.
   */
  readonly toolInput: Input;
  /** The schema's output for it: defaults, coercions and transforms applied. */
  readonly parsed: Output;
  readonly repairs: readonly Repair[];
  /**
   * The keys of `toolInput` that the schema accepts without declaring them, as
   * JSON Pointers: it strips them, or lets them through. Empty if the schema is
   * unknown.
   */
  readonly undeclared: readonly string[];
  /**
   * Whether the input, or the tool's name in a call, was changed: as `repairs`
   * and `nameRepair` say. Text that is JSON as it stands is only parsed.
   */
  readonly changed: boolean;
  /** How it came about, if `explain` asked for it. */
  readonly steps?: readonly ExplainedStep[];
}

/** An input that the schema accepts. */
export type AcceptedInput = Omit<RepairSuccess, "changed" | "steps">;

/** The input is rejected, and why. */
export interface RepairFailure {
  readonly ok: false;
  readonly error: ToolInputError;
  readonly repairs: readonly [];
  /** How it came about, if `explain` asked for it. */
  readonly steps?: readonly ExplainedStep[];
}

/**
 * The outcome of an input: what to run, or why it is rejected; discriminated by
 * `ok`.
 */
export type RepairResult<Input = JsonValue, Output = unknown> =
  | RepairSuccess<Input, Output>
  | RepairFailure;

/** One step of an explanation. */
export interface ExplainedStep {
  /**
   * `edit` is a change that was made, `objection` one that was not, and why.
   */
  readonly step:
    | "read"
    | "schema"
    | "fixer"
    | "edit"
    | "objection"
    | "level"
    | "result";
  /** Its result, in a line. */
  readonly says: string;
}

/**
 * Decides about an input that could not be repaired (langchainjs issue #2711).
 *
 * @param error What is wrong; an `OutputParserException` if no tool call could
 *   be read at all.
 * @param causingData What the model wrote.
 * @param action The agent's action, if any.
 * @returns An object: the corrected input, which is repaired and validated like
 *   the model's, and run. A string: the observation that the model gets
 *   instead. `undefined` or `null`: the default of the wrapper. A number, a
 *   boolean or an array runs only if the tool's schema accepts it unchanged;
 *   otherwise the input is rejected, so that `(error) => errors.push(error)`
 *   runs nothing.
 */
export type OnUnfixable<Failure = ToolInputError> = (
  error: Failure,
  causingData: JsonValue | string,
  action?: AgentAction,
) => JsonValue | undefined | Promise<JsonValue | undefined>;

/**
 * Decides about an input that could not be repaired: a handler, or
 * `"tellModel"`, the common case: the model gets the error, and may call again.
 */
export type Unfixable<Failure = ToolInputError> =
  | OnUnfixable<Failure>
  | "tellModel";

/** What events report of an input that was faulty. */
interface Faults {
  /** The schema's issues with it as it was written. */
  readonly faults?: readonly InputIssue[];
  /** How long the repair took, in microseconds. */
  readonly microseconds?: number;
}

/** The outcome of an input, with what events report of it. */
export type RepairOutcome = (AcceptedInput | RepairFailure) & Faults;

/** The outcome of an input that runs unchanged. */
export function runUnchanged(
  input: unknown,
): Extract<Resolution, { kind: "run" }> {
  const toolInput = input as JsonValue;
  return { kind: "run", toolInput, parsed: input, repairs: [], undeclared: [] };
}

/**
 * The outcome of a tool input: it runs, is answered in place of the tool, or is
 * rejected.
 */
export type Resolution = Faults &
  (
    | (Omit<AcceptedInput, "ok"> & {
        readonly kind: "run";
        /**
         * The rejection of the input that `onUnfixable` replaced by this one.
         */
        readonly corrects?: ToolInputError;
      })
    | {
        readonly kind: "observation";
        readonly text: string;
        readonly error: ToolInputError;
      }
    | { readonly kind: "refused"; readonly error: ToolInputError }
  );
