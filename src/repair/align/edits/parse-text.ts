import { whyNotJson } from "../../json/json-value.ts";
import { parseToolInput } from "../../read/parse-tool-input.ts";
import { VALUES } from "../reasons.ts";
import type { Edit } from "./edit.ts";

const CLOSING: { readonly [opening: string]: string } = {
  "{": "}",
  "[": "]",
  "(": ")",
  '"': '"',
  "'": "'",
  "`": "`",
};

/** Text that holds JSON, or nearly: `"[\"a\"]"`, `"{'a': True}"`. Never text that was cut off. */
export const parseText: Edit = {
  name: "parse-text",
  level: "safe",
  cost: 1,
  unpacks: true,
  propose(value, want) {
    if (typeof value !== "string" || !looksPacked(value)) return [];
    if (want.of("object").length + want.of("array").length === 0) return [];
    const parsed = parseToolInput(value, { level: "safe", toolName: want.run.toolName });
    if (parsed.kind !== "value" || parsed.value === value) return [];
    return whyNotJson(parsed.value, want.run.limits.maxDepth) === undefined ? [parsed.value] : [];
  },
  reason: () => VALUES.jsonAsText,
};

/** Whether a text begins and ends as JSON, a quoted text or a code fence does. */
function looksPacked(text: string): boolean {
  const trimmed = text.trim();
  const last = trimmed.at(-1);
  return trimmed.length > 1 && last !== undefined && CLOSING[trimmed[0] ?? ""] === last;
}

/** Whether a text begins as an object or array does, in quotes or not: then it is no plain text. */
export function opensContainer(text: string): boolean {
  return /^[\s"'`\\]*[[{]|^\s*```/.test(text);
}
