// What toolmend costs, against goals: npm run bench [-- --check] [-- --write]
// Each ratio is of CPU time, the median of paired rounds. With --check it fails where one is over what
// it is held to by more than a third, and by more than half its spread besides.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compare, ratioOf } from "./paired.ts";
import { rowsOf } from "./rows.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const args = process.argv.slice(2);
const [checks, writes] = ["--check", "--write"].map((name) => args.includes(name));

/** What a ratio may be over what it is held to: a machine that others use. */
const TOLERANCE = 4 / 3;

interface Result {
  readonly what: string;
  readonly figure: number;
  readonly spread: number;
  readonly goal: number;
  readonly now?: number | undefined;
}

const results: Result[] = [];
function take(result: Result): void {
  results.push(result);
  console.log(lineOf(result));
}

/** Whether it is over by more than the spread of its rounds, which may be noise. */
function isOver({ figure, spread, goal, now = goal }: Result): boolean {
  return figure * (1 - Math.min(spread, 1) / 2) > now * TOLERANCE;
}

function lineOf(result: Result): string {
  const { what, figure, spread, goal, now } = result;
  const held = now === undefined ? "" : `, held to ${now}`;
  const mark = isOver(result) ? "  OVER" : "";
  return `${what}: ${show(figure)} (spread ${spread.toFixed(2)}); goal ${goal}${held}${mark}`;
}

function show(figure: number): string {
  return figure < 10 ? figure.toFixed(2) : figure.toFixed(1);
}

const head = "| what | now | spread | goal | held to |\n|---|--:|--:|--:|--:|";

function tableOf(all: readonly Result[]): string {
  const rows = all.map(
    ({ what, figure, spread, goal, now }) =>
      `| ${what} | ${show(figure)} | ${spread.toFixed(2)} | ${goal} | ${now ?? goal} |`,
  );
  return [head, ...rows].join("\n");
}

async function loadJsonrepair(): Promise<((text: string) => string) | undefined> {
  const name: string = "jsonrepair";
  try {
    return ((await import(name)) as { jsonrepair: (text: string) => string }).jsonrepair;
  } catch {
    console.log("jsonrepair is not installed: the rows that compare with it are left out.");
    return undefined;
  }
}

for (const { what, goal, now, over, under } of rowsOf(await loadJsonrepair())) {
  const rounds = what.endsWith("MB") ? 5 : 9;
  const { median: figure, spread } = await compare(over, under, rounds);
  take({ what, figure, spread, goal, now });
}

const entry = join(root, "dist", "index.js");
if (existsSync(entry)) {
  const script = `await import("@langchain/core/tools");
    const start = process.cpuUsage();
    await import(${JSON.stringify(entry)});
    const { user, system } = process.cpuUsage(start);
    console.log((user + system) / 1000);`;
  const once = () => numberFrom(["--input-type=module", "-e", script]);
  const { median: figure, spread } = ratioOf(Array.from({ length: 7 }, once));
  take({ what: "import of the main entry over core/tools, CPU ms", figure, spread, goal: 12 });
} else {
  console.log("There is no dist: what an import costs is left out (npm run build).");
}

const memory = (...what: string[]) =>
  numberFrom(["scripts/run-ts.mjs", "bench/cost/memory.ts", ...what]);
const peaks = Array.from({ length: 5 }, () => memory("faulty") - memory("bare"));
const { median: peak } = ratioOf(peaks);
take({
  what: "1 MB with one fault, peak over parse + validate, MB",
  figure: peak,
  spread: 0,
  goal: 10,
});
const repairs = writes ? "200000" : "20000";
const { median: figure } = ratioOf(Array.from({ length: 3 }, () => memory("fresh", repairs)));
take({
  what: `${repairs} repairs with fresh schemas, growth of the heap, MB`,
  figure,
  spread: 0,
  goal: 1,
  // What a collector leaves behind differs by some MB; schemas that are kept would come to tens.
  now: 6,
});

if (writes) {
  const about = `Written by \`npm run bench -- --write\`: Node ${process.versions.node}, ${cpus()[0]?.model}.`;
  const text = `# What toolmend costs\n\n${about} Ratios of CPU time, medians of paired rounds; spread is the range of the\nmiddle half of them over the median. \`npm run bench -- --check\` fails where one, less half its spread, is over what it is held to by\nmore than a third.\n\n${tableOf(results)}\n`;
  writeFileSync(join(root, "bench", "COST.md"), text);
}
const over = results.filter(isOver);
if (checks && over.length > 0) {
  console.error(`\nOver what it is held to:\n${over.map(lineOf).join("\n")}`);
  process.exitCode = 1;
}

function numberFrom(command: readonly string[]): number {
  return Number(execFileSync("node", command, { cwd: root, encoding: "utf8" }).trim());
}
