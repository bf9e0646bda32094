import { toStandardSchema } from "@mastra/core/schema";
import { convertFullStreamChunkToMastra } from "@mastra/core/stream";
import { validateToolInput } from "@mastra/core/tools";
import { perTool, REFUSED } from "./per-tool.mjs";

/**
 * Mastra's whole way: the model's chunk is read with its JSON repair, then validateToolInput. Text
 * that it cannot read goes on as `undefined`, which a tool without required fields accepts; that
 * is counted as a refusal here.
 */
export const mastra = perTool("Mastra", "@mastra/core", ({ name, schema }) => {
  const standard = toStandardSchema(schema);
  return (args) => {
    const value = typeof args === "string" ? read(args, name) : structuredClone(args);
    if (value === undefined && args !== "") return REFUSED;
    const { data, error } = validateToolInput(standard, value, name);
    return error === undefined ? data : REFUSED;
  };
});

function read(input, toolName) {
  const chunk = { type: "tool-call", toolCallId: "1", toolName, input };
  return quietly(() => convertFullStreamChunkToMastra(chunk, { runId: "1" }).payload.args);
}

/** Mastra writes every text that it cannot read to the console. */
function quietly(run) {
  const { error } = console;
  console.error = () => {};
  try {
    return run();
  } finally {
    console.error = error;
  }
}
