import type { UserConfig } from "tsdown";

const config: UserConfig = {
  entry: ["index", "messages", "middleware", "register", "runnables", "cli"].map(
    (name) => `src/${name}.ts`,
  ),
  format: ["esm", "cjs"],
  dts: true,
  unbundle: true,
  fixedExtension: false,
  target: "node20",
  platform: "node",
};

export default config;
