import type { TextCall } from "./text-call.ts";

const WHOLE = /^<function=([\w.-]+)>([\s\S]*)<\/function>$/;
const PARAMETER = /<parameter=([\w.-]+)>([\s\S]*?)<\/parameter>/g;

/**
 * Qwen3-Coder, Llama: `<function=name><parameter=key>value</parameter></function>`, in
 * `<tool_call>` or not, and `<function=name>{…}</function>`. Every value is text: the pipeline makes
 * of it what the schema wants.
 */
export function functionTag(text: string): readonly TextCall[] {
  const inner = /^<tool_call>([\s\S]*)<\/tool_call>$/.exec(text)?.[1]?.trim() ?? text;
  const [, name, body = ""] = WHOLE.exec(inner) ?? [];
  if (name === undefined || body.includes("<function=")) return [];
  if (body.trim().startsWith("{")) return [{ name, args: body.trim() }];
  const found = [...body.matchAll(PARAMETER)];
  const keys = new Set(found.map(([, key]) => key));
  const isAll = body.replaceAll(PARAMETER, "").trim() === "" && keys.size === found.length;
  if (!isAll || found.some(([, , value = ""]) => value.includes("<parameter="))) return [];
  return [{ name, args: Object.fromEntries(found.map(([, key, value]) => [key, unpad(value)])) }];
}

/** A line break after the opening tag and one before the closing one are the form's. */
function unpad(value = ""): string {
  return value.replace(/^\r?\n/, "").replace(/\r?\n$/, "");
}
