import type { UserConfig } from "tsdown";

const config: UserConfig = {
  entry: ["src/index.ts"],
  format: ["esm", "cjs"],
  dts: true,
  unbundle: true,
  fixedExtension: false,
  target: "node20",
  platform: "node",
};

export default config;
