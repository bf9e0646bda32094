import { printCount, printName, showCount } from "../print-name.ts";
import { type Report, type ReportRow, sumsOf } from "./collect-report.ts";

/** The most characters of a tool's name: providers take 64. */
const NAME = 64;

/** A table, and what stands above it. */
export interface SummaryPart {
  readonly title: string;
  readonly note?: string;
  /** The first row is the heading. */
  readonly rows: readonly (readonly string[])[];
  /** Which columns are numbers. */
  readonly numbers: readonly number[];
}

/** A report in words and tables, for a terminal and for a page. */
export interface Summary {
  readonly period: string;
  /** Empty where there are no calls. */
  readonly figures: readonly (readonly [
    name: string,
    figure: string,
    note: string,
  ])[];
  /** What was ignored of the logs. */
  readonly ignored: readonly string[];
  readonly parts: readonly SummaryPart[];
}

/** Says a report in a few words and tables. */
export function summarizeReport(report: Report): Summary {
  const { from, to } = report;
  const parts = [tools, faults, repairs, refusals].map((toPart) =>
    toPart(report),
  );
  return {
    period:
      from === undefined || to === undefined
        ? "no calls"
        : showPeriod(from, to),
    figures: report.total.calls === 0 ? [] : figuresOf(report),
    ignored: ignoredOf(report),
    parts: parts.filter((part) => part.rows.length > 1),
  };
}

function tools(report: Report): SummaryPart {
  const { by, rows } = report;
  const results = resultNames(report).map((name) => name.toLowerCase());
  return {
    title: by === "tool" ? "Tools" : "Models",
    note: `Faulty: not valid as the model wrote it, with the 95% interval (Wilson). If two overlap, the ${by}s need not differ.`,
    numbers: [1, 2, 3, 4, 5, 6],
    rows: [
      [by, "calls", "faulty", "95% interval", ...results, "corrected later"],
      ...rows.map(showRow),
    ],
  };
}

function faults(report: Report): SummaryPart {
  const [ranName] = resultNames(report);
  return {
    title: "Faults",
    note: "What the schema had against which place; * is each item of a list. A call with two faults is in two rows.",
    numbers: [3, 4],
    rows: [
      ["tool", "place", "fault", "calls", ranName.toLowerCase()],
      ...report.faults.map(({ tool, path, code, count, ran }) => [
        printName(tool, NAME),
        showPlace(path),
        printName(code, 40),
        showCount(count),
        showShare(ran, count),
      ]),
    ],
  };
}

function repairs({ fixers }: Report): SummaryPart {
  return {
    title: "Repairs",
    numbers: [2, 3],
    rows: [
      ["fixer or edit", "level", "calls", "tools"],
      ...fixers.map((row) => [
        printName(row.fixer, 60),
        printName(row.level, 20),
        showCount(row.count),
        showCount(row.tools.length),
      ]),
    ],
  };
}

function refusals(report: Report): SummaryPart {
  return {
    title: "Rejected",
    note: "Calls for which no repair is certain.",
    numbers: [2, 3],
    rows: [
      ["tool", "why", "calls", "corrected later"],
      ...report.refusals.map(({ tool, issues, count, correctedLater }) => [
        printName(tool, NAME),
        issues
          .map(({ path, code }) => `${showPlace(path)} ${printName(code, 40)}`)
          .join("; "),
        showCount(count),
        showCount(correctedLater),
      ]),
    ],
  };
}

/**
 * Where all calls ran without toolmend, the report says what it would have
 * done.
 */
function resultNames({
  total,
  recorded,
}: Report): readonly [ran: string, notRun: string] {
  const areRecorded = recorded > 0 && recorded === total.calls;
  return areRecorded
    ? ["Would be repaired", "Would not run"]
    : ["Repaired", "Not run"];
}

function figuresOf(report: Report): Summary["figures"] {
  const { total, recorded } = report;
  const { faulty, ranRepaired, notRun, passedOn } = sumsOf(total);
  const reasons = [
    `${showCount(total.refused)} rejected`,
    `${showCount(total.answered)} answered`,
    `${showCount(total.correctedLater)} corrected later`,
  ];
  // What went on as the model wrote it, for others to decide.
  const decided = `${showCount(total.passed)} rejected, ${showCount(total.unused)} repairs not used`;
  const [ranName, notRunName] = resultNames(report);
  const figures: [string, string, string][] = [
    [
      "Calls",
      showCount(total.calls),
      `${showCount(total.valid)} valid as written`,
    ],
    ["Faulty", showShare(faulty, total.calls), printCount(faulty, "call")],
    [
      ranName,
      showShare(ranRepaired, faulty),
      `${showCount(ranRepaired)} of the faulty`,
    ],
    [notRunName, showCount(notRun), reasons.join(", ")],
  ];
  if (passedOn > 0) figures.push(["Passed on", showCount(passedOn), decided]);
  if (recorded > 0) {
    const note = "ran without toolmend; from traces, by toolmend record";
    figures.push(["Recorded", showCount(recorded), note]);
  }
  return figures;
}

function showRow(row: ReportRow): readonly string[] {
  const { lower, upper } = row.interval;
  const { ranRepaired, notRun } = sumsOf(row);
  return [
    printName(row.name, NAME),
    showCount(row.calls),
    showPercent(row.faulty),
    `${showPercent(lower).slice(0, -1)}–${showPercent(upper)}`,
    showCount(ranRepaired),
    showCount(notRun),
    showCount(row.correctedLater),
  ];
}

function ignoredOf({ read }: Report): readonly string[] {
  const lines = (count: number, what: string) =>
    count === 0 ? [] : [`${printCount(count, "line")} ${what}`];
  return [
    ...lines(read.torn, "incomplete"),
    ...lines(read.foreign, "of another kind"),
    ...lines(
      read.wrongClock,
      "with a clock out of range, counted but in no period",
    ),
  ];
}

function showPlace(path: string): string {
  return path === "" ? "the whole input" : printName(path, 60);
}

function showShare(part: number, whole: number): string {
  return whole === 0 ? "–" : showPercent(part / whole);
}

/**
 * What is more than nothing and less than everything is never shown as 0% or
 * 100%.
 */
function showPercent(share: number): string {
  if (share < 1e-9) return "0%";
  if (share > 1 - 1e-9) return "100%";
  if (share < 0.001) return "<0.1%";
  return share > 0.999 ? ">99.9%" : `${(share * 100).toFixed(1)}%`;
}

const DAY = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});

/** `22 Oct – 21 Nov 2026`; within a day, the hours in UTC. */
function showPeriod(from: string, to: string): string {
  if (from.slice(0, 10) !== to.slice(0, 10)) {
    const days = DAY.formatRange(new Date(from), new Date(to)).split("–");
    return days.map((day) => day.trim()).join(" – ");
  }
  const hours = new Set([from.slice(11, 16), to.slice(11, 16)]);
  return `${DAY.format(new Date(from))}, ${[...hours].join("–")} UTC`;
}
