import { isJsonObject, isPollutingKey } from "../../../json/json-value.ts";
import type { JsonObject, JsonValue } from "../../../types.ts";
import { rekey, undeclaredKeys, withoutKeys } from "../../keys.ts";
import type { KeyStep } from "./key-step.ts";

/** Keys that spell out a path: `{"user.name": "Ada"}` for `{"user": {"name": "Ada"}}`. */
export const nestKeys: KeyStep = {
  name: "nest-keys",
  level: "safe",
  cost: 2,
  take(keyed, { variant, place, run }) {
    const { object } = keyed;
    const paths = undeclaredKeys(object, variant).flatMap((key) => {
      const [head = "", ...rest] = key.split(/[./[\]]+/).filter((part) => part !== "");
      const takesObject = variant.properties
        .get(head)
        ?.variants()
        .some(({ type }) => type === "object");
      const isSafe = ![head, ...rest].some(isPollutingKey);
      const isShallow = place.depth + rest.length < run.limits.maxDepth;
      return takesObject && rest.length > 0 && isShallow && isSafe ? [{ key, head, rest }] : [];
    });
    if (paths.length === 0) return keyed;
    let nested: JsonObject = withoutKeys(
      object,
      paths.map(({ key }) => key),
    );
    for (const { key, head, rest } of paths) {
      const after = put(nested, [head, ...rest], object[key] as JsonValue);
      if (after === undefined) return keyed;
      nested = after;
    }
    return rekey(keyed, this, { object: nested });
  },
};

/** The object with a value at a path; `undefined` where something stands there already. */
function put(
  object: JsonObject,
  path: readonly string[],
  value: JsonValue,
): JsonObject | undefined {
  const [key = "", ...rest] = path;
  const there = Object.hasOwn(object, key) ? object[key] : undefined;
  if (rest.length === 0) return there === undefined ? { ...object, [key]: value } : undefined;
  if (there !== undefined && !isJsonObject(there)) return undefined;
  const child = put((there ?? {}) as JsonObject, rest, value);
  return child === undefined ? undefined : { ...object, [key]: child };
}
