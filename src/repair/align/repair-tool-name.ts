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

/** A row of the table of edits of a tool's name: finds the tools that a name can mean. */
interface ToolNameEdit {
  readonly name: string;
  readonly level: "safe" | "eager";
  readonly find: (name: string, offered: readonly string[]) => readonly string[];
}

/** A longer text is no tool's name. */
const MAX_NAME = 500;

/** Finds the tool that a call means if no tool has its name. */
export function repairToolName(
  name: string,
  offered: readonly string[],
  level: RepairLevel,
): ToolNameResult {
  if (name.length > MAX_NAME) return { ok: false };
  for (const edit of EDITS) {
    const [only, ...others] = new Set(edit.find(name, offered));
    if (only === undefined) continue;
    if (others.length > 0) return { ok: false };
    return level === "eager" || level === edit.level
      ? { ok: true, name: only, fixer: edit.name, level: edit.level }
      : { ok: false, didYouMean: only };
  }
  const [didYouMean, ...others] = offered.filter((other) => isNear(name, other));
  return didYouMean === undefined || others.length > 0 ? { ok: false } : { ok: false, didYouMean };
}

/** Whether a message may suggest one name for another: one slip, or all the words of the shorter. */
function isNear(one: string, other: string): boolean {
  if (slipOf(one, other, false) !== undefined) return true;
  const [fewer, more] = [stemsOf(one), stemsOf(other)].sort((a, b) => a.length - b.length);
  return fewer !== undefined && fewer.length > 0 && fewer.every((word) => more?.includes(word));
}

/** Whether a name is a tool's, with or without a namespace of call syntax. */
export function isToolName(name: string, toolName: string): boolean {
  return sameName(name, [toolName]).length + unprefixed(name, [toolName]).length > 0;
}

function sameName(name: string, offered: readonly string[]): readonly string[] {
  const alike = offered.filter((other) => foldName(name) === foldName(other));
  // Another name that differs only in separators may be meant as well.
  return alike.some((other) => hasSameParts(name, other)) ? alike : [];
}

/** The tool in a namespace of call syntax: `functions.search`. */
function unprefixed(name: string, offered: readonly string[]): readonly string[] {
  const [, tail] = NAMESPACE.exec(name) ?? [];
  return tail === undefined ? [] : sameName(tail, offered);
}

const NAMESPACE =
  /^(?:functions?|tools?|default_api|api|namespace|multi_tool_use|mcp|assistant)[.:/]+(.+)$/i;

/** The edits of a tool's name, the surest first. */
export const toolNameEdits = [
  {
    // `WebSearch` for `web_search`.
    name: "respell-tool-name",
    level: "safe",
    find: (name: string, offered: readonly string[]): readonly string[] => sameName(name, offered),
  },
  {
    name: "unprefix-tool-name",
    level: "safe",
    find: (name: string, offered: readonly string[]): readonly string[] =>
      unprefixed(name, offered),
  },
  {
    // Control tokens, arguments or signs: `search<|channel|>json`, `search({"q":`.
    name: "cut-tool-name",
    level: "safe",
    find(name: string, offered: readonly string[]): readonly string[] {
      const cut = name
        .trim()
        .replace(/^(?:<[|/]?[\w|]*>\s*)+/, "")
        .replace(/(?:<\||<\/|\(\{|\(["']|\(\)|\{["']|\n).*$/s, "");
      if (cut === "" || cut === name) return [];
      const found = sameName(cut, offered);
      return found.length > 0 ? found : unprefixed(cut, offered);
    },
  },
  {
    // The whole name of two words or more, after words of call syntax or its own: `type_get_price`.
    name: "drop-name-words",
    level: "eager",
    find(name: string, offered: readonly string[]): readonly string[] {
      const words = /^[\w.:/\s-]+$/.test(name) ? wordsOf(name) : [];
      return offered.filter((other) => {
        const tail = wordsOf(other);
        const before = words.slice(0, -tail.length);
        return (
          tail.length > 1 &&
          tail.length < words.length &&
          words.slice(-tail.length).join() === tail.join() &&
          before.every((word) => CALL_WORDS.has(word) || tail.includes(word))
        );
      });
    },
  },
  {
    // If only one tool exists: a name without a letter, or its own with a slip in one long word.
    name: "take-only-tool",
    level: "eager",
    find(name: string, offered: readonly string[]): readonly string[] {
      const [only, ...others] = offered;
      if (only === undefined || others.length > 0) return [];
      const isSlip = wordsOf(name).length > 2 && slipOf(name, only, false) !== undefined;
      return isSlip || !/[\p{L}\p{N}]/u.test(name) ? [only] : [];
    },
  },
] as const;

const EDITS: readonly ToolNameEdit[] = toolNameEdits;
