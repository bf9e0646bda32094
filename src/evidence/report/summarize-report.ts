import { printName } from "../print-name.ts";
import { faultyCount, notRunCount, repairedCount } from "./create-tally.ts";
import { showCount, showDay, showPercent, showPeriod, showRange, showShare } from "./format.ts";
import type { Report } from "./report.ts";

/** How many lines of each kind a terminal is shown. */
const MOST = { rows: 20, faults: 10, news: 5 };

/** A table, and what stands above it. */
export interface SummaryPart {
  readonly title: string;
  /** The first row is the heading. */
  readonly rows: readonly (readonly string[])[];
  /** Which columns are numbers. */
  readonly numbers: readonly number[];
  /** What is left out, in words. */
  readonly rest?: string;
}

/**
 * Says a report in a few lines, for a terminal.
 *
 * @param report The report.
 * @returns What stands first, and the tables that follow. Names are shown so that no terminal obeys
 * them.
 */
export function summarizeReport(report: Report): {
  readonly lead: readonly string[];
  readonly parts: readonly SummaryPart[];
} {
  const { total, from, to, since, rows, by, faults, news } = report;
  if (from === undefined || to === undefined || total.calls === 0) {
    const when = since === undefined ? "" : ` since ${showDay(since)}`;
    return { lead: [`The logs hold no calls${when}.`, ...passedOver(report)], parts: [] };
  }
  const faulty = faultyCount(total);
  const lead = [
    `${showPeriod(from, to)} · ${showCount(total.calls)} calls · ${showShare(faulty, total.calls)} faulty · ${showShare(repairedCount(total), faulty)} of those made right · ${showCount(notRunCount(total))} not run`,
    ...passedOver(report),
  ];
  return {
    lead,
    parts: [
      {
        title: by === "tool" ? "Tools" : "Models",
        numbers: [1, 2, 3, 4, 5, 6],
        rows: [
          [by, "calls", "faulty", "95% interval", "made right", "not run", "corrected later"],
          ...rows
            .slice(0, MOST.rows)
            .map((row) => [
              printName(row.name, 40),
              showCount(row.calls),
              showPercent(row.faulty),
              showRange(row.interval),
              showCount(repairedCount(row)),
              showCount(notRunCount(row)),
              showCount(row.correctedLater),
            ]),
        ],
        ...restOf(rows.length, MOST.rows),
      },
      {
        title: "Most frequent faults",
        numbers: [3, 4],
        rows: [
          ["tool", "place", "fault", "times", "ran all the same"],
          ...faults
            .slice(0, MOST.faults)
            .map(({ tool, path, code, count, ran }) => [
              printName(tool, 40),
              path === "" ? "the whole input" : printName(path, 40),
              printName(code, 40),
              showCount(count),
              showShare(ran, count),
            ]),
        ],
        ...restOf(faults.length, MOST.faults),
      },
      ...(news === undefined || news.items.length === 0
        ? []
        : [
            {
              title: `New since ${showDay(news.since)}`,
              numbers: [2],
              rows: [
                ["what", "of tool", "times", "first"],
                ...news.items
                  .slice(0, MOST.news)
                  .map(({ kind, name, tool = "", count, first }) => [
                    `${kind} ${printName(name, 50)}`,
                    printName(tool, 40),
                    showCount(count),
                    showDay(first),
                  ]),
              ],
              ...restOf(news.items.length, MOST.news),
            },
          ]),
    ].filter((part) => part.rows.length > 1),
  };
}

function restOf(count: number, most: number): Pick<SummaryPart, "rest"> {
  return count > most ? { rest: `and ${showCount(count - most)} more` } : {};
}

function passedOver({ read }: Report): readonly string[] {
  const passed = [
    ...(read.torn > 0 ? [`${showCount(read.torn)} torn lines`] : []),
    ...(read.foreign > 0 ? [`${showCount(read.foreign)} lines of another kind`] : []),
    ...(read.newer > 0 ? [`${showCount(read.newer)} lines of a later version of toolmend`] : []),
  ];
  return [
    ...(passed.length > 0 ? [`Passed over: ${passed.join(", ")}.`] : []),
    ...read.cut.map((name) => `${printName(name)} ends too early: its beginning was read.`),
  ];
}
