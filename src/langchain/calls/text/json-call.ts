import { spellNumbers } from "../../../repair/json/spell-numbers.ts";
import { writtenNumbersOf } from "../../../repair/json/written-numbers.ts";
import { readCallObject } from "./call-object.ts";
import type { TextCall } from "./text-call.ts";
import { readWholeJson } from "./whole-json.ts";

const FENCE = /^(```|~~~)[a-z_]*[ \t]*\r?\n([\s\S]*)$/i;

/** A JSON object in a fence: a name and arguments, and nothing else. */
export function fencedJson(text: string): readonly TextCall[] {
  const [, fence = "", inner = ""] = FENCE.exec(text) ?? [];
  if (fence === "" || !inner.endsWith(fence)) return [];
  const body = inner.slice(0, -fence.length);
  return body.includes(fence) ? [] : jsonCalls(body);
}

/** The same in a fence that is not closed. */
export function openFencedJson(text: string): readonly TextCall[] {
  const [, fence = "", body = ""] = FENCE.exec(text) ?? [];
  return fence === "" || body.includes(fence) ? [] : jsonCalls(body);
}

/** The same without a fence. */
export function bareJson(text: string): readonly TextCall[] {
  return text.startsWith("{") ? jsonCalls(text) : [];
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
    const [, name, args = ""] = /^([\w.-]+)\s*(?:\[ARGS\])?\s*(\{[\s\S]*)$/.exec(body) ?? [];
    return name === undefined ? [] : textArgs(name, args);
  });
}

/**
 * Makes a call of a name and text that is to be its arguments.
 *
 * @param name The name.
 * @param args The text: one JSON object or array; of any other there is no call.
 */
export function textArgs(name: string, args: string): readonly TextCall[] {
  const level = readWholeJson(args)?.level;
  return level === undefined ? [] : [{ name, args: args.trim(), level }];
}

/** Reads JSON text that is a call, or a list of calls. */
function jsonCalls(text: string): readonly TextCall[] {
  const whole = readWholeJson(text);
  if (whole === undefined) return [];
  const { value, level } = whole;
  const { spellings } = writtenNumbersOf(text, level === "strict");
  const calls = (Array.isArray(value) ? value : [value]).map((one): TextCall | undefined => {
    const call = readCallObject(one);
    if (call?.args === undefined) return call && { ...call, args: {}, level };
    const args = spellNumbers(call.args, spellings);
    return args === undefined ? undefined : { name: call.name, args, level };
  });
  return calls.every((call) => call !== undefined) ? calls : [];
}
