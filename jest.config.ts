/** @jest-config-loader esbuild-register */
import type { Config } from "jest";

// ts-jest compiles to CommonJS without checking types: `npm run check` checks them.
const compilerOptions = {
  target: "es2022",
  module: "commonjs",
  isolatedModules: true,
  esModuleInterop: true,
  ignoreDeprecations: "6.0",
};

/** The tests of one folder: `fast` is `npm test`, and `npm run test:all` runs both. */
function tier(name: "fast" | "slow"): NonNullable<Config["projects"]>[number] {
  return {
    displayName: name,
    testEnvironment: "<rootDir>/__tests__/support/environment.ts",
    injectGlobals: false,
    testMatch: [`<rootDir>/__tests__/${name}/**/*.test.ts`],
    modulePathIgnorePatterns: ["<rootDir>/dist/"],
    moduleNameMapper: {
      "^toolmend$": "<rootDir>/src/index.ts",
      "^toolmend/(.*)$": "<rootDir>/src/$1.ts",
    },
    transform: {
      "\\.ts$": ["ts-jest", { tsconfig: compilerOptions }],
      // @langchain/google requires this package, which is an ES module only.
      "/eventsource-parser/.+\\.js$": [
        "ts-jest",
        { tsconfig: { ...compilerOptions, allowJs: true }, diagnostics: false },
      ],
    },
    transformIgnorePatterns: ["/node_modules/(?!.*/eventsource-parser/)(?!eventsource-parser/)"],
  };
}

const config: Config = {
  projects: [tier("fast"), tier("slow")],
  // What the loaded modules of a file leave behind is given back now and then.
  workerIdleMemoryLimit: "2GB",
  // A hang fails; a slow machine does not.
  testTimeout: 30_000,
};

export default config;
