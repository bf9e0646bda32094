import { describe, expect, test } from "@jest/globals";
import { weigh } from "../../../scripts/bundles.ts";
import { withoutLangChain } from "../../../scripts/without-langchain.ts";

/** What `toolmend/core` is mostly used for. */
const CORE = "{ repairToolInput, repairToolCall, createFixerRegistry, applyRepairs }";

/**
 * The most that is loaded before anything is faulty, in bytes, minified and compressed, peers not
 * counted: what is reached, and some 3 %. The goals are 14 kB for `repairToolInput` alone and 30 kB for
 * the main entry. Of the first, 4 kB are the compiled checks, 3 kB the words of errors, 2 kB those for
 * wrong options. `readTextCalls` returns at once, so that all it needs is loaded with it.
 */
const CEILINGS = [
  { what: "repairToolInput alone", entry: "index", names: "{ repairToolInput }", most: 18_000 },
  { what: "wrapTool alone", entry: "index", names: "{ wrapTool }", most: 21_900 },
  { what: "the main entry", entry: "index", names: "*", most: 40_900 },
  { what: "toolmend/core but for readTextCalls", entry: "core", names: CORE, most: 18_900 },
  { what: "toolmend/core", entry: "core", names: "*", most: 61_000 },
  { what: "toolmend/middleware", entry: "middleware", names: "*", most: 35_600 },
];

/**
 * The most that is loaded with the first fault. What dominates it is the price of not guessing: words
 * and their opposites (names), what tells a value from talk (bare), and the reader's care for what is
 * lost. Some 7 kB are @cfworker/json-schema, which @langchain/core brings along in any case; some 13 kB the
 * formats of calls in text, which come with the first of these. `toolmend/core` in all is thereby some
 * 112 kB, not the 20 that were its goal.
 */
const LAZY_CEILING = 110_500;

describe("in a bundle", () => {
  test.each(CEILINGS)(
    "$what is within $most bytes at first, the rest within bounds",
    async (row) => {
      const { initial, lazy, heaviest } = await weigh(
        `export ${row.names} from "./${row.entry}.ts"`,
        row.entry === "core" ? [withoutLangChain] : [],
      );
      console.log(
        [`${row.what}: ${initial} bytes at first, ${lazy} later`, ...heaviest].join("\n"),
      );
      expect(initial).toBeGreaterThan(0);
      expect(initial).toBeLessThanOrEqual(row.most);
      expect(lazy).toBeGreaterThan(0);
      expect(lazy).toBeLessThanOrEqual(LAZY_CEILING);
    },
  );
});
