import type { NumberSpellings } from "../../../repair/json/exact-number.ts";
import { isJsonObject } from "../../../repair/json/json-value.ts";
import { spellNumbers } from "../../../repair/json/spell-numbers.ts";
import { writtenNumbersOf } from "../../../repair/json/written-numbers.ts";
import { parseToolInput } from "../../../repair/read/parse-tool-input.ts";
import type { JsonObject } from "../../../repair/types.ts";
import type { TextCall } from "./text-call.ts";

const NAME_KEYS: ReadonlySet<string> = new Set(["name", "tool", "tool_name", "action"]);
const ARGS_KEYS: ReadonlySet<string> = new Set([
  "arguments",
  "args",
  "parameters",
  "input",
  "tool_input",
  "action_input",
]);
const OTHER_KEYS: ReadonlySet<string> = new Set(["id", "type"]);

const FENCE = /^```[a-z_]*[ \t]*\n([\s\S]*?)\n?```$/i;

/** A JSON object in a fence: a name and arguments, and nothing else. */
export function fencedJson(text: string): readonly TextCall[] {
  const body = FENCE.exec(text)?.[1];
  return body === undefined || body.includes("```") ? [] : jsonCalls(body);
}

/** The same without a fence. */
export function bareJson(text: string): readonly TextCall[] {
  return text.startsWith("{") && text.endsWith("}") ? jsonCalls(text) : [];
}

/** Hermes, Qwen: `<tool_call>{…}</tool_call>`. */
export function taggedJson(text: string): readonly TextCall[] {
  const body = /^<tool_call>([\s\S]*)<\/tool_call>$/.exec(text)?.[1];
  if (body === undefined) return [];
  const bodies = body.split(/<\/tool_call>\s*<tool_call>/);
  return bodies.flatMap((one) => (one.trim().startsWith("{") ? jsonCalls(one) : []));
}

/** Mistral: `[TOOL_CALLS][{…}]`, `[TOOL_CALLS]name{…}`, `[TOOL_CALLS]name[ARGS]{…}`. */
export function toolCallsMarker(text: string): readonly TextCall[] {
  const marker = "[TOOL_CALLS]";
  if (!text.startsWith(marker)) return [];
  const parts = text.split(marker).slice(1);
  return parts.flatMap((part) => {
    const body = part.trim();
    if (body.startsWith("[") || body.startsWith("{")) return jsonCalls(body);
    const named = /^([\w.-]+)\s*(?:\[ARGS\])?\s*(\{[\s\S]*\})$/.exec(body);
    return named === null ? [] : [{ name: named[1] as string, args: named[2] }];
  });
}

/**
 * Reads JSON text that is a call, or a list of calls.
 *
 * @param text The text.
 */
export function jsonCalls(text: string): readonly TextCall[] {
  const parsed = parseToolInput(text, { level: "safe" });
  if (parsed.kind !== "value") return [];
  const { value, repairs } = parsed;
  const calls = Array.isArray(value) ? value : [value];
  const { spellings } = writtenNumbersOf(text, repairs.length === 0);
  const read = calls.map((call) => (isJsonObject(call) ? toCall(call, spellings) : undefined));
  return read.every((call) => call !== undefined) ? read : [];
}

function toCall(object: JsonObject, spellings: NumberSpellings): TextCall | undefined {
  const keys = Object.keys(object).filter((key) => !OTHER_KEYS.has(key));
  const nested = object.function;
  if (keys.length === 1 && isJsonObject(nested)) return toCall(nested, spellings);
  const name = keys.find((key) => NAME_KEYS.has(key));
  const args = keys.find((key) => ARGS_KEYS.has(key));
  if (keys.length !== 2 || name === undefined || args === undefined) return undefined;
  const called = object[name];
  if (typeof called !== "string") return undefined;
  const spelled = spellNumbers(object[args], spellings);
  return spelled === undefined ? undefined : { name: called, args: spelled };
}
