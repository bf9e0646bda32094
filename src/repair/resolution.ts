import type { ToolInputError } from "./errors/tool-input-error.ts";
import type { RepairResult, RepairSuccess } from "./repair-result.ts";
import type { InputIssue } from "./types.ts";

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

/**
 * Returns what becomes of an input of which nobody else decides.
 *
 * @param result What repair made of it.
 */
export function toResolution(result: RepairResult & Faults): Resolution {
  return result.ok ? { kind: "run", ...result } : { kind: "refused", ...result };
}

/**
 * Returns what repair made of an input, as whoever asked for it gets it.
 *
 * @param result What repair made of it, with what is only told.
 */
export function withoutFaults(result: RepairResult & Faults): RepairResult {
  if (result.microseconds === undefined) return result;
  const { faults: _, microseconds: __, ...rest } = result;
  return rest;
}
