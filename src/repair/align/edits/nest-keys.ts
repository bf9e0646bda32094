import { isJsonObject, ownAt } from "../../json.ts";
import type { Variant } from "../../schema/node.ts";
import type { JsonObject, JsonValue } from "../../types.ts";
import { object, openObject, text } from "../cases.ts";
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
  if (inner.length === 0)
    return held === undefined ? { ...holder, [key]: value } : undefined;
  const [next = ""] = inner;
  const inside = node
    .of("object")
    .find(({ properties }) => properties.has(next));
  const after = insert(held ?? {}, inner, value, inside);
  return after && { ...holder, [key]: after };
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
      { schema: user, input: { "user.title": "Ada" } },
      { schema: user, input: { "owner.name": "Ada" } },
      { schema: user, input: { "user.name": "Ada", user: { name: "Eva" } } },
      { schema: user, input: { "user[name]": "Ada" } },
      {
        schema: openObject({ user: object({ name: text, "email?": text }) }),
        input: { "user.name": "Ada", email: "ada@example.com" },
      },
    ],
  };
}
