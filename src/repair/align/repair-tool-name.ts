import type { SwitchableEdit } from "../edit-switches.ts";
import { isJsonObject, parseExactly } from "../json.ts";
import type { RepairLevel } from "../types.ts";
import {
  foldName,
  lettersOf,
  slipBetween,
  stemsOf,
  wordsOf,
} from "../words/names.ts";
import { CALL_WORDS, TOKEN_WORDS } from "../words/vocabulary.ts";
import { holdsAny } from "./bare-text.ts";

/**
 * The tool that was meant, and how its name was found; or what it may have
 * been.
 */
type ToolNameResult =
  | {
      readonly ok: true;
      readonly name: string;
      readonly fixer: string;
      readonly level: RepairLevel;
      /**
       * The arguments that stand in the name, as JSON text; absent if it holds
       * no arguments.
       */
      readonly args: string | undefined;
    }
  | {
      readonly ok: false;
      readonly didYouMean?: string;
      /**
       * The tool whose name has more in it than marks and one JSON object of
       * arguments.
       */
      readonly overfull?: string;
    };

/** The longest name, in characters, and the longest with arguments in it. */
const MAX = { name: 500, written: 10_000 };

/** Finds the tool that a call means if no tool has its name. */
export function repairToolName(
  name: string,
  offered: readonly string[],
): ToolNameResult {
  const parts = partsOf(name);
  if (name.length > MAX.written || parts.name.length > MAX.name)
    return { ok: false };
  for (const { name: fixer, level, find } of toolNameEdits) {
    const tools = find(name, offered);
    if (tools.length === 0) continue;
    const tool = onlyNameOf(tools);
    if (tool === undefined) return { ok: false };
    return { ok: true, name: tool, fixer, level, args: parts.args };
  }
  return suggestTool(name, parts, offered);
}

/** The tool that a message may suggest for a name that no edit reads. */
function suggestTool(
  name: string,
  parts: NameParts,
  offered: readonly string[],
): ToolNameResult {
  if (parts.around !== "") {
    const overfull = onlyNameOf(bareName(parts.name, offered));
    if (overfull !== undefined)
      return { ok: false, didYouMean: overfull, overfull };
  }
  const near = offered.filter((toolName) => isNear(name, toolName));
  return near.length === 1 ? { ok: false, didYouMean: near[0] } : { ok: false };
}

/** The name that all of some names are; `undefined` if two differ. */
function onlyNameOf(names: readonly string[]): string | undefined {
  const [first] = names;
  return names.every((name) => name === first) ? first : undefined;
}

/**
 * Whether a message may suggest one name for another: one slip, or all the
 * words of the shorter.
 */
function isNear(written: string, toolName: string): boolean {
  if (slipBetween(written, toolName) !== undefined) return true;
  const [words, toolWords] = [stemsOf(written), stemsOf(toolName)];
  const shared = words.filter((word) => toolWords.includes(word));
  const fewest = Math.min(words.length, toolWords.length);
  return shared.length > 0 && shared.length === fewest;
}

/** Whether a name is a tool's, with or without a namespace of call syntax. */
export function isToolName(name: string, toolName: string): boolean {
  return (
    sameName(name, [toolName]).length + unprefixed(name, [toolName]).length > 0
  );
}

type Find = (name: string, offered: readonly string[]) => readonly string[];

/**
 * The tools of the same name, but for case and separators: `WebSearch` for
 * `web_search`.
 */
const sameName: Find = (name, offered) => {
  if (hasMore(name)) return [];
  const fold = foldName(name);
  if (fold === "") return [];
  return offered.filter((toolName) => foldName(toolName) === fold);
};

const NAMESPACES =
  "functions?|tools?|default_api|api|namespace|multi_tool_use|mcp|assistant";
/**
 * A namespace of call syntax: `functions.` in `functions.search`, but not
 * `files.`.
 */
const NAMESPACE = new RegExp(`^(?:${NAMESPACES})[.:/]+(?=.+$)`, "i");

/**
 * The tool in a namespace of call syntax (`functions.search`), or with its own
 * prefix.
 */
const unprefixed: Find = (name, offered) => {
  if (hasMore(name)) return [];
  const bare = name.replace(NAMESPACE, "");
  const namesakes = bare === name ? [] : sameName(bare, offered);
  return [...namesakes, ...withOwnPrefix(name, offered)];
};

/**
 * What joins a server's name and a tool's: `mcp__memory__read_graph`,
 * `memory:read_graph`.
 */
const JOINT = /__|[.:/]+/;

/**
 * The tool that is written with its own prefix: in another style
 * (`memory:read_graph` for `memory__read_graph`), or without what says nothing,
 * if one tool alone has that last name: `memory:read_graph` for
 * `mcp__memory__read_graph`.
 */
function withOwnPrefix(
  name: string,
  offered: readonly string[],
): readonly string[] {
  const written = name.split(JOINT);
  if (written.some((part) => foldName(part) === "")) return [];
  const prefix = prefixOf(written);
  if (withoutCallWords(prefix) === "") return [];
  const namesakes = offered.filter(
    (toolName) => lastPartOf(toolName) === lastPartOf(name),
  );
  const alike = namesakes.filter(
    (toolName) => prefixOf(toolName.split(JOINT)) === prefix,
  );
  if (alike.length > 0) return alike;
  if (namesakes.length > 1) return [];
  return namesakes.filter((only) =>
    meaningfulPrefixes(only, offered).has(withoutCallWords(prefix)),
  );
}

function lastPartOf(name: string): string {
  const [last = ""] = name.split(JOINT).toReversed();
  return foldName(last);
}

/** The words before the last part of a name. */
function prefixOf(parts: readonly string[]): string {
  return wordsOf(parts.slice(0, -1).join(" ")).join(" ");
}

function withoutCallWords(prefix: string): string {
  const words = prefix.split(" ").filter((word) => !CALL_WORDS.has(word));
  return words.join(" ");
}

/**
 * A tool's prefix without words of call syntax, and without the parts that
 * several tools begin with: of `acme__files__read` beside `acme__mail__send`,
 * `acme files` and `files`.
 */
function meaningfulPrefixes(
  tool: string,
  offered: readonly string[],
): ReadonlySet<string> {
  const parts = tool.split(JOINT);
  const prefixes = new Set([withoutCallWords(prefixOf(parts))]);
  for (let count = 1; count < parts.length - 1; count++) {
    const begin = beginOf(tool, count);
    const sharing = offered.filter(
      (toolName) => beginOf(toolName, count) === begin,
    );
    if (sharing.length > 1)
      prefixes.add(withoutCallWords(prefixOf(parts.slice(count))));
  }
  prefixes.delete("");
  return prefixes;
}

/** The first parts of a name. */
function beginOf(name: string, count: number): string {
  return name.split(JOINT).slice(0, count).join();
}

/** Marks of chat tokens before a name: `<|tool_call|>search`. */
const TOKENS_BEFORE = /^(?:<[|/]?[\w|]*>\s*)+/;
/**
 * Where something else begins behind a name: a token, a bracket, a line break.
 */
const END_OF_NAME = /<[|/]|[({\n]|\[(?=[A-Z])/;
/**
 * The words of control tokens, and of channels: `search<|channel|>commentary`.
 */
const WORDS_AROUND: ReadonlySet<string> = new Set([
  ...TOKEN_WORDS,
  "channel",
  "commentary",
  "analysis",
  "final",
  "json",
]);

/** A written name, and what stands around it. */
interface NameParts {
  readonly name: string;
  /**
   * The one JSON object behind the name, as it is written; `undefined` if it is
   * missing or empty.
   */
  readonly args: string | undefined;
  /** What stands before and behind the name, without that object. */
  readonly around: string;
}

/**
 * Parts a name from what stands around it: `<|call|>search({"query": "x"})`.
 */
function partsOf(written: string): NameParts {
  const trimmed = written.trim();
  const [before = ""] = TOKENS_BEFORE.exec(trimmed) ?? [];
  const start = trimmed.slice(before.length);
  const end = start.search(END_OF_NAME);
  if (end < 0 || end > MAX.name)
    return { name: start, around: before, args: undefined };
  const name = start.slice(0, end).replace(/[\s:=]+$/, "");
  const behind = start.slice(end);
  const [from, to] = [behind.indexOf("{"), behind.lastIndexOf("}") + 1];
  // Without a brace, it is empty text or the last sign: no object.
  const json = behind.slice(from, to);
  const value = parseExactly(json);
  if (!isJsonObject(value))
    return { name, around: `${before} ${behind}`, args: undefined };
  const around = `${before} ${behind.slice(0, from)} ${behind.slice(to)}`;
  const isEmpty = Object.keys(value).length === 0;
  return { name, around, args: isEmpty ? undefined : json };
}

/** Whether more than a name was written: folding a name would lose it. */
function hasMore(written: string): boolean {
  const name = written.trim();
  return END_OF_NAME.test(name) || TOKENS_BEFORE.test(name);
}

/**
 * GLM's tags around an argument, which servers leave behind a name:
 * `search</arg_value>`.
 */
const ARGUMENT_TAG = /<\/?arg_(?:key|value)>/g;

/**
 * Whether a text is only marks and words of chat tokens; a quote or a brace may
 * begin arguments.
 */
function isOfTokens(text: string): boolean {
  if (holdsAny(text, "{}\"'`")) return false;
  const words = text.replace(ARGUMENT_TAG, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => WORDS_AROUND.has(word.toLowerCase()));
}

/** The tools that a name without anything around it means. */
function bareName(name: string, offered: readonly string[]): readonly string[] {
  return [
    ...offered.filter((toolName) => toolName === name),
    ...sameName(name, offered),
    ...unprefixed(name, offered),
  ];
}

/**
 * The tool among marks and words of chat tokens, and before its arguments:
 * `search<|channel|>json`.
 */
const uncut: Find = (written, offered) => {
  const { name, around } = partsOf(written);
  if (!hasMore(written) || !isOfTokens(around)) return [];
  return bareName(name, offered);
};

/**
 * The tool of two words or more, after words of call syntax or its own:
 * `type_get_price`.
 */
const withoutFirstWords: Find = (name, offered) => {
  if (!/^[\w.:/\s-]+$/.test(name)) return [];
  const words = wordsOf(name);
  return offered.filter((toolName) => {
    const tail = wordsOf(toolName);
    if (tail.length < 2 || words.length <= tail.length) return false;
    const before = words.slice(0, -tail.length);
    const after = words.slice(-tail.length);
    if (after.join() !== tail.join()) return false;
    return before.every((word) => CALL_WORDS.has(word) || tail.includes(word));
  });
};

/**
 * The only tool, for a name without a letter, or its own with a slip in one
 * long word.
 */
const onlyTool: Find = (name, offered) => {
  if (offered.length > 1) return [];
  if (lettersOf(name) === "") return offered;
  if (wordsOf(name).length < 3) return [];
  return offered.filter((only) => slipBetween(name, only) !== undefined);
};

/**
 * The edits of a tool's name, the surest first. Each finds the tools that a
 * name can mean.
 */
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
