import { isJsonObject } from "../../repair/json/json-value.ts";
import type { JsonValue } from "../../repair/types.ts";

/** A tool's name and its input. */
export interface NamedInput {
  readonly name: string;
  /** `undefined` where none is given. */
  readonly input: JsonValue | undefined;
}

/** The names of the two keys, without case, spaces, `_` and `-`, in the order of their likelihood. */
const FORMS: readonly (readonly [name: string, input: readonly string[]])[] = [
  ["action", ["actioninput"]],
  ["tool", ["toolinput"]],
  ["name", ["args", "arguments", "parameters"]],
];

/**
 * Reads a JSON value as a call of a tool, in one of the forms in use: `{action, action_input}`,
 * `{tool, toolInput}`, `{name, args}`; or an array of one of them.
 *
 * @param value The value.
 * @returns The call; `undefined` when it is none of these.
 */
export function readCall(value: unknown): NamedInput | undefined {
  if (Array.isArray(value)) return value.length === 1 ? readCall(value[0]) : undefined;
  if (!isJsonObject(value)) return undefined;
  const entries = new Map(Object.entries(value).map(([key, child]) => [fold(key), child]));
  for (const [nameKey, inputKeys] of FORMS) {
    const name = entries.get(nameKey);
    const inputKey = inputKeys.find((key) => entries.has(key));
    if (typeof name !== "string") continue;
    if (inputKey !== undefined) return { name, input: entries.get(inputKey) };
    if (entries.size === 1) return { name, input: undefined };
  }
  return undefined;
}

function fold(key: string): string {
  return key.toLowerCase().replace(/[\s_-]/g, "");
}
