import { showValue } from "../json/json-value.ts";
import { isKeywords } from "./keywords.ts";

/** What a schema that says nothing wants. */
export const ANY_VALUE = "any value";

const MAX_CHOICES = 12;
const MAX_FIELDS = 8;

/**
 * Says in a few words what a JSON Schema wants, as one would to a person or a model.
 *
 * @param schema The schema; anything that is none is called "any value".
 * @param depth How many levels of fields and items are spelt out. Default: 2.
 */
export function describeSchema(schema: unknown, depth = 2): string {
  if (schema === null || typeof schema !== "object") return ANY_VALUE;
  const {
    type,
    enum: values,
    const: only,
    anyOf,
    oneOf,
    items,
    properties,
    required,
  } = schema as Record<string, unknown>;
  if (only !== undefined) return showValue(only);
  if (Array.isArray(values))
    return choices(
      values.map((value) => showValue(value)),
      "one of ",
    );
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) {
    return choices([...new Set(branches.map((branch) => describeSchema(branch, depth - 1)))], "");
  }
  if (Array.isArray(type)) return type.join(" or ");
  if (type === "array") {
    return depth > 0 && isKeywords(items)
      ? `array of ${describeSchema(items, depth - 1)}`
      : "array";
  }
  if (isKeywords(properties) && depth > 0) {
    return `object ${fields(properties, Array.isArray(required) ? required : [], depth)}`;
  }
  if (typeof type === "string") return type;
  return isKeywords(properties) ? "object" : ANY_VALUE;
}

function fields(properties: object, required: readonly unknown[], depth: number): string {
  const names = Object.keys(properties);
  const shown = names.slice(0, MAX_FIELDS).map((name) => {
    const schema = (properties as Record<string, unknown>)[name];
    return `${name}${required.includes(name) ? "" : "?"}: ${describeSchema(schema, depth - 1)}`;
  });
  return `{ ${[...shown, ...(names.length > MAX_FIELDS ? ["…"] : [])].join(", ")} }`;
}

function choices(texts: readonly string[], prefix: string): string {
  const shown = texts.slice(0, MAX_CHOICES);
  const list = [...shown, ...(texts.length > MAX_CHOICES ? ["…"] : [])];
  return prefix === "" ? list.join(" or ") : prefix + list.join(", ");
}
