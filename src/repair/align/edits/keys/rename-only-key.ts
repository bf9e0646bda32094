import { fitsAt } from "../../fits.ts";
import {
  absentKeys,
  holdsDeclared,
  missingKeys,
  rekey,
  undeclaredKeys,
  withKeyRenamed,
} from "../../keys.ts";
import { areOpposite, isNear, isOperator, wordsOf } from "../../names.ts";
import { meansNothing } from "../omissions.ts";
import { fitCost, isCommentary, type KeyStep } from "./key-step.ts";

/** The only key that is not declared, for the only required one that is missing, if it fits. */
export const renameOnlyKey: KeyStep = {
  name: "rename-only-key",
  level: "eager",
  cost: 4,
  take(keyed, want) {
    const { object } = keyed;
    const [from, ...others] = undeclaredKeys(object, want.variant);
    const [to, ...more] = missingKeys(object, want.variant);
    if (from === undefined || to === undefined || others.length + more.length > 0) return keyed;
    const value = object[from];
    if (value === null || (typeof value === "string" && meansNothing(value))) return keyed;
    if (isCommentary(from) || areOpposite(wordsOf(from), wordsOf(to))) return keyed;
    if (isOperator(from) || isOtherId(from, to)) return keyed;
    // It may be meant for a key that can be left out.
    if (absentKeys(object, want.variant).some((key) => key !== to && isNear(from, key))) {
      return keyed;
    }
    // Where there is a default, it may have been left to that.
    const node = want.variant.properties.get(to);
    if (node?.default !== undefined) return keyed;
    // An object that holds what belongs here, or nothing that belongs there, is another thing.
    if (holdsDeclared(value, want.variant)) return keyed;
    if (value !== undefined && node !== undefined && !fitsAt(value, node, "known")) return keyed;
    const cost = fitCost(value, to, want);
    return cost === undefined || cost > 1
      ? keyed
      : rekey(keyed, this, { object: withKeyRenamed(object, from, to) });
  },
};

/** Whether a key may name another thing than an id does: `user` for `order_id`. */
function isOtherId(from: string, to: string): boolean {
  const words = wordsOf(to);
  if (words.at(-1) !== "id" && words.at(-1) !== "ids") return false;
  return !wordsOf(from).some((word) => words.includes(word));
}
