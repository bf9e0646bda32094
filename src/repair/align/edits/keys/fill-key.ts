import { toPointer } from "../../../json/json-pointer.ts";
import type { JsonValue, Repair } from "../../../types.ts";
import { isPacked, type Keyed, type KeyWant, missingKeys, undeclaredKeys } from "../../keys.ts";
import { isNear } from "../../names.ts";
import type { SchemaNode } from "../../schema-node.ts";
import type { EditName } from "../edit.ts";
import { fitCost, isCommentary, type KeyStep } from "./key-step.ts";

/** A required key that can have only one value, whatever branch of a union is meant. */
export const fillConstant: KeyStep = {
  name: "fill-constant",
  level: "eager",
  cost: 3,
  take(keyed, want) {
    return fill(keyed, want, this, (node, key) => {
      // The tag of a union says which branch was meant: that is for the model to say.
      const [only, ...others] = node.variants();
      if (want.branches.some((branch) => branch.properties.get(key) !== node)) return undefined;
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
    const found = node === undefined ? undefined : valueFor(node, key);
    if (found === undefined) return done;
    // Of a JSON Schema it is the very value that stands there.
    const value = structuredClone(found);
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
