import { isJsonObject } from "../json/json-value.ts";
import type { JsonValue } from "../types.ts";

/** The keys of a call's name, as `foldCallKey` makes them. `function` holds it, or the whole call. */
const NAME_KEYS: ReadonlySet<string> = new Set([
  "name",
  "tool",
  "toolname",
  "function",
  "functionname",
  "action",
]);
/** The keys of its arguments. */
const ARGS_KEYS: ReadonlySet<string> = new Set([
  "arguments",
  "args",
  "parameters",
  "params",
  "input",
  "toolinput",
  "actioninput",
  "kwargs",
]);
const ID_KEYS: ReadonlySet<string> = new Set(["id", "callid", "toolcallid"]);
/** What may stand beside them and says nothing of what is called. */
const OTHER_KEYS: ReadonlySet<string> = new Set(["type", "thought", "log", "messagelog"]);

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
  const keys = keysOfCall(Object.keys(value));
  const named = keys && value[keys.name];
  if (keys === undefined || named === undefined) return undefined;
  if (keys.args === undefined && isJsonObject(named)) return readCallObject(named);
  if (keys.args === undefined && keys.name === "name") return undefined;
  return typeof named === "string"
    ? { name: named, args: keys.args === undefined ? undefined : value[keys.args] }
    : undefined;
}

interface CallKeys {
  readonly name: string;
  readonly args: string | undefined;
  readonly id: string | undefined;
}

/** A name and arguments, and nothing else but an id and what says nothing. */
export function keysOfCall(keys: readonly string[]): CallKeys | undefined {
  const folded = keys.map((key) => [key, foldCallKey(key)] as const);
  const among = (set: ReadonlySet<string>) =>
    folded.filter(([, key]) => set.has(key)).map(([key]) => key);
  const [args, ...moreArgs] = among(ARGS_KEYS);
  const [name, ...moreNames] = among(NAME_KEYS);
  const [id, ...moreIds] = among(ID_KEYS);
  if (name === undefined || [...moreArgs, ...moreNames, ...moreIds].length > 0) return undefined;
  const isKnown = folded.every(([key, word]) =>
    [name, args, id].includes(key) ? true : OTHER_KEYS.has(word),
  );
  return isKnown ? { name, args, id } : undefined;
}

export function foldCallKey(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, "");
}
