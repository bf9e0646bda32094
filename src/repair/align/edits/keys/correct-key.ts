import { absentKeys, rekey, undeclaredKeys, withKeyRenamed } from "../../keys.ts";
import { foldName, mayCount, slipOf } from "../../names.ts";
import { SLIPS } from "../../reasons.ts";
import { fitCost, type KeyStep, uniquePairs } from "./key-step.ts";

/** A key with a slip of the keyboard, or with other text stuck to it, one candidate only. */
export const correctKey: KeyStep = {
  name: "correct-key",
  level: "eager",
  cost: 3,
  take(keyed, want) {
    const { object } = keyed;
    const unknown = undeclaredKeys(object, want.variant);
    const absent = absentKeys(object, want.variant);
    const declared = [...want.variant.properties.keys()];
    const meant = (from: string, to: string) => slipBetween(from, to) !== undefined;
    return uniquePairs(unknown, [...new Set([...absent, ...declared])], meant)
      .filter(([, to]) => absent.includes(to))
      .filter(([from, to]) => !mayCount(from, to, object[from] ?? null))
      .filter(([from, to]) => fitCost(object[from], to, want) !== undefined)
      .reduce((done, [from, to]) => {
        const slip = slipBetween(from, to);
        const reason = slip === undefined ? {} : { reason: SLIPS[slip] };
        return rekey(done, this, { object: withKeyRenamed(done.object, from, to), ...reason });
      }, keyed);
  },
};

function slipBetween(from: string, to: string): keyof typeof SLIPS | undefined {
  return slipOf(from, to) ?? (isStuckTo(from, to) ? "stuck" : undefined);
}

/** `floors" mode="json`: the key, and then what leaked into it. */
function isStuckTo(from: string, to: string): boolean {
  if (from.length > 200) return false;
  const [head = "", ...tail] = from.split(/["'`<>=:{}\n(]/);
  return tail.length > 0 && foldName(head) === foldName(to) && foldName(to) !== "";
}
