import { toPointer } from "../../../json/json-pointer.ts";
import { jsonEquals } from "../../../json/json-value.ts";
import type { Repair } from "../../../types.ts";
import { holdsDeclared, isPacked, undeclaredKeys, withoutKeys } from "../../keys.ts";
import { foldName, isNear, isTypo } from "../../names.ts";
import type { KeyStep } from "./key-step.ts";

/**
 * A key that the schema forbids, unless it could be a declared one misspelt. One that stands for a
 * declared key that is there as well goes only if it says the same. Something declared must be
 * left: what is dropped whole was not meant for this tool.
 */
export const dropKey: KeyStep = {
  name: "drop-key",
  level: "safe",
  cost: 2,
  take(keyed, { variant }) {
    if (!variant.closed) return keyed;
    const { object } = keyed;
    const couldBe = (key: string) =>
      holdsDeclared(object[key], variant) ||
      (typeof object[key] === "string" && isPacked(object[key])) ||
      [...variant.properties.keys()].some((name) =>
        Object.hasOwn(object, name)
          ? (foldName(name) === foldName(key) || isTypo(key, name)) &&
            !jsonEquals(object[name], object[key])
          : isNear(key, name),
      );
    const dropped = undeclaredKeys(object, variant).filter((key) => !couldBe(key));
    if (dropped.length === 0 || dropped.length === Object.keys(object).length) return keyed;
    const changes = dropped.map<Repair>((key) => ({
      fixer: this.name,
      path: toPointer([key]),
      before: object[key],
      after: undefined,
      level: this.level,
    }));
    return {
      object: withoutKeys(object, dropped),
      cost: keyed.cost + this.cost * dropped.length,
      changes: [...keyed.changes, ...changes],
    };
  },
};
