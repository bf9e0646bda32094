import { Validator } from "@cfworker/json-schema";
import { perTool, REFUSED } from "./per-tool.mjs";
import { readText } from "./read-text.mjs";
import { validatorOf } from "./validator.mjs";

/**
 * What LangChain does with a JSON Schema tool; its validator is reused, though LangChain makes a new
 * one each time.
 */
export const langchain = perTool(
  "JSON.parse + validate (LangChain)",
  "@cfworker/json-schema",
  ({ schema }) => {
    const validator = new Validator(schema, "2019-09");
    return (args) => {
      const value = readText(args, JSON.parse);
      return validator.validate(value).valid ? value : REFUSED;
    };
  },
);

export const jsonParse = perTool("JSON.parse + Ajv", "ajv", ({ schema }) => {
  const validate = validatorOf(schema);
  return (args) => {
    const value = readText(args, JSON.parse);
    return validate(value) ? value : REFUSED;
  };
});
