import type { SwitchableEdit } from "../edit-switches.ts";
import { isJsonObject, parseExactly } from "../json.ts";
import type { RepairLevel } from "../types.ts";
import { foldName, slipBetween, stemsOf, wordsOf } from "../words/names.ts";
import { CALL_WORDS, TOKEN_WORDS } from "../words/vocabulary.ts";

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
      readonly args?: string;
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
    const [only, more] = new Set(find(name, offered));
    if (only === undefined) continue;
    if (more !== undefined) return { ok: false };
    const { args } = parts;
    return {
      ok: true,
      name: only,
      fixer,
      level,
      ...(args !== undefined && { args }),
    };
  }
  const [overfull, more] = new Set(
    parts.around === "" ? [] : bareName(parts.name, offered),
  );
  if (overfull !== undefined && more === undefined) {
    return { ok: false, didYouMean: overfull, overfull };
  }
  const near = offered.filter((toolName) => isNear(name, toolName));
  return near.length === 1 ? { ok: false, didYouMean: near[0] } : { ok: false };
}

/**
 * Whether a message may suggest one name for another: one slip, or all the
 * words of the shorter.
 */
function isNear(written: string, toolName: string): boolean {
  const [words, toolWords] = [stemsOf(written), stemsOf(toolName)];
  const [fewer, more] =
    words.length < toolWords.length ? [words, toolWords] : [toolWords, words];
  const isWithin =
    fewer.length > 0 && fewer.every((word) => more.includes(word));
  return isWithin || slipBetween(written, toolName) !== undefined;
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
  const fold = hasMore(name) ? "" : foldName(name);
  return fold === ""
    ? []
    : offered.filter((toolName) => foldName(toolName) === fold);
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
  const bare = NAMESPACE.test(name)
    ? sameName(name.replace(NAMESPACE, ""), offered)
    : [];
  return [...bare, ...withOwnPrefix(name, offered)];
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
  const [only] = namesakes;
  if (only === undefined || namesakes.length > 1) return [];
  const prefixes = meaningfulPrefixes(only, offered);
  return prefixes.has(withoutCallWords(prefix)) ? [only] : [];
}

function lastPartOf(name: string): string {
  return foldName(name.split(JOINT).at(-1) ?? "");
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
/** Words of channels, as in `search<|channel|>commentary`. */
const CHANNELS: ReadonlySet<string> = new Set([
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
   * The one JSON object behind the name, as it is written; absent if it is
   * missing or empty.
   */
  readonly args?: string;
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
  if (end < 0 || end > MAX.name) return { name: start, around: before };
  const name = start.slice(0, end).replace(/[\s:=]+$/, "");
  const behind = start.slice(end);
  const [from, to] = [behind.indexOf("{"), behind.lastIndexOf("}") + 1];
  const json = from < 0 ? "" : behind.slice(from, to);
  const value = parseExactly(json);
  if (!isJsonObject(value)) return { name, around: `${before} ${behind}` };
  const around = `${before} ${behind.slice(0, from)} ${behind.slice(to)}`;
  const isEmpty = Object.keys(value).length === 0;
  return isEmpty ? { name, around } : { name, around, args: json };
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
  if (/[{}"'`]/.test(text)) return false;
  const words = text.replace(ARGUMENT_TAG, "").match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.every((word) => {
    const folded = word.toLowerCase();
    return TOKEN_WORDS.has(folded) || CHANNELS.has(folded);
  });
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
  return hasMore(written) && isOfTokens(around) ? bareName(name, offered) : [];
};

/**
 * The tool of two words or more, after words of call syntax or its own:
 * `type_get_price`.
 */
const withoutFirstWords: Find = (name, offered) => {
  const words = /^[\w.:/\s-]+$/.test(name) ? wordsOf(name) : [];
  return offered.filter((toolName) => {
    const tail = wordsOf(toolName);
    const [before, after] = [
      words.slice(0, -tail.length),
      words.slice(-tail.length),
    ];
    const areKnown = before.every(
      (word) => CALL_WORDS.has(word) || tail.includes(word),
    );
    return (
      tail.length > 1 &&
      before.length > 0 &&
      areKnown &&
      after.join() === tail.join()
    );
  });
};

/**
 * The only tool, for a name without a letter, or its own with a slip in one
 * long word.
 */
const onlyTool: Find = (name, offered) => {
  const [only = ""] = offered;
  const isSlip =
    wordsOf(name).length > 2 && slipBetween(name, only) !== undefined;
  const isMeant = isSlip || !/[\p{L}\p{N}]/u.test(name);
  return isMeant && offered.length < 2 ? offered : [];
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
