import { sharesValue } from "../../repair/json/shares-value.ts";
import { pairCorrections } from "./pair-corrections.ts";
import type { TurnCall } from "./read-turn.ts";

/** A refused call that nothing stands for yet, after the refused ones that it repeated. */
interface OpenRefusal {
  readonly call: TurnCall;
  readonly before: readonly TurnCall[];
}

/** A call that stands for a refused one. */
interface LaterPair {
  readonly refused: TurnCall;
  readonly by: TurnCall;
}

/** The refused calls since somebody spoke. */
interface OpenRefusals {
  /**
   * Takes the calls of the model's next turn.
   *
   * @returns Which of them stand for refused ones.
   */
  add(calls: readonly TurnCall[]): readonly LaterPair[];
}

/** Creates a list of refused calls, which finds out what stands for them later. */
export function openRefusals(): OpenRefusals {
  let open: readonly OpenRefusal[] = [];
  const held: TurnCall[] = [];

  function add(calls: readonly TurnCall[]): readonly LaterPair[] {
    const isMade = ({ replacedBy, hasRun, isRefused }: TurnCall) =>
      replacedBy === undefined && (hasRun || isRefused);
    const pairs = pairByValues(open, calls.filter(isMade), held);
    const refusals = calls.filter(({ isRefused, replacedBy }) => isRefused && !replacedBy);
    const repeated = [...pairs].filter(([, made]) => made.isRefused);
    const corrected = [...pairs].filter(([, made]) => made.hasRun);
    const fresh = refusals.map((call): OpenRefusal => {
      const [earlier] = repeated.find(([, made]) => made === call) ?? [];
      return { call, before: earlier === undefined ? [] : [...earlier.before, earlier.call] };
    });
    open = [...open.filter((one) => !pairs.has(one)), ...fresh];
    held.push(...calls.filter(({ hasRun }) => hasRun));
    return corrected.flatMap(([{ call, before }, by]) =>
      [...before, call].filter(isOfValue(by)).map((refused) => ({ refused, by })),
    );
  }
  return { add };
}

/** Pairs calls of one tool that say something of each other: first what fits one only, then in order. */
function pairByValues(
  open: readonly OpenRefusal[],
  made: readonly TurnCall[],
  held: readonly TurnCall[],
): ReadonlyMap<OpenRefusal, TurnCall> {
  const pairs = new Map<OpenRefusal, TurnCall>();
  const fits = ({ call }: OpenRefusal, other: TurnCall) => isOfValue(other)(call);
  const take = (refused: readonly OpenRefusal[], candidates: readonly TurnCall[]) => {
    const describe = (one: OpenRefusal | TurnCall) => {
      const { name, raw, input, hasRun } = "call" in one ? one.call : one;
      return { name, input: hasRun ? input : raw };
    };
    const calls = { held, refused, made: candidates };
    const found = pairCorrections<OpenRefusal | TurnCall>(calls, describe).pairs;
    for (const one of refused) {
      const other = found.get(one);
      if (other !== undefined && !("call" in other) && fits(one, other)) pairs.set(one, other);
    }
  };
  for (const one of open) {
    const candidates = made.filter((other) => fits(one, other));
    const [only] = candidates;
    const isOnly = only !== undefined && open.filter((other) => fits(other, only)).length === 1;
    if (candidates.length === 1 && isOnly) take([one], candidates);
  }
  const taken = new Set(pairs.values());
  const rest = open.filter((one) => !pairs.has(one));
  for (const name of new Set(rest.map(({ call }) => call.name))) {
    const refused = rest.filter(({ call }) => call.name === name);
    const candidates = made.filter(
      (other) => !taken.has(other) && refused.some((one) => fits(one, other)),
    );
    take(refused, candidates);
  }
  return pairs;
}

/** Whether a refused call is of the tool of another, and says something that the other says. */
function isOfValue(made: TurnCall): (refused: TurnCall) => boolean {
  const said = made.hasRun ? made.input : made.raw;
  return ({ name, raw }) =>
    name === made.name && raw !== undefined && said !== undefined && sharesValue(raw, said);
}
