// What each edit wins and lets through: the rows that change when it alone is switched off.
import { SWITCHABLE_EDITS, type SwitchableEdit } from "../../src/repair/edit-switches.ts";
import type { AttackRow, PlainRow } from "./rows.ts";
import { type GaugeResults, isMisled, isRight, type Outcome, runRow } from "./score.ts";

export interface Ablation {
  readonly edit: SwitchableEdit;
  /** The plain rows that are right at `eager`, and no longer without the edit. */
  readonly wins: readonly PlainRow[];
  /** The attacks that mislead at `eager`, and no longer without the edit. */
  readonly letsThrough: readonly AttackRow[];
}

/**
 * Switches off every edit in turn, at `eager`.
 *
 * @param results What the rows became with all edits. Only those that were repaired with the edit run
 *   again: a switch never makes toolmend try another repair.
 */
export async function ablateEdits(results: GaugeResults): Promise<readonly Ablation[]> {
  const ablations: Ablation[] = [];
  for (const edit of SWITCHABLE_EDITS) ablations.push(await ablate(edit, results));
  return ablations;
}

async function ablate(edit: SwitchableEdit, results: GaugeResults): Promise<Ablation> {
  const options = { level: "eager", edits: { [edit]: false } } as const;
  const usesEdit = (outcome: Outcome) => outcome.accepted && outcome.edits.includes(edit);

  const wins: PlainRow[] = [];
  for (const { row, atEager } of results.plain) {
    if (!usesEdit(atEager) || !isRight(row, atEager)) continue;
    const without = await runRow(row, options);
    if (!isRight(row, without)) wins.push(row);
  }

  const letsThrough: AttackRow[] = [];
  for (const { row, atEager } of results.attacks) {
    if (!usesEdit(atEager) || !isMisled(row, atEager)) continue;
    const without = await runRow(row, options);
    if (!isMisled(row, without)) letsThrough.push(row);
  }
  return { edit, wins, letsThrough };
}
