import type { InputIssue, RepairLimits } from "../types.ts";

/** The codes of toolmend's own issues with an input. */
export const ISSUE = {
  cutOff: "truncated",
  several: "several_values",
  notJson: "not_json",
  tooLong: "too_long",
  nothing: "nothing",
  overLimit: "over_limit",
  ambiguous: "ambiguous",
  unknownTool: "unknown_tool",
  schemaThrew: "schema_threw",
  badCorrection: "bad_correction",
  notLoaded: "not_loaded",
} as const;

/**
 * Why an input was refused.
 *
 * - `invalid`: the schema rejects it, and no repair is sure.
 * - `ambiguous`: it can be repaired in more than one way; `candidates` shows some.
 * - `limit`: it exceeds one of the limits, or its repair would; `limit` names it.
 * - `cut_off`: the model's output ended too early.
 * - `several`: it holds several values instead of one.
 * - `not_json`: it holds something that is not JSON, or a forbidden key.
 * - `nothing`: there are no arguments.
 * - `unknown_tool`: no tool has the name.
 * - `schema_threw`: the tool's own schema threw.
 * - `bad_correction`: `onUnfixable` returned an input that no tool runs with.
 * - `handler_timeout`: `onUnfixable` gave no answer in time; `issues` lists the schema's issues.
 * - `not_loaded`: the code that repairs could not be imported; `cause` says why.
 */
export type RefusalReason =
  | "invalid"
  | "ambiguous"
  | "limit"
  | "cut_off"
  | "several"
  | "not_json"
  | "nothing"
  | "unknown_tool"
  | "schema_threw"
  | "bad_correction"
  | "handler_timeout"
  | "not_loaded";

const REASONS: ReadonlyMap<string, RefusalReason> = new Map<string, RefusalReason>([
  [ISSUE.cutOff, "cut_off"],
  [ISSUE.several, "several"],
  [ISSUE.notJson, "not_json"],
  [ISSUE.tooLong, "limit"],
  [ISSUE.nothing, "nothing"],
  [ISSUE.overLimit, "limit"],
  [ISSUE.ambiguous, "ambiguous"],
  [ISSUE.unknownTool, "unknown_tool"],
  [ISSUE.schemaThrew, "schema_threw"],
  [ISSUE.badCorrection, "bad_correction"],
  [ISSUE.notLoaded, "not_loaded"],
]);

/** A limit that was reached. */
export interface ReachedLimit {
  readonly name: keyof RepairLimits;
  readonly value: number;
}

/** Returns the reason that issues amount to: the last one more specific than `invalid`. */
export function reasonOf(issues: readonly InputIssue[]): RefusalReason {
  return REASONS.get(issues.findLast(({ code }) => REASONS.has(code))?.code ?? "") ?? "invalid";
}
