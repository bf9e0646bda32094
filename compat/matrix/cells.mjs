// The cells of the behaviour suite. Their versions are data.
const MODERN = { tools: "@langchain/core/tools", parsers: "@langchain/core/output_parsers" };
const CLASSIC = { ...MODERN, agents: "@langchain/classic/agents" };
const LANGCHAIN = { ...MODERN, agents: "langchain/agents" };
const FIRST = {
  tools: "langchain/tools",
  parsers: "langchain/schema/output_parser",
  agents: "langchain/agents",
};

/**
 * Packages that are installed together, from `installs/<name>/package.json`.
 *
 * @typedef {object} Install
 * @property {string} name
 * @property {string} title Its title in the table.
 * @property {readonly ("bare" | "wrapped" | "registered" | "patched" | "both")[]} modes `bare`: LangChain alone, which
 *   the others are compared with. `both`: patched, and wrapped.
 * @property {{ tools: string, parsers: string, agents: string }} names Where its classes are.
 * @property {boolean} [isLatest] Whether it is installed again each time.
 * @property {object} [manifest] Its package.json, if it has none in `installs/`.
 * @property {readonly string[]} has Further parts of LangChain to test.
 */

/** @type {readonly Install[]} */
export const INSTALLS = ["zod4", "zod3"].flatMap((zod) => [
  {
    name: `newest-${zod}`,
    title: "core 1.4.0, classic 1.0.50, langchain 1.5.14, langgraph 1.7.3",
    modes: ["bare", "wrapped", "registered", "patched", "both"],
    names: CLASSIC,
    has: ["toolCalls", "streaming", "toolCallingAgent", "createAgent", "graph"],
  },
  {
    name: `current-${zod}`,
    title: "core 1.2.13, classic 1.0.50, langchain 1.5.14, langgraph 1.4.17",
    modes: ["bare", "wrapped", "registered", "patched", "both"],
    names: CLASSIC,
    has: ["toolCalls", "streaming", "toolCallingAgent", "createAgent", "graph"],
  },
  {
    name: `first-1-${zod}`,
    title: "core 1.0.0, classic 1.0.0",
    modes: ["bare", "wrapped", "registered"],
    names: CLASSIC,
    has: ["toolCalls", "streaming"],
  },
  {
    name: `last-0.3-${zod}`,
    title: "core 0.3.80, langchain 0.3.37",
    modes: ["bare", "wrapped", "registered", "patched", "both"],
    names: LANGCHAIN,
    has: ["toolCalls", "streaming", "toolCallingAgent"],
  },
  {
    name: `first-0.3-${zod}`,
    title: "core 0.3.44, langchain 0.3.2",
    modes: ["bare", "wrapped", "registered"],
    names: LANGCHAIN,
    has: ["toolCalls", "streaming"],
  },
]);

/** The version of issues #2710 and #2711. */
export const ISSUES = {
  name: "issues",
  title: "langchain 0.0.153",
  modes: ["bare", "patched"],
  names: FIRST,
  has: [],
};

/** The newest versions on npm, instead of the newest known ones. */
export const LATEST = [
  ["zod4", "latest"],
  ["zod3", "^3"],
].map(([zod, version]) => {
  const newest = INSTALLS.find(({ name }) => name === `newest-${zod}`);
  const packages = ["@langchain/core", "@langchain/classic", "langchain", "@langchain/langgraph"];
  const dependencies = Object.fromEntries(packages.map((name) => [name, "latest"]));
  return {
    ...newest,
    name: `latest-${zod}`,
    isLatest: true,
    manifest: { private: true, type: "module", dependencies: { ...dependencies, zod: version } },
  };
});

/** @type {readonly ("esm" | "cjs")[]} */
export const FORMATS = ["esm", "cjs"];
