import { expect, test } from "@jest/globals";
import { weigh } from "../../../scripts/bundles.ts";
import { withoutLangChain } from "../../../scripts/without-langchain.ts";

/**
 * The most in bytes, minified and compressed, without peers: the measured size plus a little. Calls in text
 * are loaded on demand.
 */
const CEILINGS = [
  { what: "repairToolInput alone", entry: "index", names: "{ repairToolInput }", most: 85_200 },
  { what: "wrapTool alone", entry: "index", names: "{ wrapTool }", most: 87_300 },
  { what: "the main entry", entry: "index", names: "*", most: 94_500 },
  {
    what: "toolmend/core, repairToolInput",
    entry: "core",
    names: "{ repairToolInput }",
    most: 60_400,
  },
  { what: "toolmend/core", entry: "core", names: "*", most: 75_000 },
  { what: "toolmend/mcp", entry: "mcp", names: "*", most: 66_100 },
  { what: "toolmend/middleware", entry: "middleware", names: "*", most: 96_400 },
];

test.each(CEILINGS)("$what is within $most bytes", async ({ what, names, entry, most }) => {
  const plugins = entry === "core" || entry === "mcp" ? [withoutLangChain] : [];
  const { initial, lazy, heaviest } = await weigh(`export ${names} from "./${entry}.ts"`, plugins);
  console.log([`${what}: ${initial} bytes, ${lazy} on demand`, ...heaviest].join("\n"));
  expect(initial).toBeGreaterThan(0);
  expect(initial + lazy).toBeLessThanOrEqual(most);
});
