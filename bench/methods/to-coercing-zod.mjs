import { z } from "zod";

/**
 * Writes a JSON Schema as a zod schema that coerces every scalar. Refinements without a zod
 * equivalent are left to the judge, which sees every result.
 *
 * @param {any} schema
 * @param {any} [root]
 * @returns {z.ZodType}
 */
export function toCoercingZod(schema, root = schema) {
  if (typeof schema !== "object" || schema === null) return schema === false ? z.never() : z.any();
  if (typeof schema.$ref === "string")
    return z.lazy(() => toCoercingZod(at(root, schema.$ref), root));
  if (schema.const !== undefined) return z.literal(schema.const);
  if (Array.isArray(schema.enum)) return z.literal(schema.enum);
  const branches = schema.anyOf ?? schema.oneOf ?? typesOf(schema);
  if (branches !== undefined) return toUnion(branches, root);
  if (schema.type === "object" || schema.properties !== undefined) return toObject(schema, root);
  if (schema.type === "array") return toArray(schema, root);
  return toScalar(schema);
}

/** Null comes first, as in `.nullable()`: a coerced string would accept it. */
function toUnion(branches, root) {
  const isNull = ({ type }) => type === "null";
  const sorted = [...branches.filter(isNull), ...branches.filter((one) => !isNull(one))];
  return z.union(sorted.map((branch) => toCoercingZod(branch, root)));
}

function typesOf({ type, ...rest }) {
  if (!Array.isArray(type)) return undefined;
  return type.map((one) => ({ ...rest, type: one }));
}

function toObject({ properties = {}, required = [], additionalProperties: rest }, root) {
  const shape = Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const wanted = toCoercingZod(schema, root);
      return [key, required.includes(key) ? wanted : wanted.optional()];
    }),
  );
  if (rest === false) return z.strictObject(shape);
  if (rest === undefined || rest === true) return z.looseObject(shape);
  return z.object(shape).catchall(toCoercingZod(rest, root));
}

function toArray({ items, prefixItems, minItems, maxItems }, root) {
  if (Array.isArray(prefixItems))
    return z.tuple(prefixItems.map((one) => toCoercingZod(one, root)));
  let array = z.array(toCoercingZod(items ?? true, root));
  if (minItems !== undefined) array = array.min(minItems);
  if (maxItems !== undefined) array = array.max(maxItems);
  return array;
}

function toScalar(schema) {
  switch (schema.type) {
    case "string":
      return toText(schema);
    case "integer":
      return withBounds(z.coerce.number().int(), schema);
    case "number":
      return withBounds(z.coerce.number(), schema);
    case "boolean":
      return z.coerce.boolean();
    case "null":
      return z.null();
    default:
      return z.any();
  }
}

function toText({ minLength, maxLength, pattern }) {
  let string = z.coerce.string();
  if (minLength !== undefined) string = string.min(minLength);
  if (maxLength !== undefined) string = string.max(maxLength);
  if (pattern !== undefined) string = string.regex(new RegExp(pattern, "u"));
  return string;
}

function withBounds(number, { minimum, maximum, multipleOf }) {
  let bounded = number;
  if (minimum !== undefined) bounded = bounded.min(minimum);
  if (maximum !== undefined) bounded = bounded.max(maximum);
  if (multipleOf !== undefined) bounded = bounded.multipleOf(multipleOf);
  return bounded;
}

/** `#/$defs/node` → the schema there. */
function at(root, reference) {
  const steps = reference.split("/").slice(1);
  return steps.reduce(
    (value, step) => value?.[step.replaceAll("~1", "/").replaceAll("~0", "~")],
    root,
  );
}
