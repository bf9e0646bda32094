import { createRequire } from "node:module";
import { fromBaml } from "./from-baml.mjs";
import { perTool, REFUSED } from "./per-tool.mjs";
import { toBaml } from "./to-baml.mjs";
import { validatorOf } from "./validator.mjs";

const require = createRequire(import.meta.url);
const { BamlRuntime } = require("@boundaryml/baml/native");

/**
 * Schema-Aligned Parsing without generated code and without a model. BAML takes only text: input
 * that the vendor's API has parsed is written as text again.
 */
export const baml = perTool("BAML", "@boundaryml/baml ajv", ({ schema }) => {
  const runtime = BamlRuntime.fromFiles("/", { "tool.baml": toBaml(schema) }, {});
  const context = runtime.createContextManager();
  const validate = validatorOf(schema);
  return (args) => {
    const text = typeof args === "string" ? args : (JSON.stringify(args) ?? "");
    const read = runtime.parseLlmResponse("Read", text, false, context, null, null, {});
    const value = fromBaml(read, schema, text);
    return validate(value) ? value : REFUSED;
  };
});
