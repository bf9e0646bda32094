import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { listWorseFigures } from "../../../bench/gauge/baseline.ts";
import { readRows } from "../../../bench/gauge/rows.ts";
import { countBothSides, type Figures, runRows } from "../../../bench/gauge/score.ts";

const folder = join(__dirname, "..", "..", "..", "bench", "gauge");

test("both sides of the gauge are no worse than their baseline", async () => {
  const baseline = JSON.parse(readFileSync(join(folder, "baseline.json"), "utf8")) as Figures;
  const results = await runRows(readRows(join(folder, "rows")));
  expect(listWorseFigures(countBothSides(results), baseline)).toEqual([]);
}, 60_000);
