import { hermesProtocol } from "@ai-sdk-tool/parser";
import { coerceBySchema } from "@ai-sdk-tool/parser/schema-coerce";
import { perTool, REFUSED } from "./per-tool.mjs";
import { readText } from "./read-text.mjs";
import { validatorOf } from "./validator.mjs";

const protocol = hermesProtocol();

/** Like its middleware: its parser for JSON calls with its repair, then the types. */
export const aiSdkToolParser = perTool(
  "@ai-sdk-tool/parser",
  "@ai-sdk-tool/parser ajv",
  ({ name, schema }) => {
    const validate = validatorOf(schema);
    const tools = [{ type: "function", name, inputSchema: schema }];
    return (args) => {
      const read = readText(args, (text) => parse(text, name, tools));
      if (read === REFUSED) return REFUSED;
      const value = coerceBySchema(read, schema);
      return validate(value) ? value : REFUSED;
    };
  },
);

function parse(text, name, tools) {
  try {
    return JSON.parse(text);
  } catch {
    const call = `<tool_call>{"name": ${JSON.stringify(name)}, "arguments": ${text}}</tool_call>`;
    const parts = protocol.parseGeneratedText({ text: call, tools });
    const calls = parts.filter(({ type }) => type === "tool-call");
    return calls.length === 1 ? JSON.parse(calls[0].input) : REFUSED;
  }
}
