import { isJsonObject, setAt, toPointer } from "#src/repair/json.ts";
import type { JsonObject, JsonValue } from "#src/repair/types.ts";

/** A schema and an input that it accepts. */
export interface Sample {
  readonly toolName: string;
  readonly schema: JsonObject;
  readonly input: JsonObject;
}

/** Chooses a number below `count`: the source of a fault's randomness. */
export type Pick = (count: number) => number;

/** A value in an input, and its schema. */
export interface Spot {
  readonly path: string;
  readonly key: string;
  readonly value: JsonValue;
  readonly schema: JsonObject;
  /** Whether it is the value of a property, and of a required one. */
  readonly isRequired: boolean;
  readonly isProperty: boolean;
}

/** All values of an input that have a schema, the whole input first. */
export function spotsOf({ schema, input }: Sample): Spot[] {
  const root = { path: "", key: "", value: input, schema, isRequired: true, isProperty: false };
  return below(root);
}

function below(spot: Spot): Spot[] {
  const { value, schema, path } = spot;
  if (Array.isArray(value) && isJsonObject(schema.items)) {
    const items = schema.items as JsonObject;
    return [
      spot,
      ...value.flatMap((item, index) =>
        below({
          path: `${path}/${index}`,
          key: "",
          value: item as JsonValue,
          schema: items,
          isRequired: true,
          isProperty: false,
        }),
      ),
    ];
  }
  if (!isJsonObject(value) || !isJsonObject(schema.properties)) return [spot];
  const required = Array.isArray(schema.required) ? schema.required : [];
  return [
    spot,
    ...Object.entries(schema.properties).flatMap(([key, part]) =>
      Object.hasOwn(value, key) && isJsonObject(part)
        ? below({
            path: path + toPointer([key]),
            key,
            value: value[key] as JsonValue,
            schema: part as JsonObject,
            isRequired: required.includes(key),
            isProperty: true,
          })
        : [],
    ),
  ];
}

/** One element of a list, or `undefined` for an empty one. */
export function oneOf<Item>(items: readonly Item[], pick: Pick): Item | undefined {
  return items.length === 0 ? undefined : items[pick(items.length)];
}

/** An input with one value replaced. */
export function put(input: JsonValue, path: string, value: JsonValue | undefined): JsonValue {
  return setAt(input, path, value) as JsonValue;
}

/** An object with one key renamed, in the same order. */
export function rename(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key === from ? to : key, value as JsonValue]),
  );
}

/** The declared properties of an object's schema. */
export function propertiesOf(schema: JsonObject): { readonly [key: string]: JsonObject } {
  return isJsonObject(schema.properties)
    ? (schema.properties as unknown as { [key: string]: JsonObject })
    : {};
}

export function requiredOf(schema: JsonObject): readonly string[] {
  return Array.isArray(schema.required) ? (schema.required as string[]) : [];
}

export { isJsonObject };
