import type { SwitchableEdit } from "../edit-switches.ts";
import type { RepairLevel } from "../types.ts";
import { foldName, slipBetween, stemsOf, wordsOf } from "./names.ts";
import { CALL_WORDS, TOKEN_WORDS } from "./vocabulary.ts";

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
  return isWithin || slipBetween(one, other) !== undefined;
}

/** Whether a name is a tool's, with or without a namespace of call syntax. */
export function isToolName(name: string, toolName: string): boolean {
  return sameName(name, [toolName]).length + unprefixed(name, [toolName]).length > 0;
}

type Find = (name: string, offered: readonly string[]) => readonly string[];

/** The tools of the same name, but for case and separators: `WebSearch` for `web_search`. */
function sameName(name: string, offered: readonly string[]): readonly string[] {
  const fold = foldName(name);
  return fold === "" ? [] : offered.filter((other) => foldName(other) === fold);
}

const NAMESPACE =
  /^(?:functions?|tools?|default_api|api|namespace|multi_tool_use|mcp|assistant)[.:/]+(?=.+$)/i;

/** The tool in a namespace of call syntax (`functions.search`), or with its own prefix in another style. */
function unprefixed(name: string, offered: readonly string[]): readonly string[] {
  const bare = NAMESPACE.test(name) ? sameName(name.replace(NAMESPACE, ""), offered) : [];
  const prefix = prefixOf(name);
  if (prefix === "") return bare;
  const alike = offered.filter((other) => {
    return prefixOf(other) === prefix && lastPartOf(other) === lastPartOf(name);
  });
  return [...bare, ...alike];
}

/** What joins a server's name and a tool's: `mcp__memory__read_graph`, `memory:read_graph`. */
const JOINT = /__|[.:/]+/;

function lastPartOf(name: string): string {
  return foldName(name.split(JOINT).at(-1) ?? "");
}

/** The words before the last part that are no words of call syntax. */
function prefixOf(name: string): string {
  const before = name.split(JOINT).slice(0, -1).join(" ");
  return wordsOf(before)
    .filter((word) => !CALL_WORDS.has(word))
    .join(" ");
}

/** Marks of chat tokens before a name: `<|tool_call|>search`. */
const TOKENS_BEFORE = /^(?:<[|/]?[\w|]*>\s*)+/;
/** Where something else begins behind a name: a token, brackets, JSON, a line break. */
const END_OF_NAME = /<[|/]|\(\{|\(["']|\(\)|\{["']|\n/;
/** Words of channels, as in `search<|channel|>commentary`. */
const CHANNELS: ReadonlySet<string> = new Set([
  "channel",
  "commentary",
  "analysis",
  "final",
  "json",
]);

/** The tool before marks and words of chat tokens: `search<|channel|>json`, `search()`. */
function uncut(name: string, offered: readonly string[]): readonly string[] {
  const start = name.trim().replace(TOKENS_BEFORE, "");
  const [cut = ""] = start.split(END_OF_NAME, 1);
  if (cut === "" || cut === name) return [];
  // Anything else that stands there may be the arguments.
  const words = start.slice(cut.length).match(/[\p{L}\p{N}]+/gu) ?? [];
  const areOfTokens = words.every((word) => {
    const folded = word.toLowerCase();
    return TOKEN_WORDS.has(folded) || CHANNELS.has(folded);
  });
  return areOfTokens ? [...sameName(cut, offered), ...unprefixed(cut, offered)] : [];
}

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
  const isSlip = wordsOf(name).length > 2 && slipBetween(name, only) !== undefined;
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
