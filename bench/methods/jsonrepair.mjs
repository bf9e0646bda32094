import { jsonrepair } from "jsonrepair";
import { perTool, REFUSED } from "./per-tool.mjs";
import { readText } from "./read-text.mjs";
import { compile, validatorOf } from "./validator.mjs";

/** @param {string} text */
export function parseRepaired(text) {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse(jsonrepair(text));
  }
}

export const jsonrepairValidate = perTool(
  "jsonrepair + validate",
  "jsonrepair ajv",
  ({ schema }) => {
    const validate = validatorOf(schema);
    return (args) => {
      const value = readText(args, parseRepaired);
      return validate(value) ? value : REFUSED;
    };
  },
);

export const jsonrepairAjv = perTool(
  "jsonrepair + Ajv coerceTypes: array",
  "jsonrepair ajv",
  ({ schema }) => {
    const coerce = compile(schema, { coerceTypes: "array" });
    return (args) => {
      const value = readText(args, parseRepaired);
      return coerce(value) ? value : REFUSED;
    };
  },
);
