import type { JsonObject } from "../../../types.ts";
import { rekey } from "../../keys.ts";
import { fitCost, type KeyStep } from "./key-step.ts";

/**
 * Arguments by position: `{"0": "a.txt", "1": 5}`, `{"arg1": …, "arg2": …}`, for all required
 * fields, or all there are, in the order in which they are declared.
 */
export const namePositions: KeyStep = {
  name: "name-positions",
  level: "eager",
  cost: 4,
  take(keyed, want) {
    const entries = Object.entries(keyed.object);
    const { properties, required } = want.variant;
    const positions = entries.map(([key]) => /^(?:arg|param|_)?_?(\d+)$/i.exec(key)?.[1]);
    const first = Number(positions[0]);
    const isInOrder = positions.every((position, index) => position === String(first + index));
    const declared = [...properties.keys()];
    const names = [declared.filter((key) => required.has(key)), declared].find(
      ({ length }) => length === entries.length,
    );
    if (entries.length < 2 || first > 1 || !isInOrder || names === undefined) return keyed;
    const named: JsonObject = Object.fromEntries(
      entries.map(([, value], index) => [names[index] ?? "", value]),
    );
    const fits = names.every((name) => fitCost(named[name], name, want) !== undefined);
    return fits ? rekey(keyed, this, { object: named }) : keyed;
  },
};
