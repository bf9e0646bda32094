import { beforeAll, describe, expect, test } from "@jest/globals";
import type { CallLine, LogLine } from "#src/evidence/log-line.ts";
import {
  createReportCollector,
  type Report,
  type ReportOptions,
} from "#src/evidence/report/collect-report.ts";
import { plantedLog } from "../../../../scripts/planted-log/planted-log.ts";

const READ = { files: 1, lines: 0, torn: 0, foreign: 0, newer: 0, cut: [] };

function reportOf(lines: readonly LogLine[], options: ReportOptions = {}): Report {
  const collector = createReportCollector(options);
  for (const line of lines) collector.add(line);
  return collector.finish(READ);
}

const call = (more: Partial<CallLine> = {}): CallLine => ({
  v: 1,
  kind: "call",
  t: "2026-11-03T10:20:30.400Z",
  tool: "click",
  model: "m",
  seam: "tool",
  outcome: "refused",
  level: "safe",
  issues: [{ path: "/selector", code: "required" }],
  repairs: [],
  ...more,
});

let planted: readonly LogLine[] = [];
beforeAll(async () => {
  planted = await plantedLog({ runs: 400, content: "keys" });
}, 60_000);

/** How many calls lines tell of, counted otherwise than the report does. */
function count(isCounted: (line: LogLine) => boolean): number {
  return planted
    .filter(isCounted)
    .map((line) => (line.kind === "count" ? line.n : line.kind === "call" ? 1 : 0))
    .reduce((sum, n) => sum + n, 0);
}

describe("the sums", () => {
  test("are those of the lines, by tool and by model", () => {
    for (const by of ["tool", "model"] as const) {
      const { rows, total } = reportOf(planted, { by });
      expect(total.calls).toBe(count(() => true));
      expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(total.calls);
      for (const { name, calls, valid, refused, repaired, faulty } of rows) {
        const isOwn = (line: LogLine) => line[by] === name;
        expect(calls).toBe(count(isOwn));
        expect(valid).toBe(count((line) => isOwn(line) && line.kind === "count"));
        expect(refused + repaired).toBe(count((line) => isOwn(line) && line.kind === "call"));
        expect(faulty).toBeCloseTo((refused + repaired) / calls, 10);
      }
    }
  });

  test("are the same in fault kinds and in refusals", () => {
    const { total, faults, refusals } = reportOf(planted);
    const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
    const issues = planted.flatMap((line) => (line.kind === "call" ? line.issues : []));
    expect(sum(faults.map((fault) => fault.count))).toBe(issues.length);
    expect(sum(refusals.map((refusal) => refusal.count))).toBe(total.refused);
    const corrections = planted.filter(({ kind }) => kind === "correction").length;
    expect(corrections).toBeGreaterThan(10);
    expect(total.correctedLater).toBe(corrections);
    expect(sum(refusals.map(({ correctedLater }) => correctedLater))).toBe(corrections);
  });

  test("are the same in whatever order files are read, with one line a minute or each", async () => {
    const reversed = reportOf([...planted].reverse());
    const { total, rows } = reportOf(planted);
    expect({ ...reversed.total, correctedLater: total.correctedLater }).toEqual(total);
    expect(reversed.rows.map(({ name, calls }) => [name, calls])).toEqual(
      rows.map(({ name, calls }) => [name, calls]),
    );
    const each = await plantedLog({ runs: 400, content: "keys", valid: "each" });
    expect(reportOf(each).total).toEqual(total);
  }, 60_000);

  test("a correction belongs to the refused call of its own thread or run", () => {
    const corrected = (of: string, more: object): LogLine => ({
      ...call(),
      kind: "correction",
      source: "later-call",
      of,
      ...more,
    });
    const { refusals, total } = reportOf([
      call({ call: "1", run: "a" }),
      call({ call: "1", run: "b", tool: "type" }),
      call({ call: "1", run: "c", thread: "t", tool: "open" }),
      corrected("1", { run: "a" }),
      corrected("1", { run: "a" }),
      corrected("1", { run: "d", thread: "t" }),
      corrected("2", { run: "b" }),
    ]);
    expect(total.correctedLater).toBe(2);
    expect(refusals.map(({ tool, correctedLater }) => [tool, correctedLater])).toEqual([
      ["click", 1],
      ["type", 0],
      ["open", 1],
    ]);
  });

  test("a correction of a thread is counted for no call where two of its calls have one id", () => {
    const corrected = (more: object): LogLine => ({
      ...call(),
      kind: "correction",
      source: "human",
      of: "1",
      ...more,
    });
    const { refusals, total } = reportOf([
      call({ call: "1", run: "a", thread: "t" }),
      call({ call: "1", run: "b", thread: "t", tool: "type" }),
      corrected({ run: "c", thread: "t" }),
      corrected({ run: "b", thread: "t" }),
    ]);
    expect(total.correctedLater).toBe(1);
    expect(refusals.map(({ tool, correctedLater }) => [tool, correctedLater])).toEqual([
      ["click", 0],
      ["type", 1],
    ]);
  });

  test("a fault counts once for each call of a list's items, and numbers of items are one kind", () => {
    const { faults } = reportOf([
      call({ issues: [{ path: "/items/0/qty", code: "type" }] }),
      call({
        outcome: "repaired",
        issues: [
          { path: "/items/12/qty", code: "type", expected: "integer" },
          { path: "/v2/qty", code: "type" },
        ],
      }),
    ]);
    expect(faults).toMatchObject([
      { path: "/items/*/qty", code: "type", count: 2, ran: 1, expected: "integer" },
      { path: "/v2/qty", count: 1, ran: 1 },
    ]);
  });
});

describe("time", () => {
  test("a clock that is out of range is counted, and stretches no period", () => {
    const { from, to, read, total } = reportOf([
      call({ t: "0001-01-01T00:00:00Z" }),
      call(),
      call({ t: "+200000-01-01T00:00:00Z" }),
    ]);
    expect([total.calls, read.wrongClock]).toEqual([3, 2]);
    expect([from, to]).toEqual(["2026-11-03T10:20:30.400Z", "2026-11-03T10:20:30.400Z"]);
  });

  test("since: what is before does not count", () => {
    const since = Date.parse("2026-11-10T00:00:00Z");
    const lines = [call({ t: "2026-11-01T00:00:00Z" }), call({ t: "2026-11-11T00:00:00Z" })];
    const { total, read, faults } = reportOf(lines, { since });
    expect([total.calls, read.before, faults[0]?.count]).toEqual([1, 1, 1]);
  });
});

describe("whatever a model makes up", () => {
  test("names as of an object's own are names", () => {
    const names = ["__proto__", "constructor", "toString"];
    const { rows, models } = reportOf(names.map((tool) => call({ tool, model: tool })));
    expect(rows.map(({ name }) => name)).toEqual([...names].sort());
    expect(models).toBe(3);
  });
});

test("an empty log is an empty report", () => {
  expect(reportOf([])).toMatchObject({ total: { calls: 0 }, rows: [], faults: [], refusals: [] });
});
