import { expect, test } from "@jest/globals";
import { weigh } from "../../../scripts/bundles.ts";
import { withoutLangChain } from "../../../scripts/without-langchain.ts";

/**
 * The most in bytes, minified and compressed, without peers: the measured size plus a little. Calls in text
 * are loaded on demand.
 */
const CEILINGS = [
  { what: "repairToolInput alone", entry: "index", names: "{ repairToolInput }", most: 84_600 },
  { what: "wrapTool alone", entry: "index", names: "{ wrapTool }", most: 86_700 },
  { what: "the main entry", entry: "index", names: "*", most: 93_900 },
  {
    what: "toolmend/core, repairToolInput",
    entry: "core",
    names: "{ repairToolInput }",
    most: 60_100,
  },
  { what: "toolmend/core", entry: "core", names: "*", most: 74_600 },
  { what: "toolmend/mcp", entry: "mcp", names: "*", most: 65_700 },
  { what: "toolmend/middleware", entry: "middleware", names: "*", most: 95_700 },
];

test.each(CEILINGS)("$what is within $most bytes", async ({ what, names, entry, most }) => {
  const plugins = entry === "core" || entry === "mcp" ? [withoutLangChain] : [];
  const { initial, lazy, heaviest } = await weigh(`export ${names} from "./${entry}.ts"`, plugins);
  console.log([`${what}: ${initial} bytes, ${lazy} on demand`, ...heaviest].join("\n"));
  expect(initial).toBeGreaterThan(0);
  expect(initial + lazy).toBeLessThanOrEqual(most);
});
