import { isJsonObject } from "../../repair/json/json-value.ts";

/** What is compared of a call. */
export interface PairedCall {
  readonly name: string;
  /** What the tool is run with; what the model wrote, where it is not run. */
  readonly input: unknown;
}

/** The calls of a model's first answer, and of the one in which it was asked to correct it. */
export interface Corrections<Call> {
  /** Calls that were right, and wait. */
  readonly held: readonly Call[];
  readonly refused: readonly Call[];
  /** The calls of the new answer. */
  readonly made: readonly Call[];
}

/** Which calls stand for which. */
export interface Pairing<Call> {
  /** By the refused call: what corrects it. A refused call that is not in it stays refused. */
  readonly pairs: ReadonlyMap<Call, Call>;
  /** Calls of the new answer that correct none, and repeat none. */
  readonly others: readonly Call[];
  /** Whether the new answer stands alone: nothing waits, and nothing is left uncorrected. */
  readonly standsAlone: boolean;
}

/**
 * Pairs the calls that were refused with those that correct them: of the same tool first, then of
 * another. A model that is asked to correct one call mostly repeats the right ones, which are never
 * run again: calls that do what a held one does are left out first. Where a held one is not repeated,
 * calls of its tool correct only calls of that tool: they may be the held one, written otherwise. Where
 * there are more candidates than calls to correct, none is taken, so that no order of theirs decides
 * which is run.
 *
 * @param calls The calls.
 * @param describe Says what is compared of a call.
 */
export function pairCorrections<Call>(
  { held, refused, made }: Corrections<Call>,
  describe: (call: Call) => PairedCall,
): Pairing<Call> {
  const standsAlone = held.length === 0 && made.length >= refused.length;
  const waiting = new Set(held.map((call) => callKey(describe(call))));
  const left = new Set(made.filter((call) => !waiting.has(callKey(describe(call)))));
  const open = new Set(refused);
  const pairs = new Map<Call, Call>();
  const pair = (corrected: readonly Call[], candidates: readonly Call[]) => {
    for (const call of candidates) left.delete(call);
    for (const [index, call] of candidates.entries()) {
      const one = corrected[index];
      if (candidates.length > corrected.length || one === undefined) return;
      pairs.set(one, call);
      open.delete(one);
    }
  };
  const isOf = (name: string) => (call: Call) => describe(call).name === name;
  for (const name of new Set(refused.map((call) => describe(call).name))) {
    pair(refused.filter(isOf(name)), [...left].filter(isOf(name)));
  }
  const repeated = new Set(made.map((call) => callKey(describe(call))));
  for (const one of held.map(describe)) {
    if (repeated.has(callKey(one))) continue;
    for (const call of [...left].filter(isOf(one.name))) left.delete(call);
  }
  const others = [...left];
  if (others.length <= open.size) pair([...open], others);
  return { pairs, others: [...left], standsAlone };
}

/** One text for all calls that do the same: whatever the order of keys, spacing, and empty fields. */
function callKey({ name, input }: PairedCall): string {
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
  // A list, since an object's keys have an order of their own where they are numbers.
  return { fields };
}
