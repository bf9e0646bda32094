import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { printName } from "../evidence/print-name.ts";
import { readBaseline, writeBaseline } from "../evidence/replay/baseline.ts";
import {
  type ReplayCause,
  type ReplayResult,
  replayInputs,
} from "../evidence/replay/replay-inputs.ts";
import { parseFlags, toCount, toLevel } from "./arguments.ts";
import { loadFixers, loadSchemas, makeFolderOf, readEvidence } from "./files.ts";
import { showProgress, type Terminal, toTable } from "./terminal.ts";

/** Where a baseline is written to where no file is named. */
const BASELINE = "toolmend.baseline.json";

/**
 * `toolmend replay`: which calls of a log would be lost or changed, or contradict what corrected them.
 * Exit code 1: more than allowed; 2: wrong use, or too little content.
 */
export async function replay(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parseFlags({
    args: [...args],
    allowPositionals: true,
    options: {
      fixers: { type: "string" },
      schemas: { type: "string" },
      level: { type: "string" },
      baseline: { type: "string" },
      update: { type: "boolean", default: false },
      "max-lost": { type: "string", default: "0" },
      "max-changed": { type: "string", default: "0" },
      "max-contradicted": { type: "string", default: "0" },
      json: { type: "boolean", default: false },
    },
  });
  const { fixers, schemas, level, baseline, update, json } = values;
  const at = (file: string) => resolve(terminal.project, file);
  const maxLost = toCount(values["max-lost"], { name: "--max-lost", least: 0 });
  const maxChanged = toCount(values["max-changed"], { name: "--max-changed", least: 0 });
  const maxContradicted = toCount(values["max-contradicted"], {
    name: "--max-contradicted",
    least: 0,
  });
  const logged = await readEvidence(positionals, terminal);
  const registry = fixers === undefined ? undefined : await loadFixers(at(fixers));
  const progress = showProgress(terminal, "replaying");
  const result = await replayInputs(logged, {
    fixers: registry,
    schemas: schemas === undefined ? undefined : loadSchemas(at(schemas)),
    level: level === undefined ? undefined : toLevel(level),
    // What is written anew is compared with nothing but the log.
    baseline:
      baseline === undefined || update
        ? undefined
        : readBaseline(readBaselineFile(at(baseline)), baseline),
    keepsOutcomes: update,
    onProgress: progress.update,
  }).finally(progress.end);
  if (result.calls === 0) {
    throw new TypeError(
      `No call could be replayed: the schemas of ${result.withoutSchema} calls are neither in the log nor in --schemas.`,
    );
  }
  const count = (kind: string) => result.differing.filter((call) => call.kind === kind).length;
  const [lost, changed] = [count("lost"), count("changed")];
  const { contradicted } = result;
  const isOver = lost > maxLost || changed > maxChanged || contradicted > maxContradicted;
  const isBroken = !update && isOver;
  const written = baseline ?? BASELINE;
  if (update) writeFileSync(makeFolderOf(at(written)), writeBaseline(result.outcomes));
  const { outcomes: _, ...shown } = result;
  const gate = { maxLost, maxChanged, maxContradicted, lost, changed, contradicted, isBroken };
  if (json) terminal.out(JSON.stringify({ ...shown, gate }, null, 1));
  else {
    for (const line of showReplay(result, gate, logged.counts.withoutInput)) terminal.out(line);
    if (update) terminal.out(`What comes out now is the baseline: ${written}.`);
  }
  return isBroken ? 1 : 0;
}

function readBaselineFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { message } = error as Error;
    throw new TypeError(`--baseline ${file} cannot be read (${message}): write it with --update.`);
  }
}

/** How many calls may be lost, changed and contradicted, and how many are. */
export interface Gate {
  readonly maxLost: number;
  readonly maxChanged: number;
  readonly maxContradicted: number;
  readonly lost: number;
  readonly changed: number;
  readonly contradicted: number;
  readonly isBroken: boolean;
}

/** The most causes that are shown. */
const MAX_CAUSES = 40;

/**
 * Lays out the result of a replay, by cause.
 *
 * @param result The result.
 * @param gate What is allowed, and what is.
 * @param withoutInput How many calls of the log hold no input.
 * @returns The lines.
 */
export function showReplay(
  { calls, acceptedBefore, acceptedNow, differing, causes, ...rest }: ReplayResult,
  gate: Gate,
  withoutInput: number,
): readonly string[] {
  const gained = differing.filter(({ kind }) => kind === "gained");
  const agree = gained.filter(({ agrees }) => agrees === true).length;
  const unlabelled = gained.length - agree - gate.contradicted;
  const hadFixer = differing.filter((call) => call.kind !== "gained" && call.hadFixer).length;
  const more = causes.length - MAX_CAUSES;
  const { withoutSchema, notInBaseline } = rest;
  const notes = [
    withoutInput > 0 && `${withoutInput} calls of the log hold no input: they were not replayed.`,
    withoutSchema > 0 &&
      `The schemas of ${withoutSchema} calls are not known: they were not replayed.`,
    notInBaseline > 0 &&
      `${notInBaseline} calls are not in the baseline: they are compared with the log.`,
    hadFixer > 0 &&
      `${hadFixer} of the calls lost or changed had been repaired by registered fixers: give these with --fixers.`,
  ].filter((note) => note !== false);
  return [
    `${calls} calls replayed. Accepted before: ${acceptedBefore}, now: ${acceptedNow}.`,
    `Lost: ${gate.lost} (at most ${gate.maxLost}). Changed: ${gate.changed} (at most ${gate.maxChanged}). Contradicted: ${gate.contradicted} (at most ${gate.maxContradicted}).`,
    `Gained: ${gained.length}: ${agree} agree with a correction, ${gate.contradicted} contradict one, ${unlabelled} have none.`,
    ...(causes.length === 0 ? [] : ["", ...tableOf(causes.slice(0, MAX_CAUSES))]),
    ...(more > 0 ? [`and ${more} more causes: --json has all, with their calls.`] : []),
    ...(notes.length === 0 ? [] : ["", ...notes]),
  ];
}

function tableOf(causes: readonly ReplayCause[]): readonly string[] {
  const rows = causes.map(({ kind, tool, path, rule, count }) => [
    kind,
    String(count),
    printName(tool),
    path === "" ? "the whole input" : printName(path),
    printName(rule, 120),
  ]);
  return toTable([["what", "calls", "tool", "place", "rule"], ...rows], [1]).split("\n");
}
