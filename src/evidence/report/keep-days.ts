import { addTally } from "./create-tally.ts";
import type { Sums } from "./open-report.ts";
import { DAY, HOUR } from "./time-steps.ts";

/**
 * Makes days of hours, where there are too many.
 *
 * @param sums What is counted by the hour.
 * @returns How many cells are left.
 */
export function keepDays(sums: Sums): number {
  const hours = DAY / HOUR;
  const toDays = <Value extends object>(
    times: Map<number, Value>,
    add: (sum: Value, value: Value) => void,
  ) => {
    const days = new Map<number, Value>();
    for (const [at, value] of times) {
      const day = Math.floor(at / hours);
      const sum = days.get(day);
      if (sum === undefined) days.set(day, value);
      else add(sum, value);
    }
    times.clear();
    for (const [day, value] of days) times.set(day, value);
  };
  let cells = 0;
  toDays(sums.times, addTally);
  for (const tool of sums.tools.values()) {
    for (const { times } of tool.cells.filter((cell) => cell !== undefined)) {
      toDays(times, (sum, { calls, faulty }) => {
        sum.calls += calls;
        sum.faulty += faulty;
      });
      cells += times.size;
    }
  }
  sums.unit = DAY;
  return cells;
}
