import type { UserConfig } from "tsdown";

const shared: UserConfig = {
  format: ["esm", "cjs"],
  dts: true,
  fixedExtension: false,
  target: "node20",
  platform: "node",
  // Else the bundler's own helpers may end up in an entry that others must not import: register.
  outputOptions: {
    codeSplitting: { groups: [{ name: "rolldown-runtime", test: /rolldown.runtime/ }] },
  },
};

const main: UserConfig = {
  ...shared,
  entry: ["index", "messages", "middleware", "register", "runnables", "cli"].map(
    (name) => `src/${name}.ts`,
  ),
};

/** `toolmend/core` shares no file with the other entries: in its own, nothing refers to LangChain. */
const core: UserConfig = {
  ...shared,
  entry: { index: "src/core.ts" },
  outDir: "dist/core",
  platform: "neutral",
  plugins: [
    {
      name: "without-langchain",
      load(id) {
        const isSeam = id.endsWith("/src/repair/langchain.ts");
        return isSeam ? 'export * from "./without-langchain.ts";' : undefined;
      },
    },
  ],
};

const config: UserConfig[] = [main, core];

export default config;
