// What is printed: a score for each file, where its mutants were killed, and the survivors by name.
import type { NumberedMutant } from "./instrument.ts";
import type { Kill } from "./kill-mutants.ts";

export type Stage = "own" | "wider";

/** What became of a mutant. */
export interface MutantFate {
  readonly mutant: NumberedMutant;
  /** Whether all tests that were meant for it have met it. */
  isTried: boolean;
  /** Whether any test reached it. */
  isReached: boolean;
  kill?: Kill & { readonly stage: Stage };
}

/** The share that was killed, in percent; 100 of no mutants. */
export function scoreOf(fates: readonly MutantFate[]): number {
  if (fates.length === 0) return 100;
  return (100 * fates.filter(({ kill }) => kill !== undefined).length) / fates.length;
}

export function describeMutant({ file, line, column, mutator, before, after }: NumberedMutant) {
  return `${file}:${line}:${column}  ${mutator}  ${short(before)} → ${short(after)}`;
}

export function describeKill(fate: MutantFate): string {
  const { mutant, kill } = fate;
  if (kill === undefined) return `SURVIVED  ${describeMutant(mutant)}`;
  return `killed    ${describeMutant(mutant)}\n          by ${kill.test}: ${kill.failure}`;
}

/** The report on mutants that were tried. */
export function reportOf(files: readonly string[], fates: readonly MutantFate[]): string {
  const parts = files.map((file) => {
    const ofFile = fates.filter(({ mutant }) => mutant.file === file);
    const survivors = ofFile.filter(({ kill }) => kill === undefined).map(describeSurvivor);
    return [`${file}: ${summaryOf(ofFile)}`, ...survivors].join("\n");
  });
  if (files.length > 1) parts.push(`In all: ${summaryOf(fates)}`);
  return parts.join("\n\n");
}

function summaryOf(fates: readonly MutantFate[]): string {
  if (fates.length === 0) return "no mutant was tried";
  const kills = fates.flatMap(({ kill }) => kill ?? []);
  const byOwn = kills.filter(({ stage }) => stage === "own").length;
  const byTime = kills.filter(({ isByTime }) => isByTime).length;
  const stages = `${byOwn} by own tests, ${kills.length - byOwn} by wider ones`;
  const timed = byTime === 0 ? "" : `, ${byTime} of them by the time limit`;
  return `${scoreOf(fates).toFixed(1)} % of ${fates.length} killed (${stages}${timed})`;
}

function describeSurvivor({ mutant, isReached }: MutantFate): string {
  return `  ${describeMutant(mutant)}${isReached ? "" : "  (no test reaches it)"}`;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ");
  if (line === "") return "nothing";
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
