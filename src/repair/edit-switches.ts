import { levelAllows } from "./level-allows.ts";
import type { RepairLevel } from "./types.ts";

/** Every edit that can be switched. docs/edits.md says what each does. */
export const SWITCHABLE_EDITS = [
  "parse-json",
  "json-syntax",
  "no-arguments",
  "close-brackets",
  "read-number",
  "read-boolean",
  "read-null",
  "write-scalar",
  "write-json",
  "respell-choice",
  "clean-text",
  "parse-text",
  "read-figure",
  "read-yes-no",
  "wrap-in-array",
  "wrap-row",
  "wrap-bare-value",
  "unwrap-array",
  "unwrap-envelope",
  "list-from-numbered-keys",
  "split-choices",
  "split-text",
  "correct-choice",
  "unwrap-text",
  "unwrap-any-key",
  "wrap-nested-value",
  "rows-from-columns",
  "pair-from-parts",
  "respell-key",
  "nest-keys",
  "correct-key",
  "name-positions",
  "lift-keys",
  "gather-keys",
  "rename-only-key",
  "fill-constant",
  "fill-default",
  "drop-key",
  "drop-remark",
  "drop-null",
  "drop-empty-text",
  "drop-empty-container",
  "respell-tool-name",
  "unprefix-tool-name",
  "unprefix-any-tool-name",
  "cut-tool-name",
  "correct-tool-name",
  "drop-name-words",
  "take-only-tool",
] as const;

/** The name of an edit, as it is in `repairs`. */
export type SwitchableEdit = (typeof SWITCHABLE_EDITS)[number];

/**
 * Single edits that are allowed (`true`) or forbidden (`false`), whatever the level. An input whose
 * cheapest repair takes one that is not allowed is refused; no dearer repair is looked for.
 */
export type EditSwitches = { readonly [Edit in SwitchableEdit]?: boolean | undefined };

/** What decides whether an edit may be made. */
export interface EditPolicy {
  readonly level: RepairLevel;
  readonly edits: EditSwitches;
}

/**
 * Checks whether an edit may be made: its own switch counts before the level.
 *
 * @param policy The level and the switches.
 * @param edit The edit, and the level that it needs.
 */
export function allowsEdit(
  { level, edits }: EditPolicy,
  edit: { readonly fixer: string; readonly level: RepairLevel },
): boolean {
  const isSwitched = Object.hasOwn(edits, edit.fixer);
  return (
    (isSwitched ? edits[edit.fixer as SwitchableEdit] : undefined) ?? levelAllows(level, edit.level)
  );
}

/** Checks whether any edit is allowed besides those of the level. */
export function allowsMore({ edits }: EditPolicy): boolean {
  return Object.values(edits).includes(true);
}
