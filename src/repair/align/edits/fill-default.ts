import type { SchemaNode } from "../../schema/node.ts";
import type { JsonValue } from "../../types.ts";
import { boolean, integer, object, text } from "../cases.ts";
import { fitsAt } from "../fit.ts";
import type { Edit, EditSpec, KeyFill, ValueEdit } from "../rule.ts";
import { areTextsKnown } from "../schema-texts.ts";
import type { KeyWant } from "../types.ts";
import { UNLESS_MEANT } from "./nothing.ts";

const DECLARED = "the schema declares it, and nothing else was written";

export const fillDefault: Edit<KeyFill, KeyWant> = {
  name: "fill-default",
  level: "eager",
  cost: 4,
  propose({ missing, variant }) {
    const changes: KeyFill[] = [];
    for (const to of missing) {
      const value = variant.properties.get(to)?.default;
      if (value === undefined) continue;
      changes.push({
        kind: "fill",
        to,
        value: structuredClone(value),
        why: DECLARED,
      });
    }
    return changes;
  },
  unless: {
    "an undeclared key may be meant for it": (_, at) => !areAllDeclared(at),
    "a default of `true` may be a consent": ({ value }) => holdsTrue(value),
    "the only choice is a tag or a consent": ({ to }, { variant }) => {
      return hasOnlyChoice(variant.properties.get(to));
    },
  },
};

/** The same for null in a required field. */
export const fillDefaultForNull: ValueEdit = {
  name: "fill-default",
  level: "eager",
  cost: 4,
  types: ["null"],
  propose(at) {
    const { node, place } = at;
    if (place.inList || node.default === undefined) return [];
    // as for `drop-null`: a description that is not known may speak of null
    if (!areTextsKnown(at)) return [];
    return [
      {
        after: structuredClone(node.default),
        why: "null stands for its default",
      },
    ];
  },
  unless: {
    ...UNLESS_MEANT,
    "a default of `true` may be a consent": ({ after }) => holdsTrue(after),
    "the only choice is a tag or a consent": (_, { node }) =>
      hasOnlyChoice(node),
  },
};

/** Whether every key is declared, at any depth. */
function areAllDeclared({ object, variant }: KeyWant): boolean {
  return Object.entries(object).every(([key, value]) => {
    const node = variant.keyAt(key);
    return node !== undefined && fitsAt(value as JsonValue, node, "allKeys");
  });
}

function hasOnlyChoice(node: SchemaNode | undefined): boolean {
  return node?.variants().some(({ values }) => values?.length === 1) === true;
}

function holdsTrue(value: JsonValue | undefined): boolean {
  return JSON.stringify(value)?.includes("true") === true;
}

/** A function, as a specification is: what is shipped needs none of it. */
function schemasWithDefaults() {
  return {
    limited: object({ query: text, limit: { ...integer, default: 10 } }),
    withConfirmed: object({
      room: text,
      confirmed: { ...boolean, default: true },
    }),
    withLicence: object({
      room: text,
      licence: { const: "agreed", default: "agreed" },
    }),
  };
}

export function fillDefaultSpec(): EditSpec {
  const { limited, withConfirmed, withLicence } = schemasWithDefaults();
  return {
    does: "A required key that is missing gets its declared default, if no undeclared key is left at any depth. A default that holds `true`, or is the only choice, is never filled in.",
    example: {
      schema: limited,
      input: { query: "cats" },
      after: { query: "cats", limit: 10 },
    },
    witnesses: {
      "an undeclared key may be meant for it": {
        schema: { ...limited, additionalProperties: {} },
        input: { query: "cats", max_rows: 5 },
      },
      "a default of `true` may be a consent": {
        schema: withConfirmed,
        input: { room: "attic" },
      },
      "the only choice is a tag or a consent": {
        schema: withLicence,
        input: { room: "attic" },
      },
    },
    notFor: [
      {
        schema: object({ query: text, limit: integer }),
        input: { query: "cats" },
      },
    ],
  };
}

export function fillDefaultForNullSpec(): EditSpec {
  const { limited, withConfirmed, withLicence } = schemasWithDefaults();
  return {
    does: "A null in a required field gets the default, too, unless a description speaks of null or of empty text.",
    example: {
      schema: limited,
      input: { query: "cats", limit: null },
      after: { query: "cats", limit: 10 },
    },
    witnesses: {
      "a description speaks of null or of empty text": {
        schema: limited,
        input: { query: "cats", limit: null },
        description: "Searches. A limit of null returns everything.",
      },
      "a default of `true` may be a consent": {
        schema: withConfirmed,
        input: { room: "attic", confirmed: null },
      },
      "the only choice is a tag or a consent": {
        schema: withLicence,
        input: { room: "attic", licence: null },
      },
    },
    notFor: [
      {
        schema: object({ query: text, limit: integer }),
        input: { query: "cats", limit: null },
      },
    ],
  };
}
