import { isJsonObject } from "../../repair/json/json-value.ts";

/** The parts of a call that are compared. */
interface PairedCall {
  readonly name: string;
  /** The input that the tool runs with; for a call that does not run, what the model wrote. */
  readonly input: unknown;
}

/** The calls of a model's first answer, and of its corrected one. */
interface Corrections<Call> {
  /** Valid calls that wait. */
  readonly held: readonly Call[];
  readonly refused: readonly Call[];
  /** The calls of the new answer. */
  readonly made: readonly Call[];
}

/**
 * Pairs rejected calls with their corrections: of the same tool first, then of another. A model
 * that is asked to correct one call mostly repeats the valid ones, which never run again: calls
 * equal to a held one are left out first. If a held call is not repeated, calls of its tool correct
 * only calls of that tool, because one of them may be the held call in other words. If more
 * candidates remain than calls to correct, none is taken, so that their order never decides which
 * one runs.
 */
export function pairCorrections<Call>(
  { held, refused, made }: Corrections<Call>,
  describe: (call: Call) => PairedCall,
): ReadonlyMap<Call, Call> {
  const keyOf = (call: Call) => callKey(describe(call));
  const isOf = (name: string) => (call: Call) => describe(call).name === name;
  const waiting = new Set(held.map(keyOf));
  const left = new Set(made.filter((call) => !waiting.has(keyOf(call))));
  const pairs = new Map<Call, Call>();
  const pair = (corrected: readonly Call[], candidates: readonly Call[]) => {
    if (candidates.length > corrected.length) return;
    for (const [index, call] of candidates.entries()) pairs.set(corrected[index] as Call, call);
  };
  for (const name of new Set(refused.map((call) => describe(call).name))) {
    const candidates = [...left].filter(isOf(name));
    for (const call of candidates) left.delete(call);
    pair(refused.filter(isOf(name)), candidates);
  }
  const repeated = new Set(made.map(keyOf));
  for (const one of held.filter((call) => !repeated.has(keyOf(call)))) {
    for (const call of [...left].filter(isOf(describe(one).name))) left.delete(call);
  }
  const open = refused.filter((call) => !pairs.has(call));
  pair(open, [...left]);
  return pairs;
}

/** One text for all calls that do the same, regardless of key order, spacing and empty fields. */
export function callKey({ name, input }: PairedCall): string {
  return JSON.stringify([name, plain(input)]);
}

function plain(value: unknown): unknown {
  if (typeof value === "string") return value.trim().replace(/\s+/g, " ");
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (!isJsonObject(value)) return value;
  const isGiven = ([, field]: [string, unknown]) => field !== null && field !== "";
  const fields = Object.entries(value)
    .map(([key, field]): [string, unknown] => [key, plain(field)])
    .filter(isGiven)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  // A list, because an object puts keys that are numbers first.
  return { fields };
}
