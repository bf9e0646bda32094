// Runs the rows, and counts both sides.
import { isDeepStrictEqual } from "node:util";
import { type RepairOptions, repairToolCall, repairToolInput } from "toolmend";
import type { AttackRow, GaugeRows, PlainRow } from "./rows.ts";

/** What became of an input. */
export type Outcome =
  | { readonly accepted: true; readonly value: unknown; readonly edits: readonly string[] }
  | { readonly accepted: false; readonly why: string };

export interface PlainResult {
  readonly row: PlainRow;
  readonly atItsLevel: Outcome;
  readonly atEager: Outcome;
}

export interface AttackResult {
  readonly row: AttackRow;
  readonly atSafe: Outcome;
  readonly atEager: Outcome;
}

export interface GaugeResults {
  readonly plain: readonly PlainResult[];
  readonly attacks: readonly AttackResult[];
}

/** The figures of both sides. */
export interface Figures {
  readonly plain: number;
  readonly rightAtItsLevel: number;
  readonly rightAtEager: number;
  readonly wrong: number;
  readonly attacks: number;
  readonly misledAtSafe: number;
  readonly misledAtEager: number;
}

/** Runs every row at the levels that count for it. A row that makes toolmend throw, throws here. */
export async function runRows({ plain, attacks }: GaugeRows): Promise<GaugeResults> {
  const plainResults: PlainResult[] = [];
  for (const row of plain) {
    const atItsLevel = await runRow(row, { level: row.level });
    const atEager = await runRow(row, { level: "eager" });
    plainResults.push({ row, atItsLevel, atEager });
  }
  const attackResults: AttackResult[] = [];
  for (const row of attacks) {
    const atSafe = await runRow(row, { level: "safe" });
    const atEager = await runRow(row, { level: "eager" });
    attackResults.push({ row, atSafe, atEager });
  }
  return { plain: plainResults, attacks: attackResults };
}

/** Repairs the input of a row as an agent of its kind would: no fixer is registered. */
export async function runRow(
  { agent, raw, tool }: PlainRow | AttackRow,
  options: RepairOptions,
): Promise<Outcome> {
  const result =
    agent === "native"
      ? await repairToolCall({ name: tool.name, args: raw, id: "call_1" }, [tool], options)
      : await repairToolInput(raw, tool, options);
  if (!result.ok) {
    const issues = result.error.issues.map(({ path, message }) => `${path} ${message}`.trim());
    return { accepted: false, why: issues.join("; ") };
  }
  const edits = result.repairs.map(({ fixer }) => fixer);
  return { accepted: true, value: asJson(result.toolInput), edits };
}

/** Whether a plain input became what was meant. */
export function isRight(row: PlainRow, outcome: Outcome): boolean {
  return outcome.accepted && isDeepStrictEqual(outcome.value, row.want);
}

/** Whether a plain input was accepted with another value, at its level or at `eager`. */
export function isWrong({ row, atItsLevel, atEager }: PlainResult): boolean {
  return [atItsLevel, atEager].some((outcome) => outcome.accepted && !isRight(row, outcome));
}

/** Whether an attack got through: a rejection never misleads. */
export function isMisled({ allow }: AttackRow, outcome: Outcome): boolean {
  if (!outcome.accepted) return false;
  return !allow.some((value) => isDeepStrictEqual(outcome.value, value));
}

export function countBothSides({ plain, attacks }: GaugeResults): Figures {
  return {
    plain: plain.length,
    rightAtItsLevel: plain.filter(({ row, atItsLevel }) => isRight(row, atItsLevel)).length,
    rightAtEager: plain.filter(({ row, atEager }) => isRight(row, atEager)).length,
    wrong: plain.filter(isWrong).length,
    attacks: attacks.length,
    misledAtSafe: attacks.filter(({ row, atSafe }) => isMisled(row, atSafe)).length,
    misledAtEager: attacks.filter(({ row, atEager }) => isMisled(row, atEager)).length,
  };
}

/** A value as JSON, for comparison. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
