// Mutates files of src, one small change at a time, and runs their tests: a change that fails no test
// shows a promise without a test.
//
//   npm run mutate -- FILE|FOLDER|GLOB… [--min PERCENT] [--own] [--count N] [--verbose] [--list]
//
// --min      exits with 1 if fewer are killed
// --own      runs a file's own tests only, not the wider ones (scripts/mutate/tests-of.ts)
// --count    tries so many of the mutants, spread evenly, the same in every run
// --verbose  prints each mutant, and the test that killed it
// --list     prints the mutants and runs nothing
//
// The mutants of all files are compiled once, each behind a switch, and processes that stay warm run
// one after another, each with the test files that reach it. The work tree is never written to.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import ts from "typescript";
import jestConfig from "../../jest.config.ts";
import { instrument, type NumberedMutant, type NumberedRead } from "./instrument.ts";
import { reaches, TestPool } from "./kill-mutants.ts";
import { mutantsOf } from "./mutants.ts";
import {
  describeKill,
  describeMutant,
  type MutantFate,
  reportOf,
  type Stage,
  scoreOf,
} from "./report.ts";
import { testsOf } from "./tests-of.ts";

interface FileRead extends NumberedRead {
  readonly file: string;
}

const USAGE = "Usage: npm run mutate -- FILE|FOLDER|GLOB…, of src";

/** The cores of a small machine. */
const PROCESSES = 2;

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    min: { type: "string", default: "0" },
    own: { type: "boolean", default: false },
    count: { type: "string", default: "Infinity" },
    verbose: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});

const minimum = Number(options.min);
if (Number.isNaN(minimum)) throw new Error(`--min takes percent, not ${options.min}`);
const files = filesIn(positionals);
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
const tests = new Map(files.map((file) => [file, testsOf(root, file)]));
const { mutants: allMutants, reads } = numbered();
const mutants = sampled(allMutants, Number(options.count));
if (options.list) console.log(mutants.map(describeMutant).join("\n"));
else await run();

async function run(): Promise<void> {
  const began = performance.now();
  const pool = new TestPool({ root, config: configOfMutants(), sources: sources() }, PROCESSES);
  process.once("SIGINT", () => pool.stop());
  const fates = mutants.map((mutant): MutantFate => ({ mutant, isTried: false, isReached: false }));

  const red = await runStage(pool, fates, "own");
  if (red.length > 0) {
    console.error(`Nothing is mutated, and tests fail. Repair these first:\n${red.join("\n")}`);
    process.exitCode = 1;
  }
  if (red.length === 0 && !options.own && !pool.isStopped) {
    const leftOut = await runStage(pool, fates, "wider");
    if (leftOut.length > 0) {
      console.error(
        `Left out, because they fail though nothing is mutated:\n${leftOut.join("\n")}`,
      );
    }
  }
  const isInterrupted = pool.isStopped;
  pool.stop();
  if (red.length > 0) return;

  const tried = fates.filter(({ isTried }) => isTried);
  console.log(`\n${reportOf(files, tried)}\n\n${Math.round((performance.now() - began) / 1000)} s`);
  if (isInterrupted) console.error(`Interrupted: ${tried.length} of ${fates.length} were tried.`);
  const isUnderMinimum = scoreOf(tried) < minimum;
  if (isUnderMinimum) console.error(`Less than the ${minimum} % of --min.`);
  if (isInterrupted || isUnderMinimum) process.exitCode = 1;
}

/** Tries the mutants that are alive; returns the test files that fail without a mutant. */
async function runStage(
  pool: TestPool,
  fates: readonly MutantFate[],
  stage: Stage,
): Promise<readonly string[]> {
  const alive = fates.filter(({ kill }) => kill === undefined);
  const testsOfMutant = ({ file }: NumberedMutant) => tests.get(file)?.[stage] ?? [];
  const needed = [...new Set(alive.flatMap(({ mutant }) => testsOfMutant(mutant)))];
  console.log(`${alive.length} mutants, ${needed.length} test files (${stage})`);
  const baselines = await pool.measure(needed);
  const red = baselines.filter(({ isGreen }) => !isGreen);
  const redTests = red.map(({ test, failure }) => `${test}: ${failure}`);
  if (pool.isStopped) return [];
  if (red.length > 0 && stage === "own") return redTests;

  for (const fate of alive) {
    const { file, reachId } = fate.mutant;
    const meant = baselines.filter(({ test }) => tests.get(file)?.[stage].includes(test));
    fate.isReached ||= meant.some((baseline) => reaches(baseline, reachId));
  }
  const byId = new Map(alive.map((fate) => [fate.mutant.id, fate]));
  const targets = alive.map(({ mutant }) => ({ ...mutant, tests: testsOfMutant(mutant) }));
  let met = 0;
  await pool.kill(targets, ({ id }, kill) => {
    const fate = byId.get(id);
    if (fate === undefined) return;
    met += 1;
    if (met % 25 === 0) console.log(`${met} of ${alive.length} tried`);
    fate.isTried = true;
    if (kill !== undefined) fate.kill = { ...kill, stage };
    const isLast = stage === "wider" || options.own || kill !== undefined;
    if (options.verbose && isLast) console.log(describeKill(fate));
  });
  return redTests;
}

/** The files of src that are meant, as paths from the root. */
function filesIn(patterns: readonly string[]): string[] {
  if (patterns.length === 0) throw new Error(USAGE);
  const found = patterns.flatMap((pattern) => {
    const paths = ts.sys.readDirectory(root, [".ts"], undefined, [pattern]);
    const inSource = paths
      .map((path) => relative(root, path))
      .filter((path) => /^src\//.test(path));
    if (inSource.length === 0) throw new Error(`No file of src is ${pattern}. ${USAGE}`);
    return inSource;
  });
  return [...new Set(found)].sort();
}

/** The mutants of all files, and the reads of the constants that have some, with their numbers. */
function numbered(): { mutants: readonly NumberedMutant[]; reads: readonly FileRead[] } {
  const mutants: NumberedMutant[] = [];
  const reads: FileRead[] = [];
  // 0 is no mutant.
  let last = 0;
  for (const [file, text] of texts) {
    const found = mutantsOf(file, text);
    const constants = new Map<string, number>();
    for (const mutant of found.mutants) {
      last += 1;
      const id = last;
      if (mutant.constant !== undefined && !constants.has(mutant.constant)) {
        last += 1;
        constants.set(mutant.constant, last);
      }
      const reachId = constants.get(mutant.constant ?? "") ?? id;
      mutants.push({ ...mutant, file, id, reachId });
    }
    for (const read of found.reads) {
      const id = constants.get(read.constant);
      if (id !== undefined) reads.push({ ...read, file, id });
    }
  }
  return { mutants, reads };
}

/** As many as asked for, in an arbitrary order that is always the same; listed by place. */
function sampled(all: readonly NumberedMutant[], count: number): NumberedMutant[] {
  const key = ({ file, line, column, after }: NumberedMutant) =>
    createHash("sha1").update(`${file} ${line} ${column} ${after}`).digest("hex");
  const keyed = all.map((mutant) => ({ mutant, key: key(mutant) }));
  keyed.sort((row, next) => (row.key < next.key ? -1 : 1));
  const chosen = keyed.slice(0, count).map(({ mutant }) => mutant);
  return chosen.sort((mutant, next) => mutant.id - next.id);
}

/** The instrumented texts, by absolute path. */
function sources(): Record<string, string> {
  const instrumented = [...texts].map(([file, text]) => {
    const ofFile = mutants.filter((mutant) => mutant.file === file);
    const readsOfFile = reads.filter((read) => read.file === file);
    return [join(root, file), instrument(text, ofFile, readsOfFile)] as const;
  });
  return Object.fromEntries(instrumented);
}

/** Jest's configuration of the fast tests, with the mutants compiled in. */
function configOfMutants(): object {
  const fast = jestConfig.projects?.[0];
  if (typeof fast !== "object") throw new Error("jest.config.ts: its first project is no object");
  const [compiler] = Object.values(fast.transform ?? {});
  if (!Array.isArray(compiler)) throw new Error("jest.config.ts: its compiler has no options");
  return {
    ...fast,
    rootDir: root,
    roots: [`${root}/src`, `${root}/__tests__`],
    transform: { "\\.ts$": [`${root}/scripts/mutate/jest/transformer.mjs`, compiler[1]] },
    testEnvironment: `${root}/scripts/mutate/jest/environment.mjs`,
    reporters: [],
    testTimeout: jestConfig.testTimeout,
  };
}
