import { dirname } from "node:path";
import type { Plugin } from "esbuild";

/** The substitutions for `toolmend/core` (see tsdown.config.ts), for a bundle by esbuild. */
export const withoutLangChain: Plugin = {
  name: "without-langchain",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]repair[\\/]langchain\.ts$/ }, ({ path }) => ({
      contents: 'export * from "./without-langchain.ts";',
      resolveDir: dirname(path),
    }));
  },
};
