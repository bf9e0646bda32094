import type { Writable } from "type-fest";
import type { Outcome } from "../../repair/events/event.ts";
import { compareTexts, moreFirst } from "../grouping.ts";
import {
  type CallLine,
  type CorrectionLine,
  type CountLine,
  callIds,
  distinctFaults,
  type LogLine,
  OUTCOMES,
  withoutIndexes,
} from "../log-line.ts";
import type { LogRead } from "../read-log.ts";
import type { SuggestResult } from "../suggest/suggestion.ts";
import { wilsonInterval } from "../wilson-interval.ts";

/**
 * What logs say. `toolmend report --json` prints it, and the page shows it. No
 * input is in it.
 */
export interface Report {
  readonly v: 1;
  /**
   * The first and the last time in it, as ISO 8601; absent where there is no
   * line.
   */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly read: LogRead & {
    /** Lines whose clock is out of range: they count, and are in no period. */
    readonly wrongClock: number;
  };
  readonly total: Tally;
  /**
   * How many of the calls ran without toolmend, and were repaired afterwards by
   * `toolmend record`.
   */
  readonly recorded: number;
  readonly by: "tool" | "model";
  /** How many tools and models were seen. */
  readonly tools: number;
  readonly models: number;
  /** Most faulty calls first. */
  readonly rows: readonly ReportRow[];
  readonly faults: readonly ReportFault[];
  /** How often which fixer or edit changed an input. */
  readonly fixers: readonly {
    readonly fixer: string;
    readonly level: string;
    readonly count: number;
    readonly tools: readonly string[];
  }[];
  readonly refusals: readonly ReportRefusal[];
  /**
   * Absent where the logs hold no inputs, or too many to search for a report.
   */
  readonly suggestions?: SuggestResult | undefined;
}

/** How many calls there were, by outcome. */
export interface Tally extends Readonly<Record<Outcome, number>> {
  readonly calls: number;
  /** Rejected calls that another call replaced later. */
  readonly correctedLater: number;
}

/** What is counted for each tool or model. */
export interface ReportRow extends Tally {
  readonly name: string;
  /**
   * The share of calls that were not valid, from 0 to 1, and its 95 % interval
   * (Wilson).
   */
  readonly faulty: number;
  readonly interval: { readonly lower: number; readonly upper: number };
}

/** A place, and what a schema had against it. */
interface ReportIssue {
  /** A JSON Pointer; the numbers of list items are `*`. */
  readonly path: string;
  readonly code: string;
  readonly expected?: string | undefined;
}

/**
 * A kind of fault: how many calls of a tool had it, and how many of these ran
 * in the end.
 */
interface ReportFault extends ReportIssue {
  readonly tool: string;
  readonly count: number;
  readonly ran: number;
}

/** Rejected calls of one tool with the same faults. */
interface ReportRefusal {
  readonly tool: string;
  readonly issues: readonly ReportIssue[];
  readonly count: number;
  readonly correctedLater: number;
}

/**
 * The most rows of each kind: names that a model makes up must not grow memory
 * without bound.
 */
const MOST = {
  rows: 3_000,
  faults: 20_000,
  fixers: 5_000,
  refusals: 5_000,
  waiting: 100_000,
};

/** What stands for names beyond those, and for a model that is not named. */
const OTHERS = "(others)";
const UNNAMED = "(not named)";

/** No clock of a call is older than this, or more than a year ahead. */
const FIRST_TIME = Date.UTC(2015, 0);
const YEAR = 366 * 86_400_000;

const NO_CALLS = Object.fromEntries(
  ["calls", "correctedLater", ...OUTCOMES].map((name) => [name, 0]),
) as unknown as Tally;

/**
 * Collects what logs say. It holds only sums, so a log may be of any length.
 */
export class ReportCollector {
  readonly #by: Report["by"];
  readonly #total = { ...NO_CALLS };
  readonly #seen = { tool: new Set<string>(), model: new Set<string>() };
  readonly #rows = new BoundRows(MOST.rows, (name) => ({ name, ...NO_CALLS }));
  readonly #faults = new BoundRows(MOST.faults, newFault);
  readonly #fixers = new BoundRows(MOST.fixers, (fixer, level) => ({
    fixer,
    level,
    count: 0,
    tools: new Set<string>(),
  }));
  readonly #refusals = new BoundRows(MOST.refusals, newRejectionRow);
  readonly #waiting = new WaitingRejections();
  readonly #lastTime = Date.now() + YEAR;
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;
  #wrongClock = 0;
  #recorded = 0;

  constructor(by: Report["by"] = "tool") {
    this.#by = by;
  }

  add(line: LogLine): void {
    if (line.kind === "schema") return;
    this.#addTime(Date.parse(line.t));
    this.#addName("tool", line.tool);
    this.#addName("model", line.model);
    if (line.kind === "correction") {
      for (const counted of this.#waiting.take(line))
        counted.correctedLater += 1;
      return;
    }
    const row = this.#rows.at(line[this.#by] ?? UNNAMED);
    this.#count(line, row);
    if (line.kind === "count") return;
    this.#addFaults(line);
    this.#addChanges(line);
    if (isRejected(line)) this.#addRejection(line, row);
  }

  #addTime(time: number): void {
    if (time < FIRST_TIME || time > this.#lastTime) {
      this.#wrongClock += 1;
      return;
    }
    this.#from = Math.min(this.#from, time);
    this.#to = Math.max(this.#to, time);
  }

  #addName(kind: Report["by"], name: string = UNNAMED): void {
    if (this.#seen[kind].size < MOST.rows) this.#seen[kind].add(name);
  }

  #count(line: CallLine | CountLine, row: Writable<Tally>): void {
    const isCount = line.kind === "count";
    const outcome = isCount ? "valid" : line.outcome;
    const count = isCount ? line.n : 1;
    if (line.seam === "record") this.#recorded += count;
    for (const tally of [this.#total, row]) {
      tally.calls += count;
      tally[outcome] += count;
    }
  }

  #addFaults({ tool, outcome, issues }: CallLine): void {
    for (const { path, code, expected } of issues) {
      const fault = this.#faults.at(tool, withoutIndexes(path), code);
      fault.count += 1;
      if (expected !== undefined) fault.expected = expected;
      if (RAN_REPAIRED.includes(outcome)) fault.ran += 1;
    }
  }

  #addChanges({ tool, nameRepair, repairs }: CallLine): void {
    for (const { fixer, level } of nameRepair
      ? [nameRepair, ...repairs]
      : repairs) {
      const row = this.#fixers.at(fixer, level);
      row.count += 1;
      if (row.tools.size < MOST.rows) row.tools.add(tool);
    }
  }

  #addRejection(line: CallLine, row: Writable<Tally>): void {
    const issues = distinctFaults(line.issues).map(toReportIssue);
    const names = issues.map(({ path, code }) => `${code} ${path}`);
    const refusal = this.#refusals.at(line.tool, ...names);
    if (refusal.tool !== OTHERS) refusal.issues = issues;
    refusal.count += 1;
    this.#waiting.add(line, [this.#total, row, refusal]);
  }

  finish(read: LogRead): Report {
    const fixers = this.#fixers.all.map((row) => ({
      ...row,
      tools: [...row.tools],
    }));
    return {
      v: 1,
      from: showTime(this.#from),
      to: showTime(this.#to),
      read: { ...read, wrongClock: this.#wrongClock },
      total: this.#total,
      recorded: this.#recorded,
      by: this.#by,
      tools: this.#seen.tool.size,
      models: this.#seen.model.size,
      rows: this.#rows.all.map(toReportRow).sort(mostFaultyFirst),
      faults: this.#faults.all.sort(moreFirst),
      fixers: fixers.sort(moreFirst),
      refusals: this.#refusals.all.sort(moreFirst),
    };
  }
}

function showTime(time: number): string | undefined {
  return Number.isFinite(time) ? new Date(time).toISOString() : undefined;
}

function newFault(
  tool: string,
  path: string,
  code: string,
): Writable<ReportFault> {
  return { code, tool, path, count: 0, ran: 0 };
}

function newRejectionRow(tool: string): Writable<ReportRefusal> {
  return { tool, issues: [], count: 0, correctedLater: 0 };
}

function isRejected({ outcome }: CallLine): boolean {
  return outcome === "refused" || outcome === "passed";
}

function toReportIssue({ path, code, expected }: ReportIssue): ReportIssue {
  return { path, code, expected };
}

/** Rows by their names, up to `most`; all further names share one row. */
class BoundRows<Row> {
  readonly #most: number;
  readonly #create: (...names: [string, string, string]) => Row;
  readonly #rows = new Map<string, Row>();

  constructor(
    most: number,
    create: (...names: [string, string, string]) => Row,
  ) {
    this.#most = most;
    this.#create = create;
  }

  get all(): Row[] {
    return [...this.#rows.values()];
  }

  at(...names: readonly string[]): Row {
    const key = names.join("\n");
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    if (this.#rows.size >= this.#most)
      return this.#rowOf(OTHERS, [OTHERS, OTHERS, OTHERS]);
    return this.#rowOf(key, names);
  }

  #rowOf(
    key: string,
    [first = "", second = "", third = ""]: readonly string[],
  ): Row {
    const row = this.#rows.get(key) ?? this.#create(first, second, third);
    this.#rows.set(key, row);
    return row;
  }
}

/** The outcomes of faulty inputs that ran repaired. */
const RAN_REPAIRED: readonly Outcome[] = ["repaired", "rescued", "corrected"];

/**
 * How many calls were not valid, how many of them ran repaired, how many did
 * not run, and how many went on unchanged, for others to decide.
 */
export function sumsOf(
  tally: Tally,
): Readonly<Record<"faulty" | "ranRepaired" | "notRun" | "passedOn", number>> {
  return {
    faulty: tally.calls - tally.valid,
    ranRepaired: RAN_REPAIRED.reduce((sum, outcome) => sum + tally[outcome], 0),
    notRun: tally.refused + tally.answered,
    passedOn: tally.passed + tally.unused,
  };
}

function toReportRow(row: Tally & { readonly name: string }): ReportRow {
  const { faulty } = sumsOf(row);
  const share = row.calls === 0 ? 0 : faulty / row.calls;
  return { ...row, faulty: share, interval: wilsonInterval(faulty, row.calls) };
}

/** Then most calls, then by name. */
function mostFaultyFirst(left: ReportRow, right: ReportRow): number {
  const byFaulty = sumsOf(right).faulty - sumsOf(left).faulty;
  return (
    byFaulty || right.calls - left.calls || compareTexts(left.name, right.name)
  );
}

/** The sums that count a rejected call, by the names of the call. */
interface WaitingRejection {
  readonly ids: readonly string[];
  readonly counted: readonly { correctedLater: number }[];
}

/** Rejected calls that may be corrected later. */
class WaitingRejections {
  readonly #waiting = new Map<string, WaitingRejection | "ambiguous">();
  /**
   * One iterator for all: a new one would pass over every id that was removed.
   */
  readonly #oldest = this.#waiting.keys();

  add(line: CallLine, counted: WaitingRejection["counted"]): void {
    const refusal = { counted, ids: callIds(line, line.call) };
    for (const id of refusal.ids) {
      this.#waiting.set(id, this.#waiting.has(id) ? "ambiguous" : refusal);
      if (this.#waiting.size > MOST.waiting)
        this.#waiting.delete(this.#oldest.next().value ?? "");
    }
  }

  /** Returns what counts the call that a correction corrects, once. */
  take(line: CorrectionLine): WaitingRejection["counted"] {
    for (const correctedId of callIds(line, line.of)) {
      const refusal = this.#waiting.get(correctedId);
      if (refusal === undefined || refusal === "ambiguous") continue;
      for (const id of refusal.ids) {
        if (this.#waiting.get(id) === refusal) this.#waiting.delete(id);
      }
      return refusal.counted;
    }
    return [];
  }
}
