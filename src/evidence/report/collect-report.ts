import type { Outcome } from "../../repair/events/event.ts";
import { type CallLine, type CorrectionLine, callIds, type LogLine } from "../log-line.ts";
import type { LogRead } from "../read-log.ts";
import type { ShownSuggestions } from "../suggest/suggestion.ts";
import { wilsonInterval } from "../wilson-interval.ts";

/** What a report is asked for. */
export interface ReportOptions {
  /** What its rows are. Default: `"tool"`. */
  readonly by?: "tool" | "model";
  /** Lines from before do not count, in milliseconds since 1970. Default: all count. */
  readonly since?: number | undefined;
}

/** What logs say. `toolmend report --json` prints it, and the page shows it. No input is in it. */
export interface Report {
  readonly v: 1;
  /** The first and the last time in it, as ISO 8601; absent where there is no line. */
  readonly from?: string;
  readonly to?: string;
  /** `--since` as ISO 8601. */
  readonly since?: string;
  readonly read: LogRead & {
    /** Lines from before `since`. */
    readonly before: number;
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
  readonly fixers: readonly ReportFixer[];
  readonly refusals: readonly ReportRefusal[];
  /** Absent where the logs hold no inputs, or too many to search for a report. */
  readonly suggestions?: ShownSuggestions;
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
export interface ReportIssue {
  /** A JSON Pointer; the numbers of list items are `*`. */
  readonly path: string;
  readonly code: string;
  readonly expected?: string;
}

/** A kind of fault. */
export interface ReportFault extends ReportIssue {
  readonly tool: string;
  readonly count: number;
  /** How many of the calls with it ran in the end. */
  readonly ran: number;
}

/** A fixer or an edit, and how often it changed an input. */
export interface ReportFixer {
  readonly fixer: string;
  readonly level: string;
  readonly count: number;
  readonly tools: readonly string[];
}

/** Refused calls of one tool with the same faults. */
export interface ReportRefusal {
  readonly tool: string;
  readonly issues: readonly ReportIssue[];
  readonly count: number;
  readonly correctedLater: number;
}

/** Takes lines, and makes a report of them. */
export interface ReportCollector {
  add(line: LogLine): void;
  finish(read: LogRead): Report;
}

/** How many of each are told apart: memory is bounded whatever a model makes up. */
const MOST = { rows: 3_000, faults: 20_000, fixers: 5_000, refusals: 5_000, waiting: 100_000 };

/** What stands for names beyond those that are told apart, and for a model that is not named. */
const OTHERS = "(others)";
const UNNAMED = "(not named)";

/** No clock of a call is older than this, or more than a year ahead. */
const FIRST_TIME = Date.UTC(2015, 0);
const YEAR = 366 * 86_400_000;

/**
 * Creates a collector of what logs say. It holds sums only, so that the length of a log does not
 * matter.
 *
 * @param options Rows and time.
 */
export function createReportCollector({ by = "tool", since }: ReportOptions = {}): ReportCollector {
  const lastTime = Date.now() + YEAR;
  const total = createTally();
  const rows = new Map<string, Open<Tally>>();
  const seen = { tool: new Set<string>(), model: new Set<string>() };
  const faults = new Map<string, Open<ReportFault>>();
  const fixers = new Map<string, Open<Omit<ReportFixer, "tools">> & { tools: Set<string> }>();
  const refusals = new Map<string, Open<ReportRefusal>>();
  const waiting = createWaitingRefusals();
  const period = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  let [before, wrongClock] = [0, 0];

  const rowOf = (line: LogLine): Open<Tally> => {
    const name = by === "tool" ? line.tool : (line.model ?? UNNAMED);
    return getOrMake(rows, rows.has(name) || rows.size < MOST.rows ? name : OTHERS, createTally);
  };

  const addIssues = ({ tool, outcome, issues }: CallLine) => {
    for (const issue of issues) {
      const path = kindOfPath(issue.path);
      const key = keyWithin(faults, MOST.faults, `${tool}\n${issue.code} ${path}`);
      const names = key === OTHERS ? { tool: OTHERS, path: "", code: OTHERS } : { tool, path };
      const fault: Open<ReportFault> = getOrMake(faults, key, () => ({
        code: issue.code,
        ...names,
        count: 0,
        ran: 0,
      }));
      fault.count += 1;
      if (issue.expected !== undefined) fault.expected = issue.expected;
      if (outcome !== "refused" && outcome !== "answered") fault.ran += 1;
    }
  };

  const addRepairs = ({ tool, repairs, nameRepair }: CallLine) => {
    for (const one of nameRepair === undefined ? repairs : [nameRepair, ...repairs]) {
      const key = keyWithin(fixers, MOST.fixers, `${one.level} ${one.fixer}`);
      const { fixer, level } = key === OTHERS ? { fixer: OTHERS, level: "" } : one;
      const open = getOrMake(fixers, key, () => ({ fixer, level, count: 0, tools: new Set() }));
      open.count += 1;
      if (open.tools.size < MOST.rows) open.tools.add(tool);
    }
  };

  const addRefusal = (line: CallLine) => {
    const issues = new Map<string, ReportIssue>();
    for (const { path: place, code, expected } of line.issues) {
      const path = kindOfPath(place);
      issues.set(`${code} ${path}`, { path, code, ...(expected !== undefined && { expected }) });
    }
    const wanted = [line.tool, ...issues.keys()].join("\n");
    const key = keyWithin(refusals, MOST.refusals, wanted);
    const names =
      key === OTHERS
        ? { tool: OTHERS, issues: [] }
        : { tool: line.tool, issues: [...issues.values()] };
    const refusal = getOrMake(refusals, key, () => ({ ...names, count: 0, correctedLater: 0 }));
    refusal.count += 1;
    waiting.add(line, refusal, rowOf(line));
  };

  return {
    add(line) {
      if (line.kind === "schema") return;
      const time = Date.parse(line.t);
      if (time < FIRST_TIME || time > lastTime) wrongClock += 1;
      else if (since !== undefined && time < since) {
        before += 1;
        return;
      } else {
        period.from = Math.min(period.from, time);
        period.to = Math.max(period.to, time);
      }
      for (const kind of ["tool", "model"] as const) {
        if (seen[kind].size < MOST.rows) seen[kind].add(line[kind] ?? UNNAMED);
      }
      if (line.kind === "correction") {
        const found = waiting.take(line);
        for (const one of found === undefined ? [] : [total, found.row, found.refusal]) {
          one.correctedLater += 1;
        }
        return;
      }
      const [outcome, count] =
        line.kind === "count" ? (["valid", line.n] as const) : ([line.outcome, 1] as const);
      for (const tally of [total, rowOf(line)]) {
        tally.calls += count;
        tally[outcome] += count;
      }
      if (line.kind === "count") return;
      addIssues(line);
      addRepairs(line);
      if (outcome === "refused") addRefusal(line);
    },
    finish: (read) => ({
      v: 1,
      ...(period.from <= period.to && {
        from: new Date(period.from).toISOString(),
        to: new Date(period.to).toISOString(),
      }),
      ...(since !== undefined && { since: new Date(since).toISOString() }),
      read: { ...read, before, wrongClock },
      total,
      by,
      tools: seen.tool.size,
      models: seen.model.size,
      rows: rowsOf(rows),
      faults: [...faults.values()].sort(moreFirst),
      fixers: [...fixers.values()]
        .map(({ tools, ...rest }) => ({ ...rest, tools: [...tools] }))
        .sort(moreFirst),
      refusals: [...refusals.values()].sort(moreFirst),
    }),
  };
}

type Open<Shape> = { -readonly [Field in keyof Shape]: Shape[Field] };

function createTally(): Open<Tally> {
  return {
    calls: 0,
    valid: 0,
    repaired: 0,
    rescued: 0,
    answered: 0,
    refused: 0,
    corrected: 0,
    correctedLater: 0,
  };
}

/** How many calls were not valid. */
export function faultyCount({ calls, valid }: Tally): number {
  return calls - valid;
}

/** How many calls were not valid, and ran nevertheless. */
export function repairedCount({ repaired, rescued, corrected }: Tally): number {
  return repaired + rescued + corrected;
}

/** How many calls were not run. */
export function notRunCount({ refused, answered }: Tally): number {
  return refused + answered;
}

/** Most faulty calls first, then most calls, then by name. */
function rowsOf(rows: ReadonlyMap<string, Tally>): readonly ReportRow[] {
  return [...rows]
    .map(([name, tally]) => {
      const faulty = faultyCount(tally);
      return {
        name,
        ...tally,
        faulty: tally.calls === 0 ? 0 : faulty / tally.calls,
        interval: wilsonInterval(faulty, tally.calls),
      };
    })
    .sort(
      (one, other) =>
        faultyCount(other) - faultyCount(one) ||
        other.calls - one.calls ||
        (one.name < other.name ? -1 : 1),
    );
}

interface Waiting {
  readonly refusal: Open<ReportRefusal>;
  readonly row: Open<Tally>;
  readonly ids: readonly string[];
}

/** Refused calls that may be corrected later. */
function createWaitingRefusals() {
  /** By each name of a call; `undefined` where two have the name. */
  const waiting = new Map<string, Waiting | undefined>();
  return {
    add(line: CallLine, refusal: Waiting["refusal"], row: Waiting["row"]): void {
      if (line.call === undefined) return;
      const one = { refusal, row, ids: callIds(line, line.call) };
      for (const id of one.ids) {
        waiting.set(id, waiting.has(id) ? undefined : one);
        if (waiting.size > MOST.waiting) waiting.delete(waiting.keys().next().value as string);
      }
    },
    /** Returns what a correction corrects, once. */
    take(line: CorrectionLine): Waiting | undefined {
      const ids = line.of === undefined ? [] : callIds(line, line.of);
      const found = ids.map((id) => waiting.get(id)).find((one) => one !== undefined);
      for (const id of found?.ids ?? []) if (waiting.get(id) === found) waiting.delete(id);
      return found;
    },
  };
}

function moreFirst(one: { readonly count: number }, other: { readonly count: number }): number {
  return other.count - one.count;
}

/** The key itself while there is room for one more. */
function keyWithin(map: ReadonlyMap<string, unknown>, most: number, key: string): string {
  return map.has(key) || map.size < most ? key : OTHERS;
}

function getOrMake<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

/** A list's items have one kind of fault, whatever their number. */
function kindOfPath(path: string): string {
  return path.replace(/\/\d+(?=\/|$)/g, "/*");
}
