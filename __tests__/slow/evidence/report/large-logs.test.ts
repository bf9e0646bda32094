import { expect, test } from "@jest/globals";
import { ReportCollector } from "#src/evidence/report/collect-report.ts";
import { callLine, READ } from "../../../support/evidence/call-line.ts";

test("the size of a report is bounded for any model output, and no call is lost", () => {
  const collector = new ReportCollector();
  for (let index = 0; index < 30_000; index++) {
    collector.add(
      callLine({
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

test("a rejected call costs no more time where many are waiting, and the latest can be corrected", () => {
  const collector = new ReportCollector();
  const time = (from: number) => {
    const start = performance.now();
    for (let index = from; index < from + 100_000; index++) {
      collector.add(callLine({ run: `run-${index}`, call: "1", issues: [] }));
    }
    return performance.now() - start;
  };
  const first = time(0);
  time(100_000);
  expect(time(200_000)).toBeLessThan(5 * first);
  for (const index of [0, 199_999, 200_000, 299_999]) {
    const line = { ...callLine({ run: `run-${index}` }), kind: "correction", of: "1" } as const;
    collector.add({ ...line, source: "human" });
  }
  expect(collector.finish(READ).total.correctedLater).toBe(2);
}, 120_000);
