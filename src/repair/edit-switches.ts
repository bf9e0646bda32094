import type { RepairLevel } from "./types.ts";

/** The levels, the narrowest first. */
export const LEVELS: readonly RepairLevel[] = ["strict", "safe", "eager"];

/** Checks whether a change that needs one level is allowed at another. */
export function levelAllows(level: RepairLevel, needed: RepairLevel): boolean {
  return LEVELS.indexOf(needed) <= LEVELS.indexOf(level);
}

// The names stand here so that options are checked without loading the edits;
// the compiler holds the tables in align/ to them.
const NAMES = [
  "parse-json json-syntax close-brackets",
  "read-number read-boolean read-null write-scalar write-json respell-choice correct-choice",
  "clean-text parse-text wrap-in-array wrap-bare-value wrap-bare-phrase unwrap-array unwrap-text unwrap-envelope",
  "list-from-numbered-keys read-yes-no read-unit split-choices split-text drop-null drop-empty-text",
  "no-arguments respell-key nest-keys correct-key rename-only-key gather-keys fill-default drop-key",
  "respell-tool-name unprefix-tool-name cut-tool-name drop-name-words take-only-tool",
] as const;

type WordsOf<Text extends string> = Text extends `${infer Word} ${infer Rest}`
  ? Word | WordsOf<Rest>
  : Text;

/**
 * The name of an edit, as in `repairs`: those of reading, and every row of the
 * tables in align/.
 */
export type SwitchableEdit = WordsOf<(typeof NAMES)[number]>;

/**
 * Called with why an edit was not made: the edit, the place as a JSON Pointer,
 * and the reason.
 */
export type OnObjection = (
  edit: SwitchableEdit,
  path: string,
  reason: string,
) => void;

/** Every edit that can be switched; docs/edits.md describes each. */
export const SWITCHABLE_EDITS = NAMES.join(" ").split(
  " ",
) as readonly SwitchableEdit[];

/**
 * Single edits, allowed (`true`) or forbidden (`false`) at any level. If the
 * cheapest repair of an input needs a forbidden one, the input is rejected; a
 * dearer repair is not tried.
 */
export type EditSwitches = {
  readonly [Edit in SwitchableEdit]?: boolean | undefined;
};

/**
 * Checks whether an edit is allowed: its own switch takes precedence over its
 * level.
 */
export function allowsEdit(
  {
    level,
    edits,
  }: { readonly level: RepairLevel; readonly edits: EditSwitches },
  {
    fixer,
    level: needed,
  }: { readonly fixer: string; readonly level: RepairLevel },
): boolean {
  const isOn = Object.hasOwn(edits, fixer)
    ? edits[fixer as SwitchableEdit]
    : undefined;
  return isOn ?? levelAllows(level, needed);
}

/** Checks whether any edit beyond those of the level is allowed. */
export function allowsMore({
  edits,
}: {
  readonly edits: EditSwitches;
}): boolean {
  return Object.values(edits).includes(true);
}
