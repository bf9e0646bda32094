import { toPointer } from "../../../json-pointer.ts";
import type { JsonValue, Repair } from "../../../types.ts";
import { isPacked, type Keyed, type KeyWant, missingKeys, undeclaredKeys } from "../../keys.ts";
import { isNear } from "../../names.ts";
import type { SchemaNode } from "../../schema-node.ts";
import type { EditName } from "../edit.ts";
import { fitCost, isCommentary, type KeyStep } from "./key-step.ts";

/** A required key that can have only one value, the tag of a union's branch say. */
export const fillConstant: KeyStep = {
  name: "fill-constant",
  level: "eager",
  cost: 3,
  take(keyed, want) {
    return fill(keyed, want, this, (node) => {
      const [only, ...others] = node.variants();
      return others.length === 0 && only?.values?.length === 1 ? only.values[0] : undefined;
    });
  },
};

/** A required key that is missing and for which the schema declares a default. */
export const fillDefault: KeyStep = {
  name: "fill-default",
  level: "eager",
  cost: 4,
  take(keyed, want) {
    const { object } = keyed;
    const unknown = undeclaredKeys(object, want.variant).filter((key) => !isCommentary(key));
    // It may be there, by another name or further in.
    const isThere = (name: string) =>
      unknown.some(
        (key) =>
          isPacked(object[key]) ||
          isNear(key, name) ||
          fitCost(object[key], name, want) !== undefined,
      );
    return fill(keyed, want, this, (node, key) => (isThere(key) ? undefined : node.default));
  },
};

function fill(
  keyed: Keyed,
  { variant }: KeyWant,
  { name, level, cost }: EditName,
  valueFor: (node: SchemaNode, key: string) => JsonValue | undefined,
): Keyed {
  return missingKeys(keyed.object, variant).reduce((done, key) => {
    const node = variant.properties.get(key);
    const value = node === undefined ? undefined : valueFor(node, key);
    if (value === undefined) return done;
    const change: Repair = {
      fixer: name,
      path: toPointer([key]),
      before: undefined,
      after: value,
      level,
    };
    return {
      object: { ...done.object, [key]: value },
      cost: done.cost + cost,
      changes: [...done.changes, change],
    };
  }, keyed);
}
