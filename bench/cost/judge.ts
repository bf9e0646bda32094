/** A measured ratio and its limits. */
export interface Result {
  readonly what: string;
  readonly figure: number;
  readonly spread: number;
  readonly goal: number;
  /** The limit while the goal is not reached. */
  readonly ceiling?: number | undefined;
}

/** The tolerance over a goal that is reached: variation between runs. */
const TOLERANCE = 4 / 3;

/** The limit of a figure. */
export function mostOf({ goal, ceiling = goal * TOLERANCE }: Result): number {
  return ceiling;
}

/** Whether a figure is over its limit. */
export function isOver(result: Result): boolean {
  return result.figure > mostOf(result);
}

/** How often a figure over its limit is measured again before it counts. */
export const MAX_TRIES = 3;

/**
 * Measures a figure over its limit again, until it is not: on a shared machine, some measurements
 * come out twice too high, and a real regression fails every time.
 *
 * @param first The first measurement.
 * @param measure Measures again.
 * @returns The lowest measurement.
 */
export async function confirm(
  first: Result,
  measure: () => Result | Promise<Result>,
): Promise<Result> {
  let lowest = first;
  for (let tried = 0; tried < MAX_TRIES && isOver(lowest); tried++) {
    const again = await measure();
    if (again.figure < lowest.figure) lowest = again;
  }
  return lowest;
}

/** A line with the measurement and its limit. */
export function lineOf(result: Result): string {
  const { what, figure, spread, goal } = result;
  const mark = isOver(result) ? "  OVER" : "";
  return `${what}: ${show(figure)} (spread ${spread.toFixed(2)}); goal ${goal}, at most ${show(mostOf(result))}${mark}`;
}

/** The table of COST.md. */
export function tableOf(results: readonly Result[]): string {
  const rows = results.map((result) => {
    const { what, figure, spread, goal } = result;
    const now = isOver(result) ? `**${show(figure)}**` : show(figure);
    return `| ${what} | ${now} | ${spread.toFixed(2)} | ${goal} | ${show(mostOf(result))} |`;
  });
  return ["| what | now | spread | goal | at most |\n|---|--:|--:|--:|--:|", ...rows].join("\n");
}

function show(figure: number): string {
  return Math.abs(figure) < 10 ? figure.toFixed(2) : figure.toFixed(1);
}
