import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { listWorseFigures } from "../../../bench/gauge/baseline.ts";
import { readRows, VALID_CLASS } from "../../../bench/gauge/rows.ts";
import { countBothSides, type Figures, runRows } from "../../../bench/gauge/score.ts";

const folder = join(__dirname, "..", "..", "..", "bench", "gauge");

test("both sides of the gauge are no worse than their baseline, and no valid input is rejected", async () => {
  const baseline = JSON.parse(readFileSync(join(folder, "baseline.json"), "utf8")) as Figures;
  const results = await runRows(readRows(join(folder, "rows")));
  expect(listWorseFigures(countBothSides(results), baseline)).toEqual([]);

  const valid = results.attacks.filter(({ row }) => row.class === VALID_CLASS);
  const rejected = valid.filter(({ atSafe, atEager }) => !atSafe.accepted || !atEager.accepted);
  expect(rejected.map(({ row }) => row.id)).toEqual([]);
  expect(valid.length).toBeGreaterThanOrEqual(40);
}, 60_000);
