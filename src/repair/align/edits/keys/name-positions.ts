import type { JsonObject } from "../../../types.ts";
import { rekey } from "../../keys.ts";
import { TYPES_FIT_ONE_ORDER } from "../../reasons.ts";
import { fitCost, type KeyStep } from "./key-step.ts";

/** More arguments than this are no list of arguments. */
const MAX_POSITIONS = 10;

/**
 * Arguments by position: `{"0": "a.txt", "1": 5}`, `{"arg1": …, "arg2": …}`, for all required
 * fields, or all there are, in the order in which they are declared. Only where no two of them
 * could change places: the order of a schema's keys is not the order of a function's parameters.
 */
export const namePositions: KeyStep = {
  name: "name-positions",
  level: "eager",
  cost: 4,
  take(keyed, want) {
    const entries = Object.entries(keyed.object);
    const { properties, required } = want.variant;
    if (entries.length < 2 || entries.length > MAX_POSITIONS) return keyed;
    const positions = entries.map(([key]) => /^(?:arg|param|_)?_?(\d{1,3})$/i.exec(key)?.[1]);
    const first = Number(positions[0]);
    const isInOrder = positions.every((position, index) => position === String(first + index));
    const declared = [...properties.keys()];
    const names = [declared.filter((key) => required.has(key)), declared].find(
      ({ length }) => length === entries.length,
    );
    if (first > 1 || !isInOrder || names === undefined) return keyed;
    const fits = (from: number, to: number) =>
      fitCost(entries[from]?.[1], names[to] ?? "", want) !== undefined;
    const isOnlyOrder = names.every((_, index) =>
      names.every((_, other) =>
        index === other ? fits(index, index) : !fits(index, other) || !fits(other, index),
      ),
    );
    if (!isOnlyOrder) return keyed;
    const named: JsonObject = Object.fromEntries(
      entries.map(([, value], index) => [names[index] ?? "", value]),
    );
    return rekey(keyed, this, { object: named, reason: TYPES_FIT_ONE_ORDER });
  },
};
