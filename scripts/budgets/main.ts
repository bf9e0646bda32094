// Prints the figures of the checkout beside their budgets; part of `npm run check`. Fails if
//
// - a figure is above its ceiling: take something away, or make the case for a higher ceiling in review;
// - a ceiling is above its figure and its budget: the commit that makes something smaller lowers the ceiling.
//
//   npm run budgets [-- --write] [--verbose]
//
// --write lowers ceilings, and adds those of new rows; it never raises one. --verbose lists the files that
// hold lists of words, and the places in the code that the rows of its readability count.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { type Ceilings, describe, judge } from "./judge.ts";
import { measure } from "./measure.ts";
import { entryRow, ROWS } from "./table.ts";

const FILE = "scripts/budgets/ceilings.json";
const ceilings: Ceilings = existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : {};
const { figures, entries, wordsByFile, thought } = await measure();

const verdicts = [
  ...ROWS.map((row) => judge(row, figures[row.name], ceilings[row.name])),
  ...[...entries].map(([entry, count]) => {
    const row = entryRow(entry);
    return judge(row, count, ceilings[row.name]);
  }),
];

console.log(`${"".padEnd(28)}${"today".padStart(7)}${"budget".padStart(8)}`);
for (const verdict of verdicts) console.log(describe(verdict));
if (process.argv.includes("--verbose")) {
  for (const [file, count] of wordsByFile)
    console.log(`${String(count).padStart(6)} words in ${file}`);
  for (const [row, places] of Object.entries(thought))
    if (Array.isArray(places)) console.log([`${row}:`, ...places].join("\n  "));
}

const isWriting = process.argv.includes("--write");
if (isWriting) {
  const next = Object.fromEntries(verdicts.map(({ row, next }) => [row.name, next]));
  writeFileSync(FILE, `${JSON.stringify(next, undefined, 2)}\n`);
}
const known = new Set(verdicts.map(({ row }) => row.name));
const gone = Object.keys(ceilings).filter((name) => !known.has(name));
const faults = verdicts.filter(
  ({ fault }) => fault === "grew" || (fault !== undefined && !isWriting),
);
if (faults.some(({ fault }) => fault !== "grew") || (gone.length > 0 && !isWriting)) {
  console.error(`Lower the ceilings in this commit: npm run budgets -- --write`);
}
for (const { row, figure, ceiling } of faults.filter(({ fault }) => fault === "grew")) {
  console.error(`${row.name}: ${figure} ${row.unit}, over its ceiling of ${ceiling}.`);
}
if (faults.length > 0 || (gone.length > 0 && !isWriting)) process.exitCode = 1;
