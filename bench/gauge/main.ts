// Both sides of every rule: npm run gauge [-- --misses] [-- --misled] [-- --table] [-- --write [--force]]
// Fails if a side is worse than in baseline.json. README.md says what is measured.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ablateEdits } from "./ablation.ts";
import { listWorseFigures, raiseBaseline } from "./baseline.ts";
import { listMisled, listMisses, tableByClass, tableOfGauge } from "./print.ts";
import { readRows } from "./rows.ts";
import { countBothSides, type Figures, runRows } from "./score.ts";

const flag = { type: "boolean", default: false } as const;
const { values: flags } = parseArgs({
  options: { misses: flag, misled: flag, table: flag, write: flag, force: flag },
});
const baselineFile = new URL("baseline.json", import.meta.url);
const baseline = JSON.parse(readFileSync(baselineFile, "utf8")) as Figures;

const results = await runRows(readRows(fileURLToPath(new URL("rows", import.meta.url))));
const figures = countBothSides(results);
console.log(tableOfGauge(figures, await ablateEdits(results)));
if (flags.table) console.log(`\n${tableByClass(results)}`);
if (flags.misses) console.log(`\nMisses\n${listMisses(results).join("\n")}`);
if (flags.misled) console.log(`\nMisled\n${listMisled(results).join("\n")}`);

if (flags.write) {
  const raised = flags.force ? figures : raiseBaseline(figures, baseline);
  writeFileSync(baselineFile, `${JSON.stringify(raised, null, 2)}\n`);
}
const worse = flags.force ? [] : listWorseFigures(figures, baseline);
if (worse.length > 0) {
  console.error(`\nWorse than before:\n${worse.join("\n")}`);
  process.exitCode = 1;
}
