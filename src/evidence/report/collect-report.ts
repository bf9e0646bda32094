import type { Writable } from "type-fest";
import type { Outcome } from "../../repair/events/event.ts";
import {
  type CallLine,
  type CorrectionLine,
  callIds,
  type LogLine,
  withoutIndexes,
} from "../log-line.ts";
import type { LogRead } from "../read-log.ts";
import type { SuggestResult } from "../suggest/suggestion.ts";
import { wilsonInterval } from "../wilson-interval.ts";

/** What logs say. `toolmend report --json` prints it, and the page shows it. No input is in it. */
export interface Report {
  readonly v: 1;
  /** The first and the last time in it, as ISO 8601; absent where there is no line. */
  readonly from?: string;
  readonly to?: string;
  readonly read: LogRead & {
    /** Lines whose clock is out of range: they count, and are in no period. */
    readonly wrongClock: number;
  };
  readonly total: Tally;
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
  /** Absent where the logs hold no inputs, or too many to search for a report. */
  readonly suggestions?: SuggestResult;
}

/** How many calls there were, by outcome. */
export interface Tally extends Readonly<Record<Outcome, number>> {
  readonly calls: number;
  /** Refused calls that another call replaced later. */
  readonly correctedLater: number;
}

/** What is counted for each tool or model. */
export interface ReportRow extends Tally {
  readonly name: string;
  /** The share of calls that were not valid, from 0 to 1, and its 95 % interval (Wilson). */
  readonly faulty: number;
  readonly interval: { readonly lower: number; readonly upper: number };
}

/** A place, and what a schema had against it. */
interface ReportIssue {
  /** A JSON Pointer; the numbers of list items are `*`. */
  readonly path: string;
  readonly code: string;
  readonly expected?: string;
}

/** A kind of fault: how many calls of a tool had it, and how many of these ran in the end. */
interface ReportFault extends ReportIssue {
  readonly tool: string;
  readonly count: number;
  readonly ran: number;
}

/** Refused calls of one tool with the same faults. */
interface ReportRefusal {
  readonly tool: string;
  readonly issues: readonly ReportIssue[];
  readonly count: number;
  readonly correctedLater: number;
}

/** The most rows of each kind: names that a model makes up must not grow memory without bound. */
const MOST = { rows: 3_000, faults: 20_000, fixers: 5_000, refusals: 5_000, waiting: 100_000 };

/** What stands for names beyond those, and for a model that is not named. */
const OTHERS = "(others)";
const UNNAMED = "(not named)";

/** No clock of a call is older than this, or more than a year ahead. */
const FIRST_TIME = Date.UTC(2015, 0);
const YEAR = 366 * 86_400_000;

const NO_CALLS: Tally = {
  calls: 0,
  valid: 0,
  repaired: 0,
  rescued: 0,
  answered: 0,
  refused: 0,
  passed: 0,
  unused: 0,
  corrected: 0,
  correctedLater: 0,
};

/** Creates a collector of what logs say. It holds only sums, so a log may be of any length. */
export function createReportCollector(by: Report["by"] = "tool") {
  const lastTime = Date.now() + YEAR;
  const total = { ...NO_CALLS };
  const seen = { tool: new Set<string>(), model: new Set<string>() };
  const rows = boundRows(MOST.rows, (name) => ({ name, ...NO_CALLS }));
  const faults = boundRows(MOST.faults, (tool, path, code): Writable<ReportFault> => {
    return { code, tool, path, count: 0, ran: 0 };
  });
  const fixers = boundRows(MOST.fixers, (fixer, level) => {
    return { fixer, level, count: 0, tools: new Set<string>() };
  });
  const refusals = boundRows(MOST.refusals, (tool): Writable<ReportRefusal> => {
    return { tool, issues: [], count: 0, correctedLater: 0 };
  });
  const waiting = createWaitingRefusals();
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  let wrongClock = 0;

  const addCall = (line: CallLine, row: Writable<Tally>) => {
    const { tool, outcome } = line;
    const isRejected = outcome === "refused" || outcome === "passed";
    const issues = new Map<string, ReportIssue>();
    for (const { path: place, code, expected } of line.issues) {
      // Without indexes, the same fault in several items is one issue.
      const path = withoutIndexes(place);
      const issue = { path, code, ...(expected !== undefined && { expected }) };
      if (isRejected) issues.set(`${code} ${path}`, issue);
      const fault = faults.at(tool, path, code);
      fault.count += 1;
      if (expected !== undefined) fault.expected = expected;
      if (RAN_FAULTY.includes(outcome)) fault.ran += 1;
    }
    const { nameRepair, repairs } = line;
    for (const { fixer, level } of nameRepair ? [nameRepair, ...repairs] : repairs) {
      const found = fixers.at(fixer, level);
      found.count += 1;
      if (found.tools.size < MOST.rows) found.tools.add(tool);
    }
    if (!isRejected) return;
    const refusal = refusals.at(tool, ...issues.keys());
    if (refusal.tool !== OTHERS) refusal.issues = [...issues.values()];
    refusal.count += 1;
    waiting.add(line, [total, row, refusal]);
  };

  return {
    add(line: LogLine): void {
      if (line.kind === "schema") return;
      const time = Date.parse(line.t);
      const isInRange = time >= FIRST_TIME && time <= lastTime;
      if (isInRange) [from, to] = [Math.min(from, time), Math.max(to, time)];
      else wrongClock += 1;
      for (const kind of ["tool", "model"] as const) {
        if (seen[kind].size < MOST.rows) seen[kind].add(line[kind] ?? UNNAMED);
      }
      if (line.kind === "correction") {
        for (const one of waiting.take(line)) one.correctedLater += 1;
        return;
      }
      const row = rows.at(line[by] ?? UNNAMED);
      const outcome = line.kind === "count" ? "valid" : line.outcome;
      const count = line.kind === "count" ? line.n : 1;
      for (const tally of [total, row]) {
        tally.calls += count;
        tally[outcome] += count;
      }
      if (line.kind === "call") addCall(line, row);
    },
    finish: (read: LogRead): Report => ({
      v: 1,
      ...(from <= to && { from: new Date(from).toISOString(), to: new Date(to).toISOString() }),
      read: { ...read, wrongClock },
      total,
      by,
      tools: seen.tool.size,
      models: seen.model.size,
      rows: rows.all().map(toReportRow).sort(mostFaultyFirst),
      faults: faults.all().sort(moreFirst),
      fixers: fixers
        .all()
        .map((one) => ({ ...one, tools: [...one.tools] }))
        .sort(moreFirst),
      refusals: refusals.all().sort(moreFirst),
    }),
  };
}

/** Rows by their names, up to `most`; all further names share one row. */
function boundRows<Row>(most: number, make: (...names: [string, string, string]) => Row) {
  const rows = new Map<string, Row>();
  return {
    all: () => [...rows.values()],
    at(...names: readonly string[]): Row {
      const wanted = names.join("\n");
      const known = rows.get(wanted);
      if (known !== undefined) return known;
      const [key, [one = "", other = "", third = ""]] =
        rows.size < most ? [wanted, names] : [OTHERS, names.map(() => OTHERS)];
      const row = rows.get(key) ?? make(one, other, third);
      rows.set(key, row);
      return row;
    },
  };
}

/** The outcomes of faulty inputs that ran repaired. */
const RAN_FAULTY: readonly Outcome[] = ["repaired", "rescued", "corrected"];

/**
 * How many calls were not valid, how many of them ran repaired, how many did not run, and how many went
 * on unchanged, for others to decide.
 */
export function sumsOf(
  tally: Tally,
): Readonly<Record<"faulty" | "ran" | "notRun" | "others", number>> {
  const ran = tally.repaired + tally.rescued + tally.corrected;
  const faulty = tally.calls - tally.valid;
  return {
    faulty,
    ran,
    notRun: tally.refused + tally.answered,
    others: tally.passed + tally.unused,
  };
}

function toReportRow(row: Tally & { readonly name: string }): ReportRow {
  const { faulty } = sumsOf(row);
  const share = row.calls === 0 ? 0 : faulty / row.calls;
  return { ...row, faulty: share, interval: wilsonInterval(faulty, row.calls) };
}

/** Then most calls, then by name. */
function mostFaultyFirst(one: ReportRow, other: ReportRow): number {
  const byFaulty = sumsOf(other).faulty - sumsOf(one).faulty;
  return byFaulty || other.calls - one.calls || (one.name < other.name ? -1 : 1);
}

function moreFirst(one: { readonly count: number }, other: { readonly count: number }): number {
  return other.count - one.count;
}

/** What is counted of a call that is corrected later. */
type Corrected = readonly { correctedLater: number }[];

/** Refused calls that may be corrected later. */
function createWaitingRefusals() {
  /** By each name of a call; `undefined` where two have the name. */
  const waiting = new Map<string, { counted: Corrected; ids: readonly string[] } | undefined>();
  // One iterator for all: a new one would pass over every id that was removed.
  const oldest = waiting.keys();
  return {
    add(line: CallLine, counted: Corrected): void {
      const one = { counted, ids: callIds(line, line.call) };
      for (const id of one.ids) {
        waiting.set(id, waiting.has(id) ? undefined : one);
        if (waiting.size > MOST.waiting) waiting.delete(oldest.next().value as string);
      }
    },
    /** Returns what a correction corrects, once. */
    take(line: CorrectionLine): Corrected {
      const all = callIds(line, line.of).map((id) => waiting.get(id));
      const found = all.find((one) => one !== undefined);
      for (const id of found?.ids ?? []) if (waiting.get(id) === found) waiting.delete(id);
      return found?.counted ?? [];
    },
  };
}
