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

/** What is known of an input that was not right as it stood. */
export interface Faults {
  /** What the schema has against it as it was written. Absent for an input that was right. */
  readonly faults?: readonly InputIssue[];
  /** How long the repair took, in microseconds. */
  readonly microseconds?: number;
}

/** What becomes of a tool input: it is run, answered in the tool's stead, or refused. */
export type Resolution = Faults &
  (
    | ({ readonly kind: "run" } & Pick<
        RepairSuccess,
        "toolInput" | "parsed" | "repairs" | "undeclared"
      > & {
          /** Why the input was refused that `onUnfixable` replaced by this one. */
          readonly corrects?: ToolInputError;
        })
    | { readonly kind: "observation"; readonly text: string; readonly error: ToolInputError }
    | { readonly kind: "refused"; readonly error: ToolInputError }
  );

/** Returns what becomes of an input of which nobody else decides. */
export function toResolution(result: RepairResult & Faults): Resolution {
  return result.ok ? { kind: "run", ...result } : { kind: "refused", ...result };
}

/** Returns what repair made of an input, as whoever asked for it gets it. */
export function withoutFaults(result: RepairResult & Faults): RepairResult {
  if (result.microseconds === undefined) return result;
  const { faults: _, microseconds: __, ...rest } = result;
  return rest;
}

/**
 * Who decides about an input that could not be repaired: a handler, or `"tellModel"`, its common case
 * in one word: the model is told what is wrong with its call, and may call again.
 */
export type Unfixable<Failure = ToolInputError> = OnUnfixable<Failure> | "tellModel";

/** Returns the handler that a choice stands for. */
export function unfixableHandler(onUnfixable: Unfixable | undefined): OnUnfixable | undefined {
  return onUnfixable === "tellModel" ? (error) => error.toModelMessage() : onUnfixable;
}
