import type { SwitchableEdit } from "../edit-switches.ts";
import type { RepairLevel } from "../types.ts";
import { foldName, hasSameParts, slipOf, stemsOf, wordsOf } from "./names.ts";
import { CALL_WORDS } from "./vocabulary.ts";

/** The tool that was meant, and how its name was found; or what it may have been. */
export type ToolNameResult =
  | {
      readonly ok: true;
      readonly name: string;
      readonly fixer: string;
      readonly level: RepairLevel;
    }
  | { readonly ok: false; readonly didYouMean?: string };

/** Finds the tool that a call means if no tool has its name. */
export function repairToolName(
  name: string,
  offered: readonly string[],
  level: RepairLevel,
): ToolNameResult {
  // A longer text is no tool's name.
  if (name.length > 500) return { ok: false };
  for (const { name: fixer, level: needed, find } of toolNameEdits) {
    const [only, ...others] = new Set(find(name, offered));
    if (only === undefined) continue;
    if (others.length > 0) return { ok: false };
    return level === "eager" || level === needed
      ? { ok: true, name: only, fixer, level: needed }
      : { ok: false, didYouMean: only };
  }
  const [didYouMean, ...others] = offered.filter((other) => isNear(name, other));
  return didYouMean === undefined || others.length > 0 ? { ok: false } : { ok: false, didYouMean };
}

/** Whether a message may suggest one name for another: one slip, or all the words of the shorter. */
function isNear(one: string, other: string): boolean {
  if (slipOf(one, other, false) !== undefined) return true;
  const [fewer = [], more = []] = [stemsOf(one), stemsOf(other)].sort(
    (left, right) => left.length - right.length,
  );
  return fewer.length > 0 && fewer.every((word) => more.includes(word));
}

/** Whether a name is a tool's, with or without a namespace of call syntax. */
export function isToolName(name: string, toolName: string): boolean {
  return sameName(name, [toolName]).length + unprefixed(name, [toolName]).length > 0;
}

type Find = (name: string, offered: readonly string[]) => readonly string[];

/** The edits of a tool's name, the surest first. Each finds the tools that a name can mean. */
export const toolNameEdits: readonly {
  readonly name: SwitchableEdit;
  readonly level: "safe" | "eager";
  readonly find: Find;
}[] = [
  { name: "respell-tool-name", level: "safe", find: sameName },
  { name: "unprefix-tool-name", level: "safe", find: unprefixed },
  { name: "cut-tool-name", level: "safe", find: uncut },
  { name: "drop-name-words", level: "eager", find: withoutFirstWords },
  { name: "take-only-tool", level: "eager", find: onlyTool },
];

/** The tool of the same name, but for case and separators: `WebSearch` for `web_search`. */
function sameName(name: string, offered: readonly string[]): readonly string[] {
  const alike = offered.filter((other) => foldName(name) === foldName(other));
  // Another name that differs only in separators may be meant as well.
  return alike.some((other) => hasSameParts(name, other)) ? alike : [];
}

const NAMESPACE =
  /^(?:functions?|tools?|default_api|api|namespace|multi_tool_use|mcp|assistant)[.:/]+(.+)$/i;

/** The tool in a namespace of call syntax: `functions.search`. */
function unprefixed(name: string, offered: readonly string[]): readonly string[] {
  const [, tail] = NAMESPACE.exec(name) ?? [];
  return tail === undefined ? [] : sameName(tail, offered);
}

/** The tool between control tokens, arguments or signs: `search<|channel|>json`, `search({"q":`. */
function uncut(name: string, offered: readonly string[]): readonly string[] {
  const cut = name
    .trim()
    .replace(/^(?:<[|/]?[\w|]*>\s*)+/, "")
    .replace(/(?:<\||<\/|\(\{|\(["']|\(\)|\{["']|\n).*$/s, "");
  if (cut === "" || cut === name) return [];
  const found = sameName(cut, offered);
  return found.length > 0 ? found : unprefixed(cut, offered);
}

/** The tool of two words or more, after words of call syntax or its own: `type_get_price`. */
function withoutFirstWords(name: string, offered: readonly string[]): readonly string[] {
  const words = /^[\w.:/\s-]+$/.test(name) ? wordsOf(name) : [];
  return offered.filter((other) => {
    const tail = wordsOf(other);
    if (tail.length < 2 || tail.length >= words.length) return false;
    const isKnown = (word: string) => CALL_WORDS.has(word) || tail.includes(word);
    const isTail = words.slice(-tail.length).join() === tail.join();
    return isTail && words.slice(0, -tail.length).every(isKnown);
  });
}

/** The only tool, for a name without a letter, or its own with a slip in one long word. */
function onlyTool(name: string, offered: readonly string[]): readonly string[] {
  const [only, ...others] = offered;
  if (only === undefined || others.length > 0) return [];
  const isSlip = wordsOf(name).length > 2 && slipOf(name, only, false) !== undefined;
  return isSlip || !/[\p{L}\p{N}]/u.test(name) ? [only] : [];
}
