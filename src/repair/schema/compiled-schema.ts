import { ISSUE } from "../errors/refusal-reason.ts";
import type { InputIssue, JsonSchema } from "../types.ts";

/** A schema of any kind, ready for use: the one view that the rest of toolmend has of it. */
export interface CompiledSchema {
  /** The schema as JSON Schema, for what a tool takes (before defaults and transforms). Nobody else changes it. */
  readonly jsonSchema: JsonSchema;
  /** Whether the schema still says what was compiled: of keywords in an object, somebody may change one. */
  readonly isCurrent: () => boolean;
  /** Whether the whole input may be a plain string, so that text must not be parsed. */
  readonly takesString: boolean;
  /** Whether nothing is known of what the whole input is: then only the schema itself can tell. */
  readonly isOpen: boolean;
  /** Asks the schema itself, refinements and transforms included. Asynchronous only if those are, or code must be loaded first. */
  readonly validate: (value: unknown) => Validation | Promise<Validation>;
}

/** What a schema says of a value. */
export type Validation =
  | { readonly ok: true; readonly parsed: unknown }
  | { readonly ok: false; readonly issues: readonly InputIssue[]; readonly cause?: unknown };

/** The verdict where the schema itself threw: the value is refused, and the throw is kept. */
export function refusedByThrow(error: unknown): Validation {
  const message = "could not be checked: the tool's schema threw";
  return { ok: false, issues: [{ path: "", message, code: ISSUE.schemaThrew }], cause: error };
}
