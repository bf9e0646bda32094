import type { JsonValue } from "#src/repair/types.ts";

/** An input that grows, and the schema of its tool. */
export interface Family {
  readonly name: string;
  readonly schema: object;
  /** The input of about this many characters of JSON. */
  readonly make: (length: number) => JsonValue;
}

const text = { type: "string" };
const integer = { type: "integer" };

function objectOf(properties: Record<string, object>, closed = false): object {
  const required = Object.keys(properties).filter((key) => !key.endsWith("_"));
  return { type: "object", properties, required, ...(closed && { additionalProperties: false }) };
}

function listOf(items: object): object {
  return { type: "array", items };
}

function times<Item>(count: number, make: (index: number) => Item): Item[] {
  return Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => make(index));
}

function entries(count: number, make: (index: number) => readonly [string, JsonValue]): JsonValue {
  return Object.fromEntries(times(count, make)) as JsonValue;
}

const rows = objectOf({ rows: listOf(objectOf({ id: integer, on_: { type: "boolean" } })) });
const q = objectOf({ q: text });
const either = {
  anyOf: times(10, (index) => objectOf({ [`kind${index}`]: text, size: integer }, true)),
};

/** Inputs full of one fault, each in another way. */
export const FAMILIES: readonly Family[] = [
  {
    name: "numbers as text in a list of objects",
    schema: rows,
    make: (length) => ({ rows: times(length / 14, (index) => ({ id: String(index) })) }),
  },
  {
    name: "numbers as text in a list",
    schema: objectOf({ list: listOf(integer) }),
    make: (length) => ({ list: times(length / 8, (index) => String(index)) }),
  },
  {
    name: "objects where numbers are wanted",
    schema: objectOf({ list: listOf(integer) }),
    make: (length) => ({ list: times(length / 10, (index) => ({ a: index })) }),
  },
  {
    name: "nulls at optional keys",
    schema: rows,
    make: (length) => ({ rows: times(length / 18, (id) => ({ id, on_: null })) }),
  },
  {
    name: "numbers where text is wanted",
    schema: objectOf({ list: listOf(text) }),
    make: (length) => ({ list: times(length / 6, (index) => index) }),
  },
  {
    name: "a list as text, with commas",
    schema: objectOf({ list: listOf(text) }),
    make: (length) => ({ list: times(length / 8, (index) => `w${index}`).join(", ") }),
  },
  {
    name: "a stringified list",
    schema: objectOf({ list: listOf(integer) }),
    make: (length) => ({ list: JSON.stringify(times(length / 6, (index) => index)) }),
  },
  {
    name: "a stringified list of stringified numbers",
    schema: objectOf({ list: listOf(integer) }),
    make: (length) => ({ list: JSON.stringify(times(length / 10, (index) => String(index))) }),
  },
  {
    name: "unknown keys of a closed object",
    schema: objectOf({ q: text }, true),
    make: (length) => ({ q: "a", ...(entries(length / 12, (i) => [`key${i}`, i]) as object) }),
  },
  {
    name: "unknown keys beside declared ones",
    schema: objectOf(
      Object.fromEntries(times(500, (index) => [`declared_field_${index}_`, text])),
      true,
    ),
    make: (length) => entries(Math.min(100, length / 20), (i) => [`unknown_field_${i}`, "x"]),
  },
  {
    name: "keys of many dots",
    schema: objectOf({ u: { type: "object" } }),
    make: (length) => entries(99, (index) => [`u.k${index}${".a".repeat(length / 200)}`, 1]),
  },
  {
    name: "one key of many dots",
    schema: objectOf({ u: { type: "object" } }),
    make: (length) => ({ [`u${".a".repeat(length / 2)}`]: 1 }),
  },
  { name: "bare text of dots", schema: q, make: (length) => `x${" .".repeat(length / 2)}y` },
  { name: "bare text", schema: q, make: (length) => "word ".repeat(length / 5) },
  {
    name: "keys in another case",
    schema: objectOf(Object.fromEntries(times(100, (index) => [`fieldNumber${index}`, text]))),
    make: (length) =>
      entries(100, (index) => [`field_number_${index}`, "x".repeat(length / 100)]) as JsonValue,
  },
  {
    name: "choices in another case",
    schema: objectOf({ list: listOf({ enum: times(100, (index) => `choice number ${index}`) }) }),
    make: (length) => ({ list: times(length / 20, (index) => `Choice Number ${index % 100}`) }),
  },
  {
    name: "branches of a union, each with a fault",
    schema: objectOf({ list: listOf(either) }),
    make: (length) => ({
      list: times(length / 30, (index) => ({ [`kind${index % 10}`]: "x", size: "5" })),
    }),
  },
  {
    name: "an envelope around all",
    schema: rows,
    make: (length) => ({ input: { rows: times(length / 14, (id) => ({ id })) } }),
  },
  {
    name: "a list written as an object",
    schema: objectOf({ list: listOf(integer) }),
    make: (length) => ({ list: entries(length / 12, (index) => [String(index), index]) }),
  },
  {
    name: "columns where rows are wanted",
    schema: rows,
    make: (length) => ({
      rows: {
        id: times(length / 12, (index) => index),
        on_: times(length / 12, () => true),
      },
    }),
  },
  {
    name: "lone values where lists are wanted",
    schema: objectOf({ list: listOf(listOf(text)) }),
    make: (length) => ({ list: times(length / 8, (index) => `w${index}`) }),
  },
  {
    name: "text that no pattern takes",
    schema: objectOf({ list: listOf({ type: "string", pattern: "^(a+)+$" }) }),
    make: (length) => ({ list: times(length / 60, () => ` ${"a".repeat(50)}!`) }),
  },
];
