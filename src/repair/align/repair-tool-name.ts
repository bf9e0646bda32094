import type { RepairLevel } from "../types.ts";
import { editDistance, foldName, isNear, slipOfChoice, wordsOf } from "./names.ts";

/** The tool that was meant, and how its name was found; or what it may have been. */
export type ToolNameResult =
  | {
      readonly ok: true;
      readonly name: string;
      readonly fixer: string;
      readonly level: RepairLevel;
    }
  | { readonly ok: false; readonly didYouMean?: string };

/**
 * Finds the tool that a call means, where no tool has its name.
 *
 * @param name The name as the model wrote it.
 * @param offered The names of the tools that there are.
 * @param level How far to go.
 * @returns The only tool that it can mean; otherwise perhaps a suggestion, which is for messages.
 */
export function repairToolName(
  name: string,
  offered: readonly string[],
  level: RepairLevel,
): ToolNameResult {
  if (name.length > 500) return { ok: false };
  for (const edit of nameEdits) {
    const found = edit.find(name, offered);
    if (found.length === 0) continue;
    const [only = "", ...others] = new Set(found);
    if (others.length > 0) return { ok: false };
    return level === "eager" || level === edit.level
      ? { ok: true, name: only, fixer: edit.name, level: edit.level }
      : { ok: false, didYouMean: only };
  }
  const near = offered.filter((other) => isNear(name, other));
  return near.length === 1 && near[0] !== undefined
    ? { ok: false, didYouMean: near[0] }
    : { ok: false };
}

/** An edit of a tool's name. */
interface NameEdit {
  readonly name: string;
  readonly level: "safe" | "eager";
  readonly find: (name: string, offered: readonly string[]) => readonly string[];
}

const same = (name: string, offered: readonly string[]) =>
  offered.filter((other) => foldName(other) === foldName(name) && foldName(name) !== "");

/** Case and separators: `WebSearch` for `web_search`. */
const respellToolName: NameEdit = { name: "respell-tool-name", level: "safe", find: same };

/** A namespace: `functions.search`, `default_api:search`, `mcp__server__search`. */
const unprefixToolName: NameEdit = {
  name: "unprefix-tool-name",
  level: "safe",
  find(name, offered) {
    const tails = ["mcp__", "mcp--"].some((start) => name.startsWith(start))
      ? name
          .split(/__|--/)
          .map((_, index, parts) => parts.slice(index).join("__"))
          .slice(2)
      : [];
    const known =
      /^(?:functions?|tools?|default_api|api|namespace|multi_tool_use|mcp|assistant)[.:/]+(.+)$/i.exec(
        name,
      )?.[1];
    const ways = [...tails, ...(known === undefined ? [] : [known])];
    return ways.flatMap((way) => same(way, offered));
  },
};

/** Any namespace: `slack.send` for `send`. It may as well name another tool of that name. */
const unprefixAnyToolName: NameEdit = {
  name: "unprefix-any-tool-name",
  level: "eager",
  find(name, offered) {
    const [, space = "", tail] = /^([\w-]+)(?:[.:/]+|::)([\w-]+)$/.exec(name) ?? [];
    if (wordsOf(space).some((word) => CHANGING.has(word))) return [];
    return offered.filter((other) => other === tail);
  },
};

/** Words before a name that make it the name of something else. */
const CHANGING: ReadonlySet<string> = new Set(
  "undo un dry run no not never without test mock fake simulate preview cancel revert skip".split(
    " ",
  ),
);

/** Control tokens, arguments or signs stuck to the name: `search<|channel|>json`, `search({"q":`. */
const cutToolName: NameEdit = {
  name: "cut-tool-name",
  level: "safe",
  find(name, offered) {
    const cut = name
      .trim()
      .replace(/^(?:<[|/]?[\w|]*>\s*)+/, "")
      .replace(/(?:<\||<\/|\(\{|\(["']|\(\)|\{["']|\n).*$/s, "");
    if (cut === "" || cut === name) return [];
    const found = same(cut, offered);
    return found.length > 0 ? found : unprefixToolName.find(cut, offered);
  },
};

/** One slip of the keyboard, not a plural, where no other tool's name is near. */
const correctToolName: NameEdit = {
  name: "correct-tool-name",
  level: "eager",
  find(name, offered) {
    const typos = offered.filter((other) => slipOfChoice(name, other) !== undefined);
    const [only] = typos;
    if (only === undefined) return [];
    const distance = editDistance(foldName(name), foldName(only));
    const rivals = offered.filter(
      (other) => other !== only && editDistance(foldName(name), foldName(other)) <= distance + 1,
    );
    return [...typos, ...rivals];
  },
};

/** Words before a tool's name that say nothing: others make it the name of something else. */
const SILENT: ReadonlySet<string> = new Set(
  "tool tools function functions api call calls use namespace default mcp server type name the".split(
    " ",
  ),
);

/**
 * The tool's whole name of two words or more, and before it what says nothing or is said again:
 * `type_get_stock_price`, `stock_get_stock_price`. `delete_user_profile` is not `user_profile`.
 */
const dropNameWords: NameEdit = {
  name: "drop-name-words",
  level: "eager",
  find(name, offered) {
    const words = /^[\w.:/\s-]+$/.test(name) ? wordsOf(name) : [];
    return offered.filter((other) => {
      const tail = wordsOf(other);
      return (
        words.slice(0, -tail.length).every((word) => SILENT.has(word) || tail.includes(word)) &&
        tail.length > 1 &&
        tail.length < words.length &&
        words.slice(-tail.length).join() === tail.join()
      );
    });
  },
};

/** A name without any letter, which names nothing, where there is only one tool. */
const takeOnlyTool: NameEdit = {
  name: "take-only-tool",
  level: "eager",
  find: (name, offered) => (!/[\p{L}\p{N}]/u.test(name) && offered.length === 1 ? offered : []),
};

/** The edits of tool names, the surest first. */
export const nameEdits: readonly NameEdit[] = [
  respellToolName,
  unprefixToolName,
  cutToolName,
  unprefixAnyToolName,
  correctToolName,
  dropNameWords,
  takeOnlyTool,
];
