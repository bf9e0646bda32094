// The recipe of docs/runtimes.md, which the test compares with this file.
import { repairToolCall, repairToolInput } from "toolmend/core";

type Tools = Record<string, { inputSchema?: unknown; schema?: unknown }>;
type AiCall = {
  toolCallId: string;
  toolName: string;
  input: string;
  providerExecuted?: boolean | undefined;
};

export async function repairAiCall<Call extends AiCall>(asked: { toolCall: Call; tools: Tools }) {
  const { toolCallId: id, toolName: name, input: args, providerExecuted } = asked.toolCall;
  if (providerExecuted) return null; // it has run
  const tools = Object.entries(asked.tools).map(([name, tool]) => ({
    name,
    schema: tool.schema ?? tool.inputSchema,
  }));
  const result = await repairToolCall({ id, name, args }, tools);
  if (!result.ok) throw new Error(result.error.toModelMessage(), { cause: result.error }); // the model reads it
  return { ...asked.toolCall, toolName: result.name, input: JSON.stringify(result.toolInput) };
}

export function validated<Given extends Tools>(tools: Given): Given {
  const entries = Object.entries(tools).map(([name, { inputSchema: schema, ...tool }]) => {
    if (!("jsonSchema" in Object(schema))) return [name, tools[name]]; // zod validates it
    const validate = async (value: unknown) => {
      const result = await repairToolInput(value, { name, schema }, { parsed: true });
      if (result.ok && !result.changed) return { success: true, value: result.parsed };
      return { success: false, error: result.ok ? new Error("can be repaired") : result.error };
    };
    return [name, { ...tool, schema, inputSchema: { ...Object(schema), validate } }];
  });
  return Object.fromEntries(entries);
}
