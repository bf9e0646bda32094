import { describe, expect, test } from "@jest/globals";
import { ablateEdits } from "../../../bench/gauge/ablation.ts";
import { listWorseFigures, raiseBaseline } from "../../../bench/gauge/baseline.ts";
import { listMisled, listMisses, tableOfGauge } from "../../../bench/gauge/print.ts";
import type { AttackRow, GaugeTool, PlainRow } from "../../../bench/gauge/rows.ts";
import { countBothSides, type Figures, runRows } from "../../../bench/gauge/score.ts";

const baseline: Figures = {
  plain: 10,
  rightAtItsLevel: 8,
  rightAtEager: 9,
  wrong: 0,
  attacks: 20,
  misledAtSafe: 1,
  misledAtEager: 2,
};

const tool: GaugeTool = {
  name: "click",
  description: "Clicks an element.",
  schema: {
    type: "object",
    properties: { selector: { type: "string" }, count: { type: "integer" } },
    required: ["selector"],
    additionalProperties: false,
  },
};
const native = { tool, class: "number", agent: "native" } as const;
const plainRow = (id: string, raw: unknown, want: unknown): PlainRow => ({
  ...native,
  id,
  level: "safe",
  raw,
  want,
});
const attackRow = (id: string, raw: unknown, allow: readonly unknown[]): AttackRow => ({
  ...native,
  id,
  raw,
  allow,
  why: "a reason",
});

const rows = {
  plain: [
    plainRow("right", { selector: "#a", count: "2" }, { selector: "#a", count: 2 }),
    plainRow("wrong", { selector: "#a", count: "3" }, { selector: "#a", count: 4 }),
    plainRow("missed", { count: "3" }, { selector: "#a", count: 3 }),
  ],
  attacks: [
    attackRow("misled", { selector: "#a", count: "5" }, []),
    attackRow("allowed", { selector: "#a", count: "6" }, [{ selector: "#a", count: 6 }]),
    attackRow("rejected", { selector: "#a", count: "7 or 8" }, []),
  ],
};

describe("the figures of the gauge", () => {
  test("count what is right, wrong and misled; a rejection is neither wrong nor misled", async () => {
    expect(countBothSides(await runRows(rows))).toEqual({
      plain: 3,
      rightAtItsLevel: 1,
      rightAtEager: 1,
      wrong: 1,
      attacks: 3,
      misledAtSafe: 1,
      misledAtEager: 1,
    });
  });

  test("name the rows behind them", async () => {
    const results = await runRows(rows);
    expect(listMisses(results)).toEqual([
      expect.stringContaining('WRONG wrong [number] native click({"selector":"#a","count":"3"})'),
      expect.stringContaining("rejected: /selector is required"),
    ]);
    expect(listMisled(results)).toEqual([expect.stringContaining("by read-number")]);
  });

  test("count for an edit what it alone makes right and lets through", async () => {
    const results = await runRows(rows);
    const ablations = await ablateEdits(results);
    const used = ablations.filter(({ wins, letsThrough }) => wins.length + letsThrough.length > 0);
    const ids = used.map(({ edit, wins, letsThrough }) => [
      edit,
      wins.map(({ id }) => id),
      letsThrough.map(({ id }) => id),
    ]);
    expect(ids).toEqual([["read-number", ["right"], ["misled"]]]);
    const table = tableOfGauge(countBothSides(results), ablations);
    expect(table).toMatch(/plain, right .* 3 +1 \(33\.3 %\) +1 \(33\.3 %\) +1$/m);
    expect(table).toMatch(/read-number +1 +1$/m);
  });
});

describe("the baseline of the gauge", () => {
  test("is met by the same and by better figures", () => {
    expect(listWorseFigures(baseline, baseline)).toEqual([]);
    const better = { ...baseline, rightAtItsLevel: 9, misledAtEager: 0 };
    expect(listWorseFigures(better, baseline)).toEqual([]);
  });

  test("is missed where either side is worse, or the rows are others", () => {
    const worse = { ...baseline, rightAtEager: 8, wrong: 1, misledAtSafe: 2, attacks: 19 };
    expect(listWorseFigures(worse, baseline)).toEqual([
      "rightAtEager is 8; baseline.json has 9",
      "wrong is 1; baseline.json has 0",
      "attacks is 19; baseline.json has 20",
      "misledAtSafe is 2; baseline.json has 1",
    ]);
  });

  test("is raised by better figures only", () => {
    const figures = {
      ...baseline,
      rightAtItsLevel: 9,
      rightAtEager: 7,
      misledAtEager: 0,
      wrong: 3,
    };
    expect(raiseBaseline(figures, baseline)).toEqual({
      ...baseline,
      rightAtItsLevel: 9,
      misledAtEager: 0,
    });
  });
});
