import { beforeAll, describe, expect, test } from "@jest/globals";
import type { LogLine } from "#src/evidence/log-line.ts";
import { type Report, ReportCollector } from "#src/evidence/report/collect-report.ts";
import { summarizeReport } from "#src/evidence/report/summarize-report.ts";
import { callLine, READ } from "../../../support/evidence/call-line.ts";
import { plantedLog } from "../../../support/evidence/planted-log/planted-log.ts";

function reportOf(lines: readonly LogLine[], by?: Report["by"]): Report {
  const collector = new ReportCollector(by);
  for (const line of lines) collector.add(line);
  return collector.finish(READ);
}

let planted: readonly LogLine[] = [];
beforeAll(async () => {
  planted = await plantedLog({ runs: 400, content: "keys" });
}, 60_000);

/** The number of calls in the lines, counted in another way than the report's. */
function count(isCounted: (line: LogLine) => boolean): number {
  return planted
    .filter(isCounted)
    .map((line) => (line.kind === "count" ? line.n : line.kind === "call" ? 1 : 0))
    .reduce((sum, n) => sum + n, 0);
}

describe("the sums", () => {
  test("equal those of the lines, by tool and by model", () => {
    for (const by of ["tool", "model"] as const) {
      const { rows, total } = reportOf(planted, by);
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

  test("have equal fault kinds and rejections", () => {
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

  test("do not depend on the order of files, with one line a minute or each", async () => {
    const reversed = reportOf([...planted].reverse());
    const { total, rows } = reportOf(planted);
    expect({ ...reversed.total, correctedLater: total.correctedLater }).toEqual(total);
    expect(reversed.rows.map(({ name, calls }) => [name, calls])).toEqual(
      rows.map(({ name, calls }) => [name, calls]),
    );
    const each = await plantedLog({ runs: 400, content: "keys", valid: "each" });
    expect(reportOf(each).total).toEqual(total);
  }, 60_000);

  test("a correction belongs to the rejected call of its own thread or run", () => {
    const corrected = (of: string, more: object): LogLine => ({
      ...callLine(),
      kind: "correction",
      source: "later-call",
      of,
      ...more,
    });
    const { refusals, total } = reportOf([
      callLine({ call: "1", run: "a" }),
      callLine({ call: "1", run: "b", tool: "type" }),
      callLine({ call: "1", run: "c", thread: "t", tool: "open" }),
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

  test("a correction in a thread is not counted if two of its calls have one id", () => {
    const corrected = (more: object): LogLine => ({
      ...callLine(),
      kind: "correction",
      source: "human",
      of: "1",
      ...more,
    });
    const { refusals, total } = reportOf([
      callLine({ call: "1", run: "a", thread: "t" }),
      callLine({ call: "1", run: "b", thread: "t", tool: "type" }),
      corrected({ run: "c", thread: "t" }),
      corrected({ run: "b", thread: "t" }),
    ]);
    expect(total.correctedLater).toBe(1);
    expect(refusals.map(({ tool, correctedLater }) => [tool, correctedLater])).toEqual([
      ["click", 0],
      ["type", 1],
    ]);
  });

  test("a fault counts once for all items of a call's list, and item numbers are one kind", () => {
    const { faults } = reportOf([
      callLine({ issues: [{ path: "/items/0/qty", code: "type" }] }),
      callLine({
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

describe("calls that others decided", () => {
  const lines = [callLine({ outcome: "passed" }), callLine({ outcome: "unused" }), callLine()];

  test("are faulty, but neither ran repaired nor were stopped", () => {
    const { total, refusals, faults } = reportOf(lines);
    expect(total).toMatchObject({ calls: 3, passed: 1, unused: 1, refused: 1, repaired: 0 });
    expect(faults).toMatchObject([{ count: 3, ran: 0 }]);
    expect(refusals).toMatchObject([{ count: 2 }]);
  });

  test("have a figure of their own, where there are any", () => {
    const name = "Passed on";
    const { figures } = summarizeReport(reportOf(lines));
    expect(figures).toContainEqual([name, "2", "1 rejected, 1 repairs not used"]);
    const plain = summarizeReport(reportOf([callLine()]));
    expect(plain.figures.map(([title]) => title)).not.toContain(name);
  });
});

describe("calls of toolmend record", () => {
  const recorded = [
    callLine({ seam: "record", outcome: "repaired" }),
    callLine({ seam: "record" }),
    { ...callLine({ seam: "record" }), kind: "count", n: 3 } as never,
  ];
  const headings = (lines: readonly LogLine[]) => {
    const { figures, parts } = summarizeReport(reportOf(lines));
    return { figures: figures.map(([name]) => name), columns: parts[0]?.rows[0]?.slice(4, 6) };
  };

  test("would be repaired, or would not run: they ran without toolmend", () => {
    expect(headings(recorded)).toEqual({
      figures: ["Calls", "Faulty", "Would be repaired", "Would not run", "Recorded"],
      columns: ["would be repaired", "would not run"],
    });
    expect(reportOf(recorded)).toMatchObject({ recorded: 5, total: { calls: 5, valid: 3 } });
  });

  test("have a figure of their own beside calls that ran with toolmend", () => {
    expect(headings([...recorded, callLine()])).toEqual({
      figures: ["Calls", "Faulty", "Repaired", "Not run", "Recorded"],
      columns: ["repaired", "not run"],
    });
    expect(headings([callLine()]).figures).toEqual(["Calls", "Faulty", "Repaired", "Not run"]);
  });
});

describe("time", () => {
  test("an out-of-range clock is counted, and does not stretch the period", () => {
    const { from, to, read, total } = reportOf([
      callLine({ t: "0001-01-01T00:00:00Z" }),
      callLine(),
      callLine({ t: "+200000-01-01T00:00:00Z" }),
    ]);
    expect([total.calls, read.wrongClock]).toEqual([3, 2]);
    expect([from, to]).toEqual(["2026-11-03T10:20:30.400Z", "2026-11-03T10:20:30.400Z"]);
  });
});

describe("names that a model makes up", () => {
  test("may be those of an object's own properties", () => {
    const names = ["__proto__", "constructor", "toString"];
    const { rows, models } = reportOf(names.map((tool) => callLine({ tool, model: tool })));
    expect(rows.map(({ name }) => name)).toEqual([...names].sort());
    expect(models).toBe(3);
  });
});

test("an empty log is an empty report", () => {
  expect(reportOf([])).toMatchObject({ total: { calls: 0 }, rows: [], faults: [], refusals: [] });
});
