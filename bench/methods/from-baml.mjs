/**
 * Restores the tool's own keys in BAML's result, and drops the nulls that BAML puts where an
 * optional key is absent. (A null that the model wrote stays if the schema accepts null.)
 *
 * @param {any} value The value of parseLlmResponse for the schema as `toBaml` writes it.
 * @param {any} schema
 * @param {string} text The model's text.
 * @param {any} [root]
 * @returns {unknown}
 */
export function fromBaml(value, schema, text, root = schema) {
  if (typeof value !== "object" || value === null) return value;
  const at = branchOf(value, schema, root);
  if (Array.isArray(value)) return value.map((item) => fromBaml(item, at?.items ?? {}, text, root));
  const keys = Object.keys(at?.properties ?? {});
  if (keys.length === 0) {
    const below = at?.additionalProperties ?? {};
    return mapValues(value, (one) => fromBaml(one, below, text, root));
  }
  const result = {};
  for (const [index, key] of keys.entries()) {
    const one = value[`f${index}`];
    if (one === undefined) continue;
    const wanted = at.properties[key];
    const absent =
      one === null && !at.required?.includes(key) && !(takesNull(wanted) && wroteNull(text, key));
    if (!absent) result[key] = fromBaml(one, wanted, text, root);
  }
  return result;
}

/** The branch of a union that BAML chose: the one with as many fields, or the array. */
function branchOf(value, schema, root) {
  const at = resolve(schema, root);
  const branches = at?.anyOf ?? at?.oneOf;
  if (branches === undefined) return at;
  const resolved = branches.map((branch) => branchOf(value, branch, root));
  if (Array.isArray(value)) return resolved.find((branch) => branch?.type === "array");
  const objects = resolved.filter((branch) => branch?.properties !== undefined);
  return objects.find((branch) => fits(value, branch)) ?? objects[0] ?? resolved[0];
}

function fits(value, { properties }) {
  const entries = Object.entries(properties);
  return (
    entries.length === Object.keys(value).length &&
    entries.every(([, one], index) => one.const === undefined || one.const === value[`f${index}`])
  );
}

function resolve(schema, root) {
  if (typeof schema?.$ref !== "string") return schema;
  const steps = schema.$ref.split("/").slice(1);
  return resolve(
    steps.reduce((value, step) => value?.[step], root),
    root,
  );
}

function wroteNull(text, key) {
  return (
    text.includes("null") &&
    new RegExp(`${key.replace(/\W/g, "\\$&")}["']?\\s*:\\s*null`).test(text)
  );
}

function takesNull(schema) {
  const types = [schema?.type].flat();
  const branches = schema?.anyOf ?? schema?.oneOf ?? [];
  return types.includes("null") || schema?.enum?.includes(null) || branches.some(takesNull);
}

function mapValues(object, map) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]));
}
