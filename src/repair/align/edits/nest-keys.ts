import { isJsonObject, ownAt } from "../../json.ts";
import type { Variant } from "../../schema/node.ts";
import type { JsonObject, JsonValue } from "../../types.ts";
import { inputsFor, object, openObject, text } from "../cases.ts";
import type { Edit, EditSpec, ObjectChange } from "../rule.ts";
import type { KeyWant } from "../types.ts";

export const nestKeys: Edit<ObjectChange, KeyWant> = {
  name: "nest-keys",
  level: "safe",
  cost: 2,
  propose(at) {
    const after = nested(at);
    if (after === undefined) return [];
    return [
      { kind: "replace", after, why: "each part of the key is declared" },
    ];
  },
};

/** A longer key is no path. */
const MAX_PATH = 100;

/**
 * The object with each `outer.inner` moved into the object at `outer`, if that
 * declares it.
 */
function nested({
  unknown,
  missing,
  object,
  variant,
}: KeyWant): JsonObject | undefined {
  if (unknown.length === 0) return undefined;
  let whole: JsonObject | undefined = object;
  for (const key of unknown) {
    const path = key.length > MAX_PATH ? [] : key.split(".");
    const [outer = ""] = path;
    // If other keys are allowed, only a missing one shows that the key is not
    // meant literally.
    if (!variant.closed && !missing.includes(outer)) return undefined;
    const { [key]: value = null, ...holder }: JsonObject = whole;
    whole = insert(holder, path, value, variant);
    if (whole === undefined) return undefined;
  }
  return whole;
}

/**
 * An object with a value put at keys inside it that are declared and still
 * absent.
 */
function insert(
  holder: JsonValue,
  [key = "", ...inner]: readonly string[],
  value: JsonValue,
  variant: Variant | undefined,
): JsonObject | undefined {
  const node = variant?.properties.get(key);
  if (node === undefined || !isJsonObject(holder)) return undefined;
  const held = ownAt(holder, key);
  const [next] = inner;
  if (next === undefined) {
    if (held !== undefined) return undefined;
    return { ...holder, [key]: value };
  }
  const inside = node
    .of("object")
    .find(({ properties }) => properties.has(next));
  const after = insert(held ?? {}, inner, value, inside);
  if (after === undefined) return undefined;
  return { ...holder, [key]: after };
}

export function nestKeysSpec(): EditSpec {
  const user = object({ user: object({ name: text }) });
  return {
    does: "Keys `outer.inner` move into the object at `outer`, also deeper, if each part is declared and every undeclared key is such a path; where other keys are allowed, only if that object is missing.",
    example: {
      schema: user,
      input: { "user.name": "Ada" },
      after: { user: { name: "Ada" } },
    },
    notFor: [
      ...inputsFor(
        user,
        { "user.title": "Ada" },
        { "owner.name": "Ada" },
        { "user.name": "Ada", user: { name: "Eva" } },
        { "user[name]": "Ada" },
      ),
      {
        schema: openObject({ user: object({ name: text, "email?": text }) }),
        input: { "user.name": "Ada", email: "ada@example.com" },
      },
    ],
  };
}
