import type { CallLine, CorrectionLine, LogLine } from "../log-line.ts";
import { parseTime } from "../parse-time.ts";
import type { LogRead } from "../read-log.ts";
import { countCalls, createTally } from "./create-tally.ts";
import { keepDays } from "./keep-days.ts";
import { makeReport } from "./make-report.ts";
import {
  cellOf,
  createSums,
  faultOf,
  getOrMake,
  modelOf,
  type OpenModel,
  type OpenTool,
  refusalOf,
  repairCountsOf,
  seeSchema,
  toolOf,
} from "./open-report.ts";
import type { Report } from "./report.ts";
import { HOUR } from "./time-steps.ts";
import { createWaitingRefusals } from "./waiting-refusals.ts";

/** What a report is asked for. */
export interface ReportOptions {
  /** What its rows are. Default: `"tool"`. */
  readonly by?: "tool" | "model";
  /** Lines from before are only compared with, in milliseconds since 1970. Default: all count. */
  readonly since?: number | undefined;
}

/** Takes lines, and makes a report of them. */
export interface ReportCollector {
  add(line: LogLine): void;
  finish(read: LogRead): Report;
}

/** From how many hours of tools and models on only days are kept. */
const CELLS = 150_000;

/** Where and when a line belongs. */
interface Place {
  readonly tool: OpenTool;
  readonly model: OpenModel;
  readonly time: number;
}

/**
 * Creates a collector of what logs say. It holds sums only, so that the length of a log does not
 * matter.
 *
 * @param options Rows and time.
 */
export function createReportCollector({ by = "tool", since }: ReportOptions = {}): ReportCollector {
  const sums = createSums(by, since);
  const waiting = createWaitingRefusals();
  let cells = 0;

  const addCounted = ({ tool, model, time }: Place, outcome: CallLine["outcome"], n: number) => {
    const cell = cellOf(tool, model);
    const at = Math.floor(time / sums.unit);
    tool.count += n;
    model.count += n;
    countCalls(sums.total, outcome, n);
    countCalls(cell.tally, outcome, n);
    countCalls(getOrMake(sums.times, at, createTally), outcome, n);
    const step = getOrMake(cell.times, at, () => {
      cells += 1;
      return { calls: 0, faulty: 0 };
    });
    step.calls += n;
    if (outcome !== "valid") step.faulty += n;
    if (cells > CELLS && sums.unit === HOUR) cells = keepDays(sums);
  };

  /** What is seen before the period counts nothing, and is nothing new in it. */
  const addKinds = (line: CallLine, { tool, model, time }: Place, n: 0 | 1) => {
    for (const issue of line.issues) {
      const fault = faultOf(sums, tool, issue);
      fault.first = Math.min(fault.first, time);
      if (n === 0) continue;
      fault.count += 1;
      fault.last = Math.max(fault.last, time);
      fault.expected = issue.expected ?? fault.expected;
      if (line.outcome !== "refused" && line.outcome !== "answered") fault.ran += 1;
      fault.models.set(model, (fault.models.get(model) ?? 0) + 1);
    }
    for (const repair of repairsOf(line)) {
      const fixer = repairCountsOf(sums, tool, repair);
      fixer.first = Math.min(fixer.first, time);
      fixer.count += n;
    }
  };

  const addRefusal = (line: CallLine, { tool, time }: Place) => {
    const refusal = refusalOf(sums, tool, line.issues);
    refusal.count += 1;
    if (time >= refusal.last) {
      refusal.last = time;
      if (line.raw !== undefined && refusal.correction === undefined) refusal.raw = line.raw;
    }
    waiting.add(line, refusal);
  };

  const addCorrection = (line: CorrectionLine, { tool, model, time }: Place) => {
    const refusal = waiting.take(line);
    if (refusal === undefined) return;
    const step = getOrMake(sums.times, Math.floor(time / sums.unit), createTally);
    for (const tally of [sums.total, cellOf(tool, model).tally, step]) tally.correctedLater += 1;
    refusal.correctedLater += 1;
    refusal.raw = line.raw ?? refusal.raw;
    refusal.correction = { source: line.source, toolInput: line.toolInput };
  };

  return {
    add(line) {
      const time = parseTime(line.t);
      const tool = toolOf(sums, line.tool, time);
      if (line.schema !== undefined) seeSchema(tool, line.schema, time);
      if (line.kind === "schema") return;
      const place = { tool, model: modelOf(sums, line.model, time), time };
      if (since !== undefined && time < since) {
        sums.before += 1;
        sums.earliest = Math.min(sums.earliest ?? time, time);
        if (line.kind === "call") addKinds(line, place, 0);
        return;
      }
      sums.from = Math.min(sums.from, time);
      sums.to = Math.max(sums.to, time);
      if (line.kind === "correction") addCorrection(line, place);
      else if (line.kind === "count") addCounted(place, "valid", line.n);
      else {
        addCounted(place, line.outcome, 1);
        addKinds(line, place, 1);
        if (line.outcome === "refused") addRefusal(line, place);
      }
    },
    finish: (read) => makeReport(sums, read),
  };
}

function repairsOf({ repairs, nameRepair }: CallLine): CallLine["repairs"] {
  return nameRepair === undefined ? repairs : [{ ...nameRepair, path: "" }, ...repairs];
}
