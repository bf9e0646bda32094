import { expect, test } from "@jest/globals";
import { weigh } from "../../../scripts/bundles.ts";
import { withoutLangChain } from "../../../scripts/without-langchain.ts";

/**
 * The most in bytes, minified and compressed, without peers: the measured size plus a little. Calls in text
 * are loaded on demand.
 */
const CEILINGS = [
  { what: "repairToolInput alone", entry: "index", names: "{ repairToolInput }", most: 84_800 },
  { what: "wrapTool alone", entry: "index", names: "{ wrapTool }", most: 86_900 },
  { what: "the main entry", entry: "index", names: "*", most: 94_100 },
  {
    what: "toolmend/core, repairToolInput",
    entry: "core",
    names: "{ repairToolInput }",
    most: 60_100,
  },
  { what: "toolmend/core", entry: "core", names: "*", most: 74_700 },
  { what: "toolmend/mcp", entry: "mcp", names: "*", most: 65_800 },
  { what: "toolmend/middleware", entry: "middleware", names: "*", most: 96_000 },
];

test.each(CEILINGS)("$what is within $most bytes", async ({ what, names, entry, most }) => {
  const plugins = entry === "core" || entry === "mcp" ? [withoutLangChain] : [];
  const { initial, lazy, heaviest } = await weigh(`export ${names} from "./${entry}.ts"`, plugins);
  console.log([`${what}: ${initial} bytes, ${lazy} on demand`, ...heaviest].join("\n"));
  expect(initial).toBeGreaterThan(0);
  expect(initial + lazy).toBeLessThanOrEqual(most);
});
