import { isJsonObject } from "../json.ts";
import type { JsonValue } from "../types.ts";

/**
 * Reads a value as a call: an object that holds a tool's name and its arguments
 * and nothing else, in any of the spellings in use (`{action, action_input}`,
 * `{name, args}`, OpenAI's `{function}`), or a list of one. `undefined` when it
 * is no call.
 */
export function readCallObject(
  value: unknown,
): { readonly name: string; readonly args: JsonValue | undefined } | undefined {
  if (Array.isArray(value))
    return value.length === 1 ? readCallObject(value[0]) : undefined;
  if (!isJsonObject(value)) return undefined;
  const keys = keysOfCall(Object.keys(value));
  if (keys === undefined) return undefined;
  const named = value[keys.name];
  if (keys.args !== undefined)
    return typeof named === "string"
      ? { name: named, args: value[keys.args] }
      : undefined;
  if (isJsonObject(named)) return readCallObject(named);
  // `{"name": "x"}` alone is anything
  if (typeof named !== "string" || keys.name === "name") return undefined;
  return { name: named, args: undefined };
}

/**
 * The keys of a call by what they hold; `undefined` if there is no name, or
 * anything else.
 */
export function keysOfCall(
  keys: readonly string[],
): (Partial<Record<Role, string>> & { readonly name: string }) | undefined {
  const keyByRole: Partial<Record<Role, string>> = {};
  for (const key of keys) {
    const role = ROLES.get(key.toLowerCase().replace(/[\s_-]/g, ""));
    if (role === undefined) return undefined;
    if (keyByRole[role] !== undefined && role !== "other") return undefined;
    keyByRole[role] = key;
  }
  const { name } = keyByRole;
  return name === undefined ? undefined : { ...keyByRole, name };
}

/**
 * What the keys of a call hold, without case and separators. `function` holds
 * the name, or the whole call.
 */
const KEYS = {
  name: "name tool toolname function functionname action",
  args: "arguments args parameters params input toolinput actioninput kwargs",
  id: "id callid toolcallid",
  type: "type",
  /** What says nothing of what is called. */
  other: "thought log messagelog",
};
type Role = keyof typeof KEYS;
const ROLES = new Map(
  Object.entries(KEYS).flatMap(([role, keys]) =>
    keys.split(" ").map((key) => [key, role as Role]),
  ),
);
