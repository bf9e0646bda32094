import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { UserConfig } from "tsdown";

/** What a file of ours imports at once, with all that this imports. */
function importedAtOnce(file: string, found: Set<string> = new Set()): Set<string> {
  const statement = /^(?:import|export)(?! type\b)[^;]*?\bfrom\s+"(\.[^"]+)";/gm;
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(statement)) {
    const imported = join(file, "..", path);
    if (found.has(imported)) continue;
    found.add(imported);
    importedAtOnce(imported, found);
  }
  return found;
}

const eager = importedAtOnce(join(import.meta.dirname, "src", "index.ts"));

/** Where the build is written to. */
const dist = process.env.TOOLMEND_DIST ?? "dist";

const shared: UserConfig = {
  format: ["esm", "cjs"],
  dts: true,
  fixedExtension: false,
  target: "node20",
  platform: "node",
  // Comments are in the declarations, where editors look for them; bundlers need their annotations.
  outputOptions: { comments: { jsdoc: false } },
};

const main: UserConfig = {
  ...shared,
  outDir: dist,
  entry: Object.fromEntries(
    ["index", "messages", "middleware", "register", "register-api", "runnables"].map((name) => [
      name,
      `src/${name}.ts`,
    ]),
  ),
  outputOptions: {
    ...shared.outputOptions,
    codeSplitting: {
      groups: [
        // Else the bundler's own helpers may end up in an entry that others must not import: register.
        { name: "rolldown-runtime", test: /rolldown.runtime/ },
        // One file rather than twenty: what an import costs is mostly by the file.
        { name: "shared", test: (id) => eager.has(id) },
      ],
    },
  },
};

const withoutLangChain: UserConfig["plugins"] = [
  {
    name: "without-langchain",
    load(id) {
      const isSeam = id.endsWith("/src/repair/langchain.ts");
      return isSeam ? 'export * from "./without-langchain.ts";' : undefined;
    },
  },
];

/** `toolmend/core` shares no file with the other entries: in its own, nothing refers to LangChain. */
const core: UserConfig = {
  ...shared,
  entry: { index: "src/core.ts" },
  outDir: `${dist}/core`,
  platform: "neutral",
  plugins: withoutLangChain,
};

/** The command line repairs by a JSON Schema, and runs where LangChain is not installed, too. */
const cli: UserConfig = {
  ...shared,
  format: "esm",
  dts: false,
  entry: { cli: "src/cli.ts" },
  outDir: dist,
  plugins: withoutLangChain,
};

/** Logs and meters share no file with the rest: an application writes and reads them without LangChain, too. */
const evidence: UserConfig = {
  ...shared,
  entry: { index: "src/evidence.ts", otel: "src/otel.ts" },
  outDir: `${dist}/evidence`,
  plugins: withoutLangChain,
};

const config: UserConfig[] = [main, core, cli, evidence];

export default config;
