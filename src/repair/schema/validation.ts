import { ISSUE } from "../errors/refusal-reason.ts";
import type { InputIssue } from "../types.ts";

/** What a schema says of a value. */
export type Validation =
  | { readonly ok: true; readonly parsed: unknown }
  | { readonly ok: false; readonly issues: readonly InputIssue[]; readonly cause?: unknown };

/** The verdict where the schema itself threw: the value is refused, and the throw is kept. */
export function refusedByThrow(error: unknown): Validation {
  const message = "could not be checked: the tool's schema threw";
  return { ok: false, issues: [{ path: "", message, code: ISSUE.schemaThrew }], cause: error };
}
