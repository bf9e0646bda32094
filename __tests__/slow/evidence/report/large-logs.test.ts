import { expect, test } from "@jest/globals";
import type { CallLine } from "#src/evidence/log-line.ts";
import { createReportCollector } from "#src/evidence/report/collect-report.ts";

const READ = { files: 1, lines: 0, torn: 0, foreign: 0, newer: 0, cut: [] };

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

test("whatever a model makes up is bounded, and no call is lost", () => {
  const collector = createReportCollector();
  for (let index = 0; index < 30_000; index++) {
    collector.add(
      call({
        tool: `tool ${index % 7_000}`,
        model: `model ${index % 900}`,
        issues: [{ path: `/key-${index}`, code: "unrecognized_keys" }],
        repairs: [{ fixer: `fixer ${index}`, path: "", level: "safe" }],
      }),
    );
  }
  const { total, rows, models, faults, fixers, refusals } = collector.finish(READ);
  expect(total.calls).toBe(30_000);
  expect(rows.length).toBeLessThanOrEqual(3_001);
  expect(models).toBe(900);
  expect(faults.length).toBeLessThan(25_000);
  for (const kinds of [faults, fixers, refusals]) {
    expect(kinds.reduce((sum, { count: n }) => sum + n, 0)).toBe(30_000);
  }
});
