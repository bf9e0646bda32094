import { describe, expect, test } from "@jest/globals";
import { weigh } from "../../../scripts/bundles.ts";
import { withoutLangChain } from "../../../scripts/without-langchain.ts";

/** A typical use of `toolmend/core`. */
const CORE = "{ repairToolInput, repairToolCall, createFixerRegistry }";

/**
 * The most that is loaded before the first fault, and the most in all, in bytes, minified and
 * compressed, without peers: the measured size plus 3 %. The goals in all are 80 kB for the main entry
 * and the middleware, and 60 kB for `toolmend/core`. Most of it is the price of not guessing: names,
 * prose, and the reader's checks that nothing is lost. `repairToolInputSync` and `readTextCalls` return
 * at once, so all their code is loaded with them.
 */
const CEILINGS = [
  {
    what: "repairToolInput alone",
    entry: "index",
    names: "{ repairToolInput }",
    first: 27_200,
    all: 105_000,
  },
  { what: "wrapTool alone", entry: "index", names: "{ wrapTool }", first: 31_400, all: 105_000 },
  { what: "the main entry", entry: "index", names: "*", first: 56_800, all: 105_000 },
  {
    what: "toolmend/core, its usual functions",
    entry: "core",
    names: CORE,
    first: 27_200,
    all: 75_000,
  },
  { what: "toolmend/core", entry: "core", names: "*", first: 75_000, all: 75_000 },
  { what: "toolmend/middleware", entry: "middleware", names: "*", first: 47_000, all: 105_000 },
];

describe("in a bundle", () => {
  test.each(CEILINGS)("$what is within $first bytes at first, and $all in all", async (row) => {
    const { initial, lazy, heaviest } = await weigh(
      `export ${row.names} from "./${row.entry}.ts"`,
      row.entry === "core" ? [withoutLangChain] : [],
    );
    console.log([`${row.what}: ${initial} bytes at first, ${lazy} later`, ...heaviest].join("\n"));
    expect(initial).toBeGreaterThan(0);
    expect(initial).toBeLessThanOrEqual(row.first);
    expect(initial + lazy).toBeLessThanOrEqual(row.all);
  });
});
