import type { JsonValue } from "../types.ts";
import { readCodeFence } from "./code-fence.ts";
import { namesTool } from "./names-tool.ts";
import { isTelling, parseExactly } from "./parse-exactly.ts";
import { readJson } from "./read-json.ts";

/**
 * Reads a text that is nothing but a call of the tool it was given to, in code: `click({"a": 1})` or
 * `click(a="x", b=2)`, in a code fence or not. Arguments without names, variables, other calls and
 * anything around it make it none.
 *
 * @param text The text, without white space around it.
 * @param toolName The tool that the text was given to.
 */
export function readOwnCall(text: string, toolName: string | undefined): JsonValue | undefined {
  const code = withoutFence(text);
  const [opening, name] = CALL.exec(code) ?? [];
  const end = CALL_END.exec(code.slice(-12))?.[0];
  if (opening === undefined || end === undefined || !namesTool(name ?? "", toolName)) {
    return undefined;
  }
  const inside = code.slice(opening.length, code.length - end.length).trim();
  if (inside.startsWith("{")) {
    const exact = parseExactly(inside);
    if (exact !== undefined) return isTelling(exact) ? exact : undefined;
    return readMembers(inside.slice(1));
  }
  return KEYWORD.test(inside) ? readMembers(`${inside}}`) : undefined;
}

/** Without the brace that opens them, and so without bare words: in code those are variables. */
function readMembers(text: string): JsonValue | undefined {
  const read = readJson(text, 0, true);
  const isWhole = read.kind === "value" && read.end === text.length;
  return isWhole && isTelling(read.value) ? read.value : undefined;
}

const CALL = /^(?:functions?\.|tools?\.)?([\p{L}_][\p{L}\p{N}_.-]{0,199})\s{0,3}\(/u;
const CALL_END = /\)\s{0,5};?$/;
const KEYWORD = /^[\p{L}_][\p{L}\p{N}_]{0,99}\s{0,3}=(?!=)/u;

function withoutFence(text: string): string {
  const open = readCodeFence(text, 0);
  const close = /\n\s{0,20}[`~]{3,20}$/.exec(text.slice(-60))?.[0];
  if (
    !open ||
    close === undefined ||
    !/^(?:python|py|tool_code|javascript|js|)$/i.test(open.language)
  )
    return text;
  return text.slice(open.end, text.length - close.length).trim();
}
