import type { InputIssue, RepairLimits } from "../types.ts";

/** The codes of the issues that toolmend itself has with an input, and no schema. */
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
 * - `invalid`: the schema has something against it, and no repair of it is sure.
 * - `ambiguous`: it can be repaired in more than one way; `candidates` shows some.
 * - `limit`: it is over one of the limits, or its repair would be; `limit` names it.
 * - `cut_off`: the model's output ended too early.
 * - `several`: it holds several values where one is wanted.
 * - `not_json`: it holds something that is not JSON, or a forbidden key.
 * - `nothing`: there are no arguments.
 * - `unknown_tool`: there is no tool of the name.
 * - `schema_threw`: the tool's own schema threw.
 * - `bad_correction`: `onUnfixable` returned what no tool is run with.
 * - `handler_timeout`: `onUnfixable` gave no answer in time; `issues` says what the schema has against it.
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

/** Returns the reason that issues come to: the last that says more than that the schema minds. */
export function reasonOf(issues: readonly InputIssue[]): RefusalReason {
  return REASONS.get(issues.findLast(({ code }) => REASONS.has(code))?.code ?? "") ?? "invalid";
}
