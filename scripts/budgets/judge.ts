import type { Row } from "./table.ts";

/** The ceilings, by the names of their rows. */
export type Ceilings = Readonly<Record<string, number>>;

/** One figure beside its budget and its ceiling. */
export interface Verdict {
  readonly row: Row;
  readonly figure: number;
  /** The limit of the figure; `undefined` for a new row. */
  readonly ceiling: number | undefined;
  /** The fault; `undefined` if the figure passes. */
  readonly fault: "grew" | "lower" | "new" | undefined;
  /** The new ceiling. It is never higher than the old one. */
  readonly next: number;
}

/** Judges one figure. */
export function judge(row: Row, figure: number, ceiling: number | undefined): Verdict {
  const reached = Math.max(figure, row.budget ?? 0);
  if (ceiling === undefined) return { row, figure, ceiling, fault: "new", next: reached };
  const fault = figure > ceiling ? "grew" : reached < ceiling ? "lower" : undefined;
  return { row, figure, ceiling, fault, next: Math.min(ceiling, reached) };
}

/** Describes a verdict in a line. */
export function describe({ row, figure, ceiling, fault, next }: Verdict): string {
  const { name, unit, budget } = row;
  const columns = [
    name.padEnd(28),
    String(figure).padStart(7),
    String(budget ?? "").padStart(8),
    ` ${unit.padEnd(7)}`,
  ].join("");
  const said = {
    grew: `grew: its ceiling is ${ceiling}`,
    lower: `is smaller: lower its ceiling from ${ceiling} to ${next}`,
    new: "has no ceiling yet",
  };
  const note = fault === undefined ? "" : said[fault];
  return `${columns}${note}`.trimEnd();
}
