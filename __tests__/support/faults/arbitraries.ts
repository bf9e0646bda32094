import fc from "fast-check";
import type { JsonObject, JsonValue } from "#src/repair/types.ts";
import type { Sample } from "./places.ts";

/** A schema and the inputs that it accepts. */
interface Field {
  readonly schema: JsonObject;
  readonly value: fc.Arbitrary<JsonValue>;
}

/** Names that do not resemble or contain one another. */
const NAMES = [
  "selector",
  "file_path",
  "maxResults",
  "query",
  "start_date",
  "temperature",
  "recipients",
  "subject_line",
  "priority",
  "includeHidden",
  "department",
  "currency",
  "quantity",
  "address",
  "language",
  "passengers",
  "budget",
  "genre",
  "message",
  "orderNumber",
  "weight",
  "colour",
  "timeout",
  "verbose",
  "branch",
  "commit_hash",
] as const;

const WORDS = [
  "Lisbon",
  "green tea",
  "#buy",
  "report.pdf",
  "hello",
  "user@example.com",
  "Ada Lovelace",
  "https://example.com/a?b=c",
  "2026-11-21",
  "42",
  "1337",
  "00713",
  "true story",
  "a b c",
  "src/index.ts",
  "It's 5 o'clock",
  "Größe",
  "日本",
  "C:\\temp",
  'say "hi"',
  "x".repeat(80),
] as const;

const CHOICES = [
  ["celsius", "fahrenheit", "kelvin"],
  ["low", "medium", "high"],
  ["round_trip", "one_way", "multi_city"],
  ["In Progress", "Done", "Waiting for Review"],
  ["asc", "desc"],
  ["GET", "POST", "PUT", "DELETE"],
] as const;

const text = fc.constantFrom<string>(...WORDS);
const integer = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.integer({ min: -5000, max: 500_000 }));
const number = fc
  .integer({ min: -100_000, max: 100_000 })
  .map((hundredths) => hundredths / 100 + 0)
  .map((value) => (Object.is(value, -0) ? 0 : value));

const scalar: fc.Arbitrary<Field> = fc.oneof(
  fc.constant<Field>({ schema: { type: "string" }, value: text }),
  fc.constant<Field>({ schema: { type: "integer" }, value: integer }),
  fc.constant<Field>({ schema: { type: "number" }, value: number }),
  fc.constant<Field>({ schema: { type: "boolean" }, value: fc.boolean() }),
  fc.constantFrom(...CHOICES).map<Field>((choices) => ({
    schema: { type: "string", enum: [...choices] },
    value: fc.constantFrom<JsonValue>(...choices),
  })),
);

const { field } = fc.letrec<{ field: Field; list: Field; object: Field; union: Field }>((tie) => ({
  field: fc.oneof(
    { maxDepth: 2, depthSize: "small" },
    { arbitrary: scalar, weight: 5 },
    { arbitrary: tie("list"), weight: 2 },
    { arbitrary: tie("object"), weight: 2 },
    { arbitrary: tie("union"), weight: 1 },
  ),
  list: fc.oneof(scalar, tie("object")).map((item) => ({
    schema: { type: "array", items: item.schema },
    value: fc.array(item.value, { maxLength: 4 }),
  })),
  object: objectOf(tie("field"), { min: 1, max: 3 }),
  union: fc.tuple(tie("object"), tie("object")).map(([one, other]) => ({
    schema: { anyOf: [tagged(one.schema, "simple"), tagged(other.schema, "advanced")] },
    value: fc.oneof(
      one.value.map((value) => ({ kind: "simple", ...(value as JsonObject) })),
      other.value.map((value) => ({ kind: "advanced", ...(value as JsonObject) })),
    ),
  })),
}));

function tagged(schema: JsonObject, kind: string): JsonObject {
  return {
    ...schema,
    properties: { kind: { type: "string", const: kind }, ...(schema.properties as JsonObject) },
    required: ["kind", ...(schema.required as string[])],
  };
}

function objectOf(
  fields: fc.Arbitrary<Field>,
  { min, max }: { readonly min: number; readonly max: number },
): fc.Arbitrary<Field> {
  const property = fc.record({
    field: fields,
    isRequired: fc.boolean(),
    /** A default, for an integer. */
    default: fc.option(fc.nat(3), { freq: 2 }),
  });
  return fc
    .record({
      names: fc.uniqueArray(fc.constantFrom<string>(...NAMES), { minLength: min, maxLength: max }),
      properties: fc.array(property, { minLength: max, maxLength: max }),
      isClosed: fc.boolean(),
    })
    .map(({ names, properties, isClosed }) => {
      const parts = names.flatMap((name, index) => {
        const part = properties[index];
        return part === undefined ? [] : [{ name, ...part }];
      });
      return {
        schema: {
          type: "object",
          properties: Object.fromEntries(
            parts.map(({ name, field: { schema }, default: declared }) => [
              name,
              declared !== null && schema.type === "integer"
                ? { ...schema, default: declared }
                : schema,
            ]),
          ),
          required: parts.filter(({ isRequired }) => isRequired).map(({ name }) => name),
          ...(isClosed ? { additionalProperties: false } : {}),
        },
        value: fc.record(
          Object.fromEntries(
            parts.map(({ name, field: { schema, value }, default: declared }) => [
              name,
              declared !== null && schema.type === "integer"
                ? fc.oneof(fc.constant(declared), value)
                : value,
            ]),
          ),
          { requiredKeys: parts.filter(({ isRequired }) => isRequired).map(({ name }) => name) },
        ) as fc.Arbitrary<JsonValue>,
      };
    });
}

/** A tool's schema and an input that it accepts. */
export const sample: fc.Arbitrary<Sample> = objectOf(field, { min: 1, max: 5 }).chain(
  ({ schema, value }) =>
    value.map((input) => ({
      toolName: "web_search",
      schema,
      // Plain objects: those of fast-check have no prototype.
      input: JSON.parse(JSON.stringify(input)) as JsonObject,
    })),
);
