import { isJsonObject } from "../../../repair/json/json-value.ts";
import type { JsonValue } from "../../../repair/types.ts";

/** The keys under which models write a tool's name, as `fold` makes them. */
const NAME_KEYS: ReadonlySet<string> = new Set(["action", "tool", "name", "toolname"]);

/** And its arguments. */
const ARGS_KEYS: ReadonlySet<string> = new Set([
  "actioninput",
  "toolinput",
  "arguments",
  "args",
  "parameters",
  "input",
]);

/** What may stand beside them and says nothing of what is called. */
const OTHER_KEYS: ReadonlySet<string> = new Set(["id", "type", "thought", "log", "messagelog"]);

/**
 * Reads a value as a call: an object that holds a tool's name and its arguments and nothing else, in
 * any of the spellings in use (`{action, action_input}`, `{name, args}`, OpenAI's `{function}`), or a
 * list of one.
 *
 * @param value The value.
 * @returns The call, its arguments `undefined` where there are none; `undefined` when it is no call.
 */
export function readCallObject(
  value: unknown,
): { readonly name: string; readonly args: JsonValue | undefined } | undefined {
  if (Array.isArray(value)) return value.length === 1 ? readCallObject(value[0]) : undefined;
  if (!isJsonObject(value)) return undefined;
  const keys = Object.keys(value).filter((key) => !OTHER_KEYS.has(foldCallKey(key)));
  const nested = value.function;
  if (keys.length === 1 && isJsonObject(nested)) return readCallObject(nested);
  const [name, ...moreNames] = keys.filter((key) => NAME_KEYS.has(foldCallKey(key)));
  const [args, ...moreArgs] = keys.filter((key) => ARGS_KEYS.has(foldCallKey(key)));
  if (name === undefined || moreNames.length > 0 || moreArgs.length > 0) return undefined;
  if (keys.length !== (args === undefined ? 1 : 2)) return undefined;
  // `{"name": "x"}` alone is anything.
  if (args === undefined && foldCallKey(name) === "name") return undefined;
  const called = value[name];
  return typeof called === "string"
    ? { name: called, args: args === undefined ? undefined : value[args] }
    : undefined;
}

function foldCallKey(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, "");
}
