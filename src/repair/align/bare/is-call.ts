import { foldName } from "../names.ts";
import { repairToolName } from "../repair-tool-name.ts";
import type { BareField, FieldKind } from "./field-kind.ts";

/**
 * Checks whether a text is a call of this tool, a call with named arguments, or one that makes an object.
 *
 * @param text The text, without white space around it.
 * @param field The field and its tool.
 * @param kind What the field takes.
 */
export function isCall(
  text: string,
  { keys, toolName }: BareField,
  { isCode }: FieldKind,
): boolean {
  const name = foldName(toolName);
  if (foldName(text.slice(0, 200)) === name) return true;
  if (
    /[_\p{Lu}-]/u.test(toolName.slice(1)) &&
    text.toLowerCase().startsWith(toolName.toLowerCase())
  ) {
    return true;
  }
  const announced = ANNOUNCED.exec(text.slice(0, 200))?.[0];
  if (announced && foldName(text.slice(announced.length, 200)) === name) return true;
  if (callsTool(text, keys, toolName)) return true;
  if (/^\(\s{0,5}[\p{L}_][\w]{0,60}\s{0,3}=/u.test(text)) return true;
  const [opening = "", called] = /^([\w.-]{1,100})\s?\(/.exec(text) ?? [];
  if (called === undefined) return false;
  const rest = text.slice(opening.length);
  if (foldName(called) === name || repairToolName(called, [toolName], "safe").ok) return true;
  if (MAKERS.test(called) || rest.includes('["')) return true;
  const folded = new Set(keys.map((key) => foldName(key)));
  for (const [, key = ""] of rest.matchAll(/(?:^|[,\s(])([A-Za-z_]\w{0,60})\s{0,3}=(?![=>])/g)) {
    if (folded.has(foldName(key)) || !isCode) return true;
  }
  return !isCode && text.endsWith(")") && /^\s{0,5}["'`]/.test(rest);
}

/** A call of the tool anywhere: by a name that is no common word, or with what it takes. */
function callsTool(text: string, keys: readonly string[], toolName: string): boolean {
  const at = toolName === "" ? -1 : text.indexOf(`${toolName}(`);
  if (at < 0 || /[\w.]/.test(text.charAt(at - 1))) return false;
  if (/[_\p{Lu}-]/u.test(toolName.slice(1))) return true;
  const [inside = "", key] =
    /^\s{0,5}(?:\{|(\w{1,60})\s{0,3}=)?/.exec(
      text.slice(at + toolName.length + 1, at + toolName.length + 70),
    ) ?? [];
  return inside.includes("{") || (key !== undefined && keys.includes(key));
}

/** "Calling click". */
const ANNOUNCED = /^(?:calling|using|invoking|running|executing|call|use|invoke) (?:the )?/i;

const MAKERS =
  /^(?:dict|object|map|kwargs|args|arguments|input|inputs|params|parameters|tool|tool_call|toolcall|call|function|json\.\w+|new)$/i;
