/** Whether every row of every table runs (`npm run test:all`), or a few of each (`npm test`). */
export const runsAll: boolean = process.env.TOOLMEND_TESTS === "all";

/**
 * The rows of a table that this run tests: all of them in `npm run test:all`; in `npm test` one of
 * `every`, the first among them, spread evenly.
 */
export function sampled<Row>(rows: readonly Row[], every: number): Row[] {
  return rows.filter((_, index) => runsAll || index % every === 0);
}
