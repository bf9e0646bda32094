import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { printName } from "../evidence/print-name.ts";
import { readBaseline, writeBaseline } from "../evidence/replay/baseline.ts";
import {
  type ReplayCause,
  type ReplayResult,
  replayInputs,
} from "../evidence/replay/replay-inputs.ts";
import type { LoggedInputs } from "../evidence/suggest/logged-inputs.ts";
import { LEVELS } from "../repair/level-allows.ts";
import { askIfMeant } from "../repair/usage.ts";
import { countFrom, flag, readCommandLine, text, wordOf } from "./arguments.ts";
import { loadFixers, loadSchemas, makeFolderOf, NO_LOG, readEvidence } from "./files.ts";
import { type Terminal, toTable } from "./terminal.ts";

/** Where a baseline is written to where no file is named. */
const BASELINE = "toolmend.baseline.json";

/**
 * `toolmend replay`: which calls of a log would be lost or changed, or contradict what corrected them.
 * Exit code 1: more than allowed; 2: wrong use, or too little content.
 */
export async function replay(args: readonly string[], terminal: Terminal): Promise<number> {
  const { names, fixers, schemas, level, baseline, update, json, ...most } = readCommandLine(
    args,
    {
      fixers: text,
      schemas: text,
      level: wordOf(LEVELS, undefined),
      baseline: text,
      update: flag,
      "max-lost": countFrom(0, 0),
      "max-changed": countFrom(0, 0),
      "max-contradicted": countFrom(0, 0),
      json: flag,
    },
    NO_LOG,
  );
  const at = (file: string) => resolve(terminal.project, file);
  const logged = await readEvidence(names, terminal);
  const given = fixers === undefined ? undefined : await loadFixers(at(fixers));
  const ownSchemas = schemas === undefined ? undefined : loadSchemas(at(schemas));
  const result = await replayInputs(logged, {
    fixers: given?.fixers,
    schemas: ownSchemas,
    level,
    // What is written anew is compared with nothing but the log.
    baseline:
      baseline === undefined || update
        ? undefined
        : readBaseline(readBaselineFile(at(baseline)), baseline),
    keepsOutcomes: update,
  });
  if (result.calls === 0) {
    throw new TypeError(
      `No call could be replayed: the schemas of ${result.withoutSchema} calls are neither in the log nor in --schemas.`,
    );
  }
  const gate = gateOf(result, most, update);
  const written = baseline ?? BASELINE;
  if (update) writeFileSync(makeFolderOf(at(written)), writeBaseline(result.outcomes));
  const { outcomes: _, ...shown } = result;
  const { withoutInput } = logged.counts;
  const unread = `${withoutInput} calls of the log hold no input: they were not replayed.`;
  const notes = [
    ...(withoutInput > 0 ? [unread] : []),
    ...notInLog(given?.tools ?? [], logged, "--fixers has fixers for"),
    ...notInLog([...(ownSchemas?.keys() ?? [])], logged, "--schemas has a schema for"),
  ];
  if (json) terminal.out(JSON.stringify({ ...shown, gate, notes }, null, 1));
  else {
    for (const line of showReplay(result, gate, notes)) terminal.out(line);
    if (update) terminal.out(`What comes out now is the baseline: ${written}.`);
  }
  return gate.isBroken ? 1 : 0;
}

/** Names that no call of the log has: most are misspelt, or of a tool that nobody called. */
function notInLog(
  names: readonly string[],
  { inputs }: LoggedInputs,
  what: string,
): readonly string[] {
  const known = [...new Set(inputs.map(({ tool }) => tool))];
  return names
    .filter((name) => !known.includes(name))
    .map((name) => `${what} "${name}", of which the log has no call.${askIfMeant(name, known)}`);
}

function readBaselineFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { message } = error as Error;
    throw new TypeError(`--baseline ${file} cannot be read (${message}): write it with --update.`);
  }
}

type Most = Readonly<Record<"max-lost" | "max-changed" | "max-contradicted", number>>;

/** How many calls may be lost, changed and contradicted, and how many are. */
function gateOf({ differing, contradicted }: ReplayResult, most: Most, update: boolean) {
  const count = (kind: string) => differing.filter((call) => call.kind === kind).length;
  const [lost, changed] = [count("lost"), count("changed")];
  const [maxLost, maxChanged] = [most["max-lost"], most["max-changed"]];
  const maxContradicted = most["max-contradicted"];
  const isOver = lost > maxLost || changed > maxChanged || contradicted > maxContradicted;
  const isBroken = !update && isOver;
  return { maxLost, maxChanged, maxContradicted, lost, changed, contradicted, isBroken };
}

/** The most causes that are shown. */
const MAX_CAUSES = 40;

/** Lays out the result of a replay, by cause. */
function showReplay(
  { calls, acceptedBefore, acceptedNow, differing, causes, ...rest }: ReplayResult,
  gate: ReturnType<typeof gateOf>,
  given: readonly string[],
): readonly string[] {
  const gained = differing.filter(({ kind }) => kind === "gained");
  const agree = gained.filter(({ agrees }) => agrees === true).length;
  const unlabelled = gained.length - agree - gate.contradicted;
  const hadFixer = differing.filter((call) => call.kind !== "gained" && call.hadFixer).length;
  const more = causes.length - MAX_CAUSES;
  const { withoutSchema, notInBaseline } = rest;
  const notes = [
    ...given,
    withoutSchema > 0 &&
      `The schemas of ${withoutSchema} calls are not known: they were not replayed.`,
    notInBaseline > 0 &&
      `${notInBaseline} calls are not in the baseline: they are compared with the log.`,
    hadFixer > 0 &&
      `${hadFixer} of the calls lost or changed had been repaired by registered fixers: give these with --fixers.`,
  ].filter((note) => note !== false);
  return [
    `${calls} calls replayed. Accepted before: ${acceptedBefore}, now: ${acceptedNow}.`,
    [
      `Lost: ${gate.lost} (at most ${gate.maxLost}).`,
      `Changed: ${gate.changed} (at most ${gate.maxChanged}).`,
      `Contradicted: ${gate.contradicted} (at most ${gate.maxContradicted}).`,
    ].join(" "),
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
