import { textArgs } from "./json-call.ts";
import type { TextCall } from "./text-call.ts";

const WHOLE = /^<function=([\w.-]+)>([\s\S]*)<\/function>$/;
const OPEN = /\s*<parameter=([\w.-]+)>/y;
const CLOSE = "</parameter>";

/**
 * Qwen3-Coder, Llama: `<function=name><parameter=key>value</parameter></function>`, in
 * `<tool_call>` or not, and `<function=name>{…}</function>`. Every value is text: the pipeline makes
 * of it what the schema wants.
 */
export function functionTag(text: string): readonly TextCall[] {
  const inner = /^<tool_call>([\s\S]*)<\/tool_call>$/.exec(text)?.[1]?.trim() ?? text;
  const [, name, body = ""] = WHOLE.exec(inner) ?? [];
  if (name === undefined || body.includes("<function=")) return [];
  if (body.trim().startsWith("{")) return textArgs(name, body);
  const args = readParameters(body);
  return args === undefined ? [] : [{ name, args }];
}

/** The parameters, if there is nothing but them. */
function readParameters(body: string): Record<string, string> | undefined {
  const parameters = new Map<string, string>();
  let at = 0;
  const whole = body.trimEnd().length;
  while (at < whole) {
    OPEN.lastIndex = at;
    const [tag, key = ""] = OPEN.exec(body) ?? [];
    const start = at + (tag?.length ?? 0);
    const end = body.indexOf(CLOSE, start);
    if (tag === undefined || end < 0 || parameters.has(key)) return undefined;
    const value = body.slice(start, end);
    if (value.includes("<parameter=")) return undefined;
    parameters.set(key, unpad(value));
    at = end + CLOSE.length;
  }
  return Object.fromEntries(parameters);
}

/** A line break after the opening tag and one before the closing one are the form's. */
function unpad(value: string): string {
  return value.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}
