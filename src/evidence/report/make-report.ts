import type { LogRead } from "../read-log.ts";
import { wilsonInterval } from "../wilson-interval.ts";
import { changesSince } from "./changes-since.ts";
import { addTally, createTally, faultyCount, type OpenTally } from "./create-tally.ts";
import { getOrMake, type OpenRefusal, type Sums } from "./open-report.ts";
import type { Report, ReportFault, ReportFixer, ReportRefusal, ReportRow } from "./report.ts";
import { HOUR, type TimeSteps, timeSteps } from "./time-steps.ts";

/** The longest text of an input that is kept as an example, in characters. */
const EXAMPLE = 1_000;

/**
 * Makes a report of what was counted.
 *
 * @param sums What was counted.
 * @param read What was read, and what was passed over.
 */
export function makeReport(sums: Sums, read: LogRead): Report {
  const { by, since, total, from, to } = sums;
  const isEmpty = from > to;
  const steps = timeSteps(isEmpty ? 0 : from, isEmpty ? 0 : to, sums.unit);
  const rows = rowsOf(sums, steps);
  const news = changesSince(sums);
  return {
    v: 1,
    ...(isEmpty ? {} : { from: toIso(from), to: toIso(to) }),
    ...(since === undefined ? {} : { since: toIso(since) }),
    read: { ...read, before: sums.before },
    total: { ...total },
    by,
    rows,
    overTime: overTimeOf(sums, isEmpty ? { ...steps, starts: [] } : steps),
    heat: heatOf(sums),
    faults: faultsOf(sums),
    fixers: fixersOf(sums),
    ...(news === undefined ? {} : { news }),
    refusals: refusalsOf(sums),
  };
}

function toIso(time: number): string {
  return new Date(time).toISOString();
}

function toExample(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= EXAMPLE ? text : `${text.slice(0, EXAMPLE)}…`;
}

function moreFirst(one: { readonly count: number }, other: { readonly count: number }): number {
  return other.count - one.count;
}

/** Most faulty calls first, then most calls, then by name. */
function rowsOf({ by, tools, models, unit }: Sums, steps: TimeSteps): readonly ReportRow[] {
  const names = [...models.keys()];
  const open = new Map<string, { tally: OpenTally; series: [number, number][] }>();
  for (const { name: tool, cells } of tools.values()) {
    for (const [index, cell] of cells.entries()) {
      if (cell === undefined) continue;
      const row = getOrMake(open, by === "tool" ? tool : (names[index] ?? ""), () => ({
        tally: createTally(),
        series: steps.starts.map((): [number, number] => [0, 0]),
      }));
      addTally(row.tally, cell.tally);
      for (const [at, { calls, faulty }] of cell.times) {
        const step = row.series[steps.indexOf(at * unit)];
        if (step === undefined) continue;
        step[0] += calls;
        step[1] += faulty;
      }
    }
  }
  return [...open]
    .map(([name, { tally, series }]) => {
      const faulty = faultyCount(tally);
      return {
        name,
        ...tally,
        faulty: tally.calls === 0 ? 0 : faulty / tally.calls,
        interval: wilsonInterval(faulty, tally.calls),
        series,
      };
    })
    .sort(
      (one, other) =>
        faultyCount(other) - faultyCount(one) ||
        other.calls - one.calls ||
        compareNames(one.name, other.name),
    );
}

function compareNames(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function overTimeOf({ times, tools, since, unit }: Sums, steps: TimeSteps): Report["overTime"] {
  const tallies = steps.starts.map(createTally);
  for (const [at, tally] of times) {
    const sum = tallies[steps.indexOf(at * unit)];
    if (sum !== undefined) addTally(sum, tally);
  }
  const changes = [...tools.values()].flatMap(({ name: tool, schemas }) =>
    [...schemas]
      .sort(([, one], [, other]) => one - other)
      .slice(1)
      .filter(([, first]) => since === undefined || first >= since)
      .map(([schema, first]) => ({ t: toIso(first), tool, schema })),
  );
  return {
    hours: steps.length / HOUR,
    steps: tallies.map((tally, index) => ({ t: toIso(steps.starts[index] ?? 0), ...tally })),
    changes: changes.sort(
      (one, other) => compareNames(one.t, other.t) || compareNames(one.tool, other.tool),
    ),
  };
}

function heatOf({ tools, models }: Sums): Report["heat"] {
  const columns = [...models.values()].filter(({ count }) => count > 0).sort(moreFirst);
  const rows = [...tools.values()]
    .filter(({ count }) => count > 0)
    .map(({ name, cells }) => {
      const row = columns.map(({ index }): [number, number] => {
        const tally = cells[index]?.tally;
        return tally === undefined ? [0, 0] : [tally.calls, faultyCount(tally)];
      });
      return { name, row, faulty: row.reduce((sum, [, faulty]) => sum + faulty, 0) };
    })
    .sort((one, other) => other.faulty - one.faulty || compareNames(one.name, other.name));
  return {
    tools: rows.map(({ name }) => name),
    models: columns.map(({ name }) => name),
    cells: rows.map(({ row }) => row),
  };
}

function faultsOf({ tools }: Sums): readonly ReportFault[] {
  return [...tools.values()]
    .flatMap(({ name: tool, faults }) =>
      [...faults.values()]
        .filter(({ count }) => count > 0)
        .map(({ models, expected, first, last, ...rest }) => ({
          tool,
          ...rest,
          ...(expected === undefined ? {} : { expected }),
          models: [...models].map(([{ name }, count]) => ({ name, count })).sort(moreFirst),
          first: toIso(first),
          last: toIso(last),
        })),
    )
    .sort(moreFirst);
}

/** One row a fixer, with the tools whose inputs it changed. */
function fixersOf({ tools }: Sums): readonly ReportFixer[] {
  const open = new Map<string, { fixer: string; level: string; count: number; tools: string[] }>();
  for (const { name, fixers } of tools.values()) {
    for (const [key, { fixer, level, count }] of fixers) {
      if (count === 0) continue;
      const row = getOrMake(open, key, () => ({ fixer, level, count: 0, tools: [] }));
      row.count += count;
      row.tools.push(name);
    }
  }
  return [...open.values()].sort(moreFirst);
}

function refusalsOf({ tools }: Sums): readonly ReportRefusal[] {
  return [...tools.values()]
    .flatMap(({ name: tool, refusals }) =>
      [...refusals.values()].map(({ last, raw, correction, ...rest }) => ({
        tool,
        ...rest,
        last: toIso(last),
        ...(raw === undefined ? {} : { raw: toExample(raw) }),
        ...(correction === undefined ? {} : { correction: toCorrection(correction) }),
      })),
    )
    .sort(moreFirst);
}

function toCorrection({ source, toolInput }: NonNullable<OpenRefusal["correction"]>) {
  return { source, ...(toolInput === undefined ? {} : { toolInput: toExample(toolInput) }) };
}
