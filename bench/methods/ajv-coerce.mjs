import { perTool, REFUSED } from "./per-tool.mjs";
import { readText } from "./read-text.mjs";
import { compile } from "./validator.mjs";

export const ajvCoerce = perTool("Ajv coerceTypes: true", "ajv", ({ schema }) => {
  const coerce = compile(schema, { coerceTypes: true });
  return (args) => {
    const value = readText(args, JSON.parse);
    return coerce(value) ? value : REFUSED;
  };
});
