/** What was measured, and what it may be. */
export interface Result {
  readonly what: string;
  readonly figure: number;
  readonly spread: number;
  readonly goal: number;
  /** The most that it may be where the goal is not reached. */
  readonly ceiling?: number | undefined;
}

/** What a figure may be over its goal, where that is reached: what varies from run to run. */
const TOLERANCE = 4 / 3;

/** The most that a figure may be. */
export function mostOf({ goal, ceiling = goal * TOLERANCE }: Result): number {
  return ceiling;
}

/** Whether a figure is over the most that it may be. */
export function isOver(result: Result): boolean {
  return result.figure > mostOf(result);
}

/** How often what is over its ceiling is measured again before that counts. */
export const MAX_TRIES = 3;

/**
 * Measures once more what is over its ceiling, until it is not: on a machine that others use, one
 * measurement in some is twice what it should be, and what really costs more does so each time.
 *
 * @param first What was measured.
 * @param measure Measures it afresh.
 * @returns The lowest that was measured.
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

/** A line that says what was measured, and what it may be. */
export function lineOf(result: Result): string {
  const { what, figure, spread, goal } = result;
  const mark = isOver(result) ? "  OVER" : "";
  return `${what}: ${show(figure)} (spread ${spread.toFixed(2)}); goal ${goal}, at most ${show(mostOf(result))}${mark}`;
}

/** The table of COST.md. */
export function tableOf(results: readonly Result[]): string {
  const rows = results.map((result) => {
    const { what, figure, spread, goal } = result;
    return `| ${what} | ${show(figure)} | ${spread.toFixed(2)} | ${goal} | ${show(mostOf(result))} |`;
  });
  return ["| what | now | spread | goal | at most |\n|---|--:|--:|--:|--:|", ...rows].join("\n");
}

function show(figure: number): string {
  return Math.abs(figure) < 10 ? figure.toFixed(2) : figure.toFixed(1);
}
