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
export function repairToolName(name: string, offered: readonly string[]): ToolNameResult {
  // A longer text is no tool's name.
  if (name.length > 500) return { ok: false };
  for (const { name: fixer, level, find } of toolNameEdits) {
    const [only, ...others] = new Set(find(name, offered));
    if (only === undefined) continue;
    return others.length > 0 ? { ok: false } : { ok: true, name: only, fixer, level };
  }
  const [didYouMean, ...others] = offered.filter((other) => isNear(name, other));
  return didYouMean === undefined || others.length > 0 ? { ok: false } : { ok: false, didYouMean };
}

/** Whether a message may suggest one name for another: one slip, or all the words of the shorter. */
function isNear(one: string, other: string): boolean {
  const [ones, others] = [stemsOf(one), stemsOf(other)];
  const [fewer, more] = ones.length < others.length ? [ones, others] : [others, ones];
  const isWithin = fewer.length > 0 && fewer.every((word) => more.includes(word));
  return isWithin || slipOf(one, other, false) !== undefined;
}

/** Whether a name is a tool's, with or without a namespace of call syntax. */
export function isToolName(name: string, toolName: string): boolean {
  return sameName(name, [toolName]).length + unprefixed(name, [toolName]).length > 0;
}

type Find = (name: string, offered: readonly string[]) => readonly string[];

/** The tool of the same name, but for case and separators: `WebSearch` for `web_search`. */
const sameName: Find = (name, offered) => {
  const alike = offered.filter((other) => foldName(name) === foldName(other));
  // Another name that differs only in separators may be meant as well.
  return alike.some((other) => hasSameParts(name, other)) ? alike : [];
};

const NAMESPACE =
  /^(?:functions?|tools?|default_api|api|namespace|multi_tool_use|mcp|assistant)[.:/]+(?=.+$)/i;

/** The tool in a namespace of call syntax: `functions.search`. */
const unprefixed: Find = (name, offered) =>
  NAMESPACE.test(name) ? sameName(name.replace(NAMESPACE, ""), offered) : [];

/** The tool between control tokens, arguments or signs: `search<|channel|>json`, `search({"q":`. */
const uncut: Find = (name, offered) => {
  const start = name.trim().replace(/^(?:<[|/]?[\w|]*>\s*)+/, "");
  const [cut = ""] = start.split(/<[|/]|\(\{|\(["']|\(\)|\{["']|\n/, 1);
  return cut === "" || cut === name ? [] : [...sameName(cut, offered), ...unprefixed(cut, offered)];
};

/** The tool of two words or more, after words of call syntax or its own: `type_get_price`. */
const withoutFirstWords: Find = (name, offered) => {
  const words = /^[\w.:/\s-]+$/.test(name) ? wordsOf(name) : [];
  return offered.filter((other) => {
    const tail = wordsOf(other);
    const [before, after] = [words.slice(0, -tail.length), words.slice(-tail.length)];
    const areKnown = before.every((word) => CALL_WORDS.has(word) || tail.includes(word));
    return tail.length > 1 && before.length > 0 && areKnown && after.join() === tail.join();
  });
};

/** The only tool, for a name without a letter, or its own with a slip in one long word. */
const onlyTool: Find = (name, offered) => {
  const [only = "", ...others] = offered;
  const isSlip = wordsOf(name).length > 2 && slipOf(name, only, false) !== undefined;
  const isMeant = isSlip || !/[\p{L}\p{N}]/u.test(name);
  return isMeant && others.length === 0 ? offered : [];
};

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
