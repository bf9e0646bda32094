import { expect, test } from "@jest/globals";
import { ReportCollector } from "#src/evidence/report/collect-report.ts";
import { callLine, READ } from "../../../support/evidence/call-line.ts";
import { expectLinearTime } from "../../../support/growth.ts";

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

function collectRejected(count: number): ReportCollector {
  const collector = new ReportCollector();
  for (let index = 0; index < count; index++) {
    collector.add(callLine({ run: `run-${index}`, call: "1", issues: [] }));
  }
  return collector;
}

test("rejected calls that wait for a correction take time that grows linearly", async () => {
  await expectLinearTime(collectRejected, 300_000);
}, 120_000);

test("only the latest rejected calls can be corrected", () => {
  const collector = collectRejected(300_000);
  for (const index of [0, 199_999, 200_000, 299_999]) {
    const line = { ...callLine({ run: `run-${index}` }), kind: "correction", of: "1" } as const;
    collector.add({ ...line, source: "human" });
  }
  expect(collector.finish(READ).total.correctedLater).toBe(2);
}, 120_000);
