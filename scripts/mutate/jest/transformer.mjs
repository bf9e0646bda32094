// Compiles as jest.config.ts says, but from the instrumented text of a file that has one. The file
// itself is never written.
import tsJest from "ts-jest";
import { state } from "./state.mjs";

export default {
  createTransformer(options) {
    const compiler = tsJest.default.createTransformer(options);
    const textOf = (text, path) => state.sources[path] ?? text;
    return {
      process: (text, path, config) => compiler.process(textOf(text, path), path, config),
      getCacheKey: (text, path, config) => compiler.getCacheKey(textOf(text, path), path, config),
    };
  },
};
