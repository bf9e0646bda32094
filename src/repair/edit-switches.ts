import type { keyEdits } from "./align/key-edits.ts";
import type { toolNameEdits } from "./align/repair-tool-name.ts";
import type { valueEdits } from "./align/value-edits.ts";
import { levelAllows } from "./level-allows.ts";
import type { RepairLevel } from "./types.ts";

/** The name of an edit, as in `repairs`: those of reading, and every row of the tables in align/. */
export type SwitchableEdit =
  | "parse-json"
  | "json-syntax"
  | "close-brackets"
  | (typeof valueEdits)[number]["name"]
  | (typeof keyEdits)[number]["name"]
  | (typeof toolNameEdits)[number]["name"];

/** Checks options without loading the edits; the compiler matches it with the tables. */
const IS_EDIT: { readonly [Edit in SwitchableEdit]: true } = {
  "parse-json": true,
  "json-syntax": true,
  "close-brackets": true,
  "no-arguments": true,
  "read-number": true,
  "read-boolean": true,
  "read-null": true,
  "write-scalar": true,
  "write-json": true,
  "respell-choice": true,
  "clean-text": true,
  "parse-text": true,
  "read-yes-no": true,
  "wrap-in-array": true,
  "wrap-bare-value": true,
  "unwrap-array": true,
  "unwrap-envelope": true,
  "list-from-numbered-keys": true,
  "split-choices": true,
  "split-text": true,
  "correct-choice": true,
  "unwrap-text": true,
  "drop-null": true,
  "drop-empty-text": true,
  "respell-key": true,
  "nest-keys": true,
  "correct-key": true,
  "rename-only-key": true,
  "fill-default": true,
  "drop-key": true,
  "respell-tool-name": true,
  "unprefix-tool-name": true,
  "cut-tool-name": true,
  "drop-name-words": true,
  "take-only-tool": true,
};

/** Every edit that can be switched; docs/edits.md describes each. */
export const SWITCHABLE_EDITS: readonly SwitchableEdit[] = Object.keys(IS_EDIT) as SwitchableEdit[];

/**
 * Single edits that are allowed (`true`) or forbidden (`false`), regardless of the level. If the
 * cheapest repair of an input needs a forbidden edit, the input is refused; a dearer repair is not
 * tried.
 */
export type EditSwitches = { readonly [Edit in SwitchableEdit]?: boolean | undefined };

/** The settings that decide whether an edit is allowed. */
export interface EditPolicy {
  readonly level: RepairLevel;
  readonly edits: EditSwitches;
}

/** Checks whether an edit is allowed: its own switch takes precedence over its level. */
export function allowsEdit(
  { level, edits }: EditPolicy,
  edit: { readonly fixer: string; readonly level: RepairLevel },
): boolean {
  const isSwitched = Object.hasOwn(edits, edit.fixer);
  return (
    (isSwitched ? edits[edit.fixer as SwitchableEdit] : undefined) ?? levelAllows(level, edit.level)
  );
}

/** Checks whether any edit beyond those of the level is allowed. */
export function allowsMore({ edits }: EditPolicy): boolean {
  return Object.values(edits).includes(true);
}
