import { printName } from "../evidence/print-name.ts";
import type { ReplayCause, ReplayResult } from "../evidence/replay/replay-inputs.ts";
import { toTable } from "./terminal.ts";

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
