/** @jest-config-loader esbuild-register */
import type { Config } from "jest";

const config: Config = {
  testEnvironment: "node",
  testMatch: ["<rootDir>/__tests__/**/*.test.ts"],
  moduleNameMapper: { "^toolmend$": "<rootDir>/src/index.ts" },
  modulePathIgnorePatterns: ["<rootDir>/dist/"],
  transform: {
    "\\.ts$": [
      "ts-jest",
      { tsconfig: { ...compilerOptions(), module: "commonjs", moduleResolution: "node10" } },
    ],
  },
};

/** ts-jest compiles to CommonJS; `npm run check` is what checks types. */
function compilerOptions(): Record<string, unknown> {
  return {
    target: "es2022",
    lib: ["es2023"],
    types: ["node"],
    strict: true,
    isolatedModules: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: true,
    esModuleInterop: true,
    verbatimModuleSyntax: false,
    skipLibCheck: true,
  };
}

export default config;
