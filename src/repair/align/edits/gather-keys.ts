import type { SchemaNode, Variant } from "../../schema/node.ts";
import type { JsonObject } from "../../types.ts";
import { quoted } from "../../words/names.ts";
import { listOf, object, text } from "../cases.ts";
import { elementsOf } from "../lists.ts";
import type { Edit, EditSpec, ObjectChange } from "../rule.ts";
import type { KeyWant } from "../types.ts";

export const gatherKeys: Edit<ObjectChange, KeyWant> = {
  name: "gather-keys",
  level: "safe",
  cost: 4,
  propose(at) {
    if (at.unknown.length === 0) return [];
    const changes: ObjectChange[] = [];
    for (const to of fieldsWanted(at)) {
      const field = at.variant.properties.get(to);
      const isHolder = objectsIn(field).some(({ properties }) =>
        at.unknown.every((key) => properties.has(key)),
      );
      if (field === undefined || !isHolder) continue;
      const why = `only ${quoted(to)} declares these keys`;
      changes.push({ kind: "replace", after: gathered(at, to, field), why });
    }
    return changes;
  },
  unless: {
    "a single key may belong elsewhere": (_, { unknown }) => unknown.length < 2,
    "another field declares one of them": (
      { after },
      { variant, unknown, absent },
    ) => {
      for (const [name, field] of variant.properties) {
        const isFilled = absent.includes(name) && Object.hasOwn(after, name);
        if (isFilled) continue;
        const isHolder = objectsIn(field).some(({ properties }) =>
          unknown.some((key) => properties.has(key)),
        );
        if (isHolder) return true;
      }
      return false;
    },
  },
};

/** The only missing field; if none is missing, the absent ones. */
function fieldsWanted({ missing, absent }: KeyWant): readonly string[] {
  if (missing.length > 1) return [];
  return missing.length === 1 ? missing : absent;
}

/**
 * The objects that a field takes, as its value or as the elements of its list.
 */
function objectsIn(field: SchemaNode | undefined): readonly Variant[] {
  if (field === undefined) return [];
  const elements = elementsOf({ node: field });
  const objects = elements.filter(({ type }) => type === "object");
  return [...field.of("object"), ...objects];
}

function gathered(
  { object, unknown }: KeyWant,
  to: string,
  field: SchemaNode,
): JsonObject {
  const inside: { [key: string]: JsonObject[string] } = {};
  const whole: { [key: string]: JsonObject[string] } = {};
  for (const [key, value] of Object.entries(object)) {
    if (unknown.includes(key)) inside[key] = value;
    else whole[key] = value;
  }
  whole[to] = field.of("object").length > 0 ? inside : [inside];
  return whole;
}

export function gatherKeysSpec(): EditSpec {
  const address = object({ street: text, city: text });
  return {
    does: "Two or more undeclared keys move into the only missing field, or into an absent one if none is missing, if it alone, or the elements of its list, declare all of them.",
    example: {
      schema: object({ name: text, address }),
      input: { name: "Ada", street: "Ring 1", city: "Ulm" },
      after: { name: "Ada", address: { street: "Ring 1", city: "Ulm" } },
    },
    witnesses: {
      "a single key may belong elsewhere": {
        schema: object({ author: object({ name: text }), title: text }),
        input: { name: "Ada", title: "a" },
      },
      "another field declares one of them": {
        schema: object({ from: address, "to?": object({ city: text }) }),
        input: { street: "Ring 1", city: "Ulm" },
      },
    },
    notFor: [
      {
        schema: object({ name: text, address }),
        input: { name: "Ada", street: "Ring 1", town: "Ulm" },
      },
      {
        schema: object({ edits: listOf(address), note: text }),
        input: { street: "Ring 1", city: "Ulm" },
      },
    ],
  };
}
