/**
 * Writes a JSON Schema in the dialect of typia's ILlmSchema: `properties` and `required` always
 * present, `anyOf` for every union, `enum` for `const`, types for enums.
 *
 * @param {any} schema
 * @returns {any}
 */
export function toLlmSchema(schema) {
  const { $defs, definitions, $schema: _, ...rest } = schema;
  const defs = Object.entries({ ...definitions, ...$defs });
  return {
    ...convert({ additionalProperties: false, ...rest }),
    $defs: Object.fromEntries(defs.map(([name, one]) => [name, convert(one)])),
  };
}

function convert(schema) {
  if (typeof schema !== "object" || schema === null) return {};
  if (typeof schema.$ref === "string")
    return { $ref: schema.$ref.replace("#/definitions/", "#/$defs/") };
  const branches = schema.anyOf ?? schema.oneOf;
  if (branches !== undefined) return { anyOf: branches.map(convert), ...discriminatorOf(branches) };
  if (schema.const !== undefined) return ofValues(schema, [schema.const]);
  if (schema.enum !== undefined) return ofValues(schema, schema.enum);
  if (Array.isArray(schema.type))
    return { anyOf: schema.type.map((type) => convert({ ...schema, type })) };
  if (schema.type === "object" || schema.properties !== undefined) return ofObject(schema);
  if (schema.type === "array") return { ...schema, items: convert(schema.items ?? {}) };
  return schema;
}

/** typia distinguishes branches by a property that the schema names. */
function discriminatorOf(branches) {
  const [first, ...others] = branches.map((branch) => branch?.properties ?? {});
  const propertyName = Object.keys(first ?? {}).find((key) =>
    [first, ...others].every((properties) => properties[key]?.const !== undefined),
  );
  return propertyName === undefined ? {} : { "x-discriminator": { propertyName } };
}

function ofObject(schema) {
  const { properties = {}, required = [], additionalProperties } = schema;
  return {
    ...schema,
    type: "object",
    properties: Object.fromEntries(
      Object.entries(properties).map(([key, one]) => [key, convert(one)]),
    ),
    required,
    ...(typeof additionalProperties === "object"
      ? { additionalProperties: convert(additionalProperties) }
      : {}),
  };
}

/** An enum has one type in typia's dialect; values of several types are a union. */
function ofValues({ const: _, type: __, ...rest }, values) {
  const branches = [...new Set(values.map(typeOf))].map((type) =>
    type === "null"
      ? { type }
      : { ...rest, type, enum: values.filter((value) => typeOf(value) === type) },
  );
  return branches.length === 1 ? branches[0] : { anyOf: branches };
}

function typeOf(value) {
  return value === null ? "null" : typeof value;
}
