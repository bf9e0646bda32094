export const HOUR: number = 60 * 60 * 1000;
export const DAY: number = 24 * HOUR;

const YEAR = 364 * DAY;

/** The lengths of a step that people know by name, in milliseconds. */
const LENGTHS = [HOUR, DAY, 7 * DAY, 28 * DAY, YEAR] as const;

/** The most steps that a chart has. */
const MOST = 62;

/** 1970 began on a Thursday: weeks begin four days later. */
const MONDAY = 4 * DAY;

/** Steps of time, all of one length. */
export interface TimeSteps {
  readonly length: number;
  readonly starts: readonly number[];
  /** The number of the step that a time is in. */
  indexOf(time: number): number;
}

/**
 * Divides a span of time into hours, days, weeks or more, so that there are at most 62. Days are
 * those of UTC, and weeks begin on Monday.
 *
 * @param from The first moment, in milliseconds since 1970.
 * @param to The last moment.
 * @param least The shortest length of a step, in milliseconds.
 */
export function timeSteps(from: number, to: number, least: number): TimeSteps {
  const fits = (one: number) => one >= least && stepCount(one, from, to) <= MOST;
  const length = LENGTHS.find(fits) ?? Math.ceil((to - from) / YEAR / (MOST - 1)) * YEAR;
  const first = stepStart(from, length);
  const starts = Array.from({ length: stepCount(length, from, to) }, (_, i) => first + i * length);
  return {
    length,
    starts,
    indexOf: (time) =>
      Math.min(starts.length - 1, Math.max(0, Math.floor((time - first) / length))),
  };
}

function stepStart(time: number, length: number): number {
  const offset = length > DAY ? MONDAY : 0;
  return Math.floor((time - offset) / length) * length + offset;
}

function stepCount(length: number, from: number, to: number): number {
  return (stepStart(to, length) - stepStart(from, length)) / length + 1;
}
