import type { Row } from "./table.ts";

/** The ceilings, by the names of their rows. */
export type Ceilings = Readonly<Record<string, number>>;

/** One figure beside its budget and its ceiling. */
export interface Verdict {
  readonly row: Row;
  readonly figure: number;
  /** What the figure must not exceed; `undefined` for a row that is new. */
  readonly ceiling: number | undefined;
  /** What is wrong; `undefined` where nothing is. */
  readonly fault: "grew" | "lower" | "new" | undefined;
  /** The ceiling from here on. It is never higher than it was. */
  readonly next: number;
}

/** Judges one figure. */
export function judge(row: Row, figure: number, ceiling: number | undefined): Verdict {
  const reached = Math.max(figure, row.budget ?? 0);
  if (ceiling === undefined) return { row, figure, ceiling, fault: "new", next: reached };
  const fault = figure > ceiling ? "grew" : reached < ceiling ? "lower" : undefined;
  return { row, figure, ceiling, fault, next: Math.min(ceiling, reached) };
}

/** Says a verdict in a line. */
export function describe({ row, figure, ceiling, fault, next }: Verdict): string {
  const { name, unit, budget } = row;
  const columns = [
    name.padEnd(28),
    String(figure).padStart(7),
    String(budget ?? "").padStart(8),
    ` ${unit.padEnd(6)}`,
  ].join("");
  const said = {
    grew: `grew: its ceiling is ${ceiling}`,
    lower: `is smaller: lower its ceiling from ${ceiling} to ${next}`,
    new: "has no ceiling yet",
  };
  const note = fault === undefined ? "" : said[fault];
  return `${columns}${note}`.trimEnd();
}
