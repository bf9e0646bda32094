import { printName } from "../evidence/print-name.ts";
import type { ReplayedCall, ReplayResult } from "../evidence/replay/replay-inputs.ts";
import { toTable } from "./terminal.ts";

/** How many calls may be lost and changed, and how many are. */
export interface Gate {
  readonly maxLost: number;
  readonly maxChanged: number;
  readonly lost: number;
  readonly changed: number;
  readonly isBroken: boolean;
}

/** The most calls that are named. */
const MAX_CALLS = 40;

/**
 * Lays out what a replay comes to.
 *
 * @param result What it comes to.
 * @param gate What may be, and what is.
 * @param withoutInput How many calls of the log hold no input.
 * @returns The lines.
 */
export function showReplay(
  { calls, acceptedBefore, acceptedNow, differing, withoutSchema, notInBaseline }: ReplayResult,
  gate: Gate,
  withoutInput: number,
): readonly string[] {
  const gained = differing.filter(({ kind }) => kind === "gained");
  const broken = differing.filter(({ kind }) => kind !== "gained");
  const agree = gained.filter(({ agrees }) => agrees === true).length;
  const contradict = gained.filter(({ agrees }) => agrees === false).length;
  const hadFixer = broken.filter((call) => call.hadFixer).length;
  const more = broken.length - MAX_CALLS;
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
    `Lost: ${gate.lost} (at most ${gate.maxLost}). Changed: ${gate.changed} (at most ${gate.maxChanged}). Gained: ${gained.length}: agrees with ${agree} corrections, contradicts ${contradict}, ${gained.length - agree - contradict} without a known one.`,
    ...(broken.length === 0 ? [] : ["", ...tableOf(broken.slice(0, MAX_CALLS))]),
    ...(more > 0 ? [`and ${more} more: --json names all.`] : []),
    ...(notes.length === 0 ? [] : ["", ...notes]),
  ];
}

function tableOf(calls: readonly ReplayedCall[]): readonly string[] {
  const rows = calls.map(({ kind, tool, run = "", call = "", why = [], paths = [] }) => {
    const where = kind === "lost" ? why.slice(0, 3).join("; ") : `differs at ${paths.join(", ")}`;
    return [kind, printName(tool), printName(call), printName(run), printName(where, 120)];
  });
  return toTable([["what", "tool", "call", "run", "where"], ...rows]).split("\n");
}
