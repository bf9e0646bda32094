import { expect, test } from "@jest/globals";
import { type CallLine, type CorrectionLine, isLogLine } from "#src/evidence/log-line.ts";
import { HABITS, MODELS, TRAPS } from "../../support/evidence/planted-log/habits.ts";
import { plantedLog } from "../../support/evidence/planted-log/planted-log.ts";

/** The log of all runs, with content. */
const planted = plantedLog();

test("the planted log depends on its seed only", async () => {
  const small = { runs: 60 };
  const text = JSON.stringify(await plantedLog({ ...small, seed: 3 }));
  expect(JSON.stringify(await plantedLog({ ...small, seed: 3 }))).toBe(text);
  expect(JSON.stringify(await plantedLog({ ...small, seed: 4 }))).not.toBe(text);
});

test("every line is a log's, in chronological order, over thirty days and three models", async () => {
  const lines = await planted;
  expect(lines.filter((line) => !isLogLine(line))).toEqual([]);
  const times = lines.map(({ t }) => Date.parse(t));
  expect(times).toEqual([...times].sort((one, other) => one - other));
  expect(new Set(lines.map(({ t }) => t.slice(0, 10))).size).toBeGreaterThanOrEqual(30);
  expect(new Set(lines.map(({ model }) => model))).toEqual(new Set(MODELS));
});

test("planted faults are rejected, often enough to be found, and some of them are corrected", async () => {
  const lines = await planted;
  const refused = lines.filter(
    (line): line is CallLine => line.kind === "call" && line.outcome === "refused",
  );
  for (const fault of [...HABITS, ...TRAPS]) {
    const own = refused.filter(
      ({ tool, model }) =>
        (tool === fault.tool || tool === "find_orders" || tool === "open_document") &&
        fault.models.some((one) => one === model),
    );
    expect([fault.name, own.length >= 10]).toEqual([fault.name, true]);
  }
  const corrections = lines.filter((line): line is CorrectionLine => line.kind === "correction");
  expect(corrections.length / refused.length).toBeGreaterThan(0.3);
  expect(corrections.length / refused.length).toBeLessThan(0.5);
});

test("content none has no model output; keys has names, and no values", async () => {
  const canaries = ["euros", "pending", "192.168", "C-1", "billing"];
  const values = /pending|euros|billing|maps\.example|192\.168|SKU-/;
  const names = /find_orders|open_document|"customer"|severity|labels_csv/;
  const none = JSON.stringify((await plantedLog({ content: "none" })).filter(isNoSchema));
  const keys = JSON.stringify((await plantedLog({ content: "keys" })).filter(isNoSchema));
  const full = JSON.stringify((await planted).filter(isNoSchema));
  expect(canaries.filter((canary) => full.includes(canary)).length).toBeGreaterThan(3);
  expect([values.test(none), names.test(none)]).toEqual([false, false]);
  expect([values.test(keys), names.test(keys)]).toEqual([false, true]);
});

function isNoSchema({ kind }: { kind: string }): boolean {
  return kind !== "schema";
}
