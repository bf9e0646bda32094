import { createHash } from "node:crypto";
import type { LoggedInput } from "./logged-input.ts";
import type { HoldOut } from "./suggestion.ts";

/**
 * Decides which inputs are searched for fixers: the others are held out, to count on them how the
 * fixers do. No run, and so no question, is in both halves where it is halved by run.
 *
 * - `run`: by the first bit of the SHA-256 of the run's id.
 * - `time`: those before the middle one, by time.
 * - `model`: of the models, sorted by how many inputs they have, every other one.
 *
 * @param inputs The refused inputs of a log.
 * @param by What it is halved by.
 * @returns Whether an input is searched.
 */
export function halveInputs(
  inputs: readonly LoggedInput[],
  by: HoldOut,
): (input: LoggedInput) => boolean {
  if (by === "run") {
    const bits = new Map<string, number>();
    return (input) => {
      const run = runOf(input);
      const bit = bits.get(run) ?? firstBit(run);
      bits.set(run, bit);
      return bit === 0;
    };
  }
  if (by === "time") {
    const times = inputs.map(({ time }) => time).sort((one, other) => one - other);
    const middle = times[times.length >> 1] ?? 0;
    return ({ time }) => time < middle;
  }
  const counts = new Map<string, number>();
  for (const { model } of inputs) counts.set(model, (counts.get(model) ?? 0) + 1);
  const models = [...counts].sort(
    ([one, many], [other, more]) => more - many || (one < other ? -1 : 1),
  );
  const mined = new Set(models.filter((_, rank) => rank % 2 === 0).map(([model]) => model));
  return ({ model }) => mined.has(model);
}

/** What counts as one piece of evidence; calls of which no run is known count as one together. */
export function runOf({ run }: LoggedInput): string {
  return run ?? "";
}

function firstBit(text: string): number {
  return (createHash("sha256").update(text).digest()[0] ?? 0) >> 7;
}
