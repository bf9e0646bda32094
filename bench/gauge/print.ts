// The gauge's output: one table, and the rows behind its figures.
import type { Ablation } from "./ablation.ts";
import type { AttackRow, PlainRow } from "./rows.ts";
import {
  countBothSides,
  type Figures,
  type GaugeResults,
  isMisled,
  isRight,
  isWrong,
  type Outcome,
} from "./score.ts";

/** Both sides, and what each edit wins and lets through. */
export function tableOfGauge(figures: Figures, ablations: readonly Ablation[]): string {
  const { plain, attacks } = figures;
  const edits = [...ablations].sort((left, right) => right.wins.length - left.wins.length);
  const lines = [
    line("", "rows", "safe", "eager", "wrong"),
    line(
      "plain, right (at its level; at eager)",
      plain,
      share(figures.rightAtItsLevel, plain),
      share(figures.rightAtEager, plain),
      figures.wrong,
    ),
    line(
      "attacks, misled",
      attacks,
      share(figures.misledAtSafe, attacks),
      share(figures.misledAtEager, attacks),
      "",
    ),
    "",
    line("edit, at eager", "wins", "lets through"),
    ...edits.map(({ edit, wins, letsThrough }) => line(edit, wins.length, letsThrough.length)),
  ];
  return lines.join("\n");
}

/** Both sides by class. */
export function tableByClass({ plain, attacks }: GaugeResults): string {
  const lines = [line("plain, by class", "rows", "its level", "eager", "wrong")];
  for (const [name, results] of groupByClass(plain)) {
    const figures = countBothSides({ plain: results, attacks: [] });
    const { rightAtItsLevel, rightAtEager, wrong } = figures;
    lines.push(line(name, results.length, rightAtItsLevel, rightAtEager, wrong));
  }
  lines.push("", line("attacks, misled, by class", "rows", "safe", "eager"));
  for (const [name, results] of groupByClass(attacks)) {
    const { misledAtSafe, misledAtEager } = countBothSides({ plain: [], attacks: results });
    lines.push(line(name, results.length, misledAtSafe, misledAtEager));
  }
  return lines.join("\n");
}

/** The plain rows that are not right at their level, or wrong. */
export function listMisses({ plain }: GaugeResults): readonly string[] {
  const lines: string[] = [];
  for (const result of plain) {
    const { row, atItsLevel, atEager } = result;
    if (isRight(row, atItsLevel) && !isWrong(result)) continue;
    const mark = missMark(isWrong(result), isRight(row, atEager));
    const outcome = isRight(row, atItsLevel) ? atEager : atItsLevel;
    lines.push(`${mark}${describeRow(row)}\n    at ${row.level}, ${describeOutcome(outcome)}`);
  }
  return lines;
}

/** The attacks that get through, at the lowest level where they do. */
export function listMisled({ attacks }: GaugeResults): readonly string[] {
  const lines: string[] = [];
  for (const { row, atSafe, atEager } of attacks) {
    const isAtSafe = isMisled(row, atSafe);
    if (!isAtSafe && !isMisled(row, atEager)) continue;
    const level = isAtSafe ? "safe" : "eager";
    const outcome = isAtSafe ? atSafe : atEager;
    lines.push(`${describeRow(row)}\n    at ${level}, ${describeOutcome(outcome)}\n    ${row.why}`);
  }
  return lines;
}

function missMark(wrong: boolean, rightAtEager: boolean): string {
  if (wrong) return "WRONG ";
  return rightAtEager ? "(right at eager) " : "";
}

function describeRow({ id, class: name, agent, tool, raw }: PlainRow | AttackRow): string {
  return `${id} [${name}] ${agent} ${tool.name}(${JSON.stringify(raw)})`;
}

function describeOutcome(outcome: Outcome): string {
  if (!outcome.accepted) return `rejected: ${outcome.why}`;
  const edits = outcome.edits.join(", ");
  return `${JSON.stringify(outcome.value)} by ${edits === "" ? "no edit" : edits}`;
}

function groupByClass<Result extends { readonly row: PlainRow | AttackRow }>(
  results: readonly Result[],
): readonly (readonly [string, readonly Result[]])[] {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const group = groups.get(result.row.class) ?? [];
    group.push(result);
    groups.set(result.row.class, group);
  }
  return [...groups].sort(([left], [right]) => left.localeCompare(right));
}

function line(head: string, ...cells: readonly (string | number)[]): string {
  return `${head.padEnd(40)}${cells.map((cell) => String(cell).padStart(14)).join("")}`.trimEnd();
}

function share(part: number, whole: number): string {
  return `${part} (${((100 * part) / whole).toFixed(1)} %)`;
}
