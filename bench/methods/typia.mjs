import { LlmJson } from "@typia/utils";
import { perTool, REFUSED } from "./per-tool.mjs";
import { toLlmSchema } from "./to-llm-schema.mjs";

/** LlmJson.parse coerces by the schema as it parses; typia's own validator follows. */
export const typia = perTool("typia LlmJson", "@typia/utils", ({ schema }) => {
  const parameters = toLlmSchema(schema);
  const validate = LlmJson.validate(parameters);
  return (args) => {
    const parsed = typeof args === "string" ? LlmJson.parse(args, parameters) : coerced(args);
    if (!parsed.success) return REFUSED;
    const validation = validate(parsed.data);
    return validation.success ? validation.data : REFUSED;
  };

  function coerced(args) {
    return { success: true, data: LlmJson.coerce(structuredClone(args), parameters) };
  }
});
