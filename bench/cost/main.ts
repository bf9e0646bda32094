// Measures what toolmend costs, against goals: npm run bench [-- --check] [-- --write] [-- --row WHAT]
// Each ratio is of CPU time, the median of paired rounds. With --check it fails if a ratio stays over its
// ceiling when measured again, each time in a new process. --row measures one row, and prints JSON.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { confirm, isOver, lineOf, type Result, tableOf } from "./judge.ts";
import { compare, ratioOf } from "./paired.ts";
import { rowsOf } from "./rows.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const args = process.argv.slice(2);
const [checks, writes] = ["--check", "--write"].map((name) => args.includes(name));
const [, only] = args.slice(args.indexOf("--row"), args.includes("--row") ? undefined : 0);

/** A row with a ceiling, and how it is measured. */
interface Measured {
  readonly what: string;
  readonly measure: () => Promise<Result>;
  /** Whether each measurement runs in its own process anyway. */
  readonly isApart?: true;
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

const ratios = rowsOf(await loadJsonrepair()).map(({ over, under, ...row }): Measured => {
  const rounds = row.what.endsWith("MB") ? 5 : 11;
  return {
    what: row.what,
    async measure() {
      const { median: figure, spread } = await compare(over, under, rounds);
      return { ...row, figure, spread };
    },
  };
});

const entry = join(root, "dist", "index.js");
const click = {
  name: "click",
  schema: {
    type: "object",
    properties: { selector: { type: "string" }, count: { type: "integer" } },
    required: ["selector"],
    additionalProperties: false,
  },
};
/** CPU time of a new process, over that of its import of `@langchain/core/tools`. */
const script = (what: string) => `
  const cpuTime = () => { const { user, system } = process.cpuUsage(); return user + system; };
  const begun = cpuTime();
  await import("@langchain/core/tools");
  const peer = cpuTime() - begun;
  const beforeImport = cpuTime();
  const { repairToolInput } = await import(${JSON.stringify(entry)});
  const imported = cpuTime() - beforeImport;
  await repairToolInput({ selector: "#buy" }, ${JSON.stringify(click)});
  const beforeFault = cpuTime();
  await repairToolInput({ Selector: "#buy", count: "3" }, ${JSON.stringify(click)});
  const firstFault = cpuTime() - beforeFault;
  console.log(${what} / peer);`;
const repairs = writes ? "200000" : "20000";
const apart: readonly Measured[] = [
  ...(existsSync(entry)
    ? [
        inProcesses({
          what: "import of the main entry ÷ that of @langchain/core/tools",
          goal: 0.1,
          times: 9,
          once: () => numberFrom(["--input-type=module", "-e", script("imported")]),
        }),
        inProcesses({
          what: "first faulty input of a process ÷ import of @langchain/core/tools",
          goal: 0.12,
          times: 9,
          once: () => numberFrom(["--input-type=module", "-e", script("firstFault")]),
        }),
      ]
    : []),
  inProcesses({
    what: "1 MB with one fault, peak over parse + validate, MB",
    goal: 10,
    times: 5,
    once: () => memory("faulty") - memory("bare"),
  }),
  inProcesses({
    what: `${repairs} repairs with fresh schemas, growth of the heap, MB`,
    goal: 1,
    // Garbage collection leaves a difference of some MB; leaked schemas would take tens.
    ceiling: 6,
    times: 3,
    once: () => memory("fresh", repairs),
  }),
];

/** A figure printed by a process, which runs several times. */
interface InProcesses extends Pick<Result, "what" | "goal" | "ceiling"> {
  readonly times: number;
  readonly once: () => number;
}

function inProcesses({ times, once, ...row }: InProcesses): Measured {
  return {
    what: row.what,
    isApart: true,
    async measure() {
      const figures = Array.from({ length: times }, once);
      const { median, spread } = ratioOf(figures);
      return { ...row, figure: median, spread };
    },
  };
}

function memory(...what: string[]): number {
  return numberFrom(["scripts/run-ts.mjs", "bench/cost/memory.ts", ...what]);
}

function numberFrom(command: readonly string[]): number {
  return Number(execFileSync("node", command, { cwd: root, encoding: "utf8" }).trim());
}

/** Measures a row in a fresh process. */
function measureApart(what: string): Result {
  const command = ["scripts/run-ts.mjs", "bench/cost/main.ts", "--row", what];
  const lines = execFileSync("node", command, { cwd: root, encoding: "utf8" }).trim().split("\n");
  return JSON.parse(lines.at(-1) ?? "") as Result;
}

async function measureAll(): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const { what, measure, isApart } of [...ratios, ...apart]) {
    const first = await measure();
    const again = isApart ? measure : () => measureApart(what);
    const result = checks || writes ? await confirm(first, again) : first;
    results.push(result);
    console.log(lineOf(result));
  }
  return results;
}

if (only === undefined) {
  const results = await measureAll();
  if (!existsSync(entry))
    console.log("There is no dist: the rows about imports are left out (npm run build).");
  if (writes) write(results);
  const over = results.filter(isOver);
  if (checks && over.length > 0) {
    console.error(`\nOver the limit in every measurement:\n${over.map(lineOf).join("\n")}`);
    process.exitCode = 1;
  }
} else {
  const row = [...ratios, ...apart].find(({ what }) => what === only);
  if (row === undefined) throw new Error(`There is no row "${only}".`);
  console.log(JSON.stringify(await row.measure()));
}

function write(results: readonly Result[]): void {
  const text = `# What toolmend costs

Written by \`npm run bench -- --write\`: Node ${process.versions.node}, ${cpus()[0]?.model}. Ratios of CPU time, medians of paired rounds; spread is the range of the
middle half of them over the median. *At most* is the goal and a third of it, or what is stated where the goal is not reached;
a figure in bold is over it, as a busy machine makes some. \`npm run bench -- --check\` fails where a ratio is over that, measured four times, each in another process.

${tableOf(results)}
`;
  writeFileSync(join(root, "bench", "COST.md"), text);
}
