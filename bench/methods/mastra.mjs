import { toStandardSchema } from "@mastra/core/schema";
import { convertFullStreamChunkToMastra } from "@mastra/core/stream";
import { validateToolInput } from "@mastra/core/tools";
import { perTool, REFUSED } from "./per-tool.mjs";

/**
 * Mastra's whole pipeline: its JSON repair reads the model's chunk, then validateToolInput runs.
 * Mastra passes unreadable text as `undefined`, which a tool without required fields accepts; here
 * that counts as a rejection.
 */
export const mastra = perTool("Mastra", "@mastra/core", ({ name, schema }) => {
  const standard = toStandardSchema(schema);
  return (args) => {
    const value = typeof args === "string" ? read(args, name) : structuredClone(args);
    if (value === undefined && args !== "") return REFUSED;
    const { data, error } = quietly(() => validateToolInput(standard, value, name));
    return error === undefined ? data : REFUSED;
  };
});

function read(input, toolName) {
  const chunk = { type: "tool-call", toolCallId: "1", toolName, input };
  return quietly(() => convertFullStreamChunkToMastra(chunk, { runId: "1" }).payload.args);
}

/** Mastra writes every unreadable text and every format that it does not know to the console. */
function quietly(run) {
  const { error, warn } = console;
  console.error = () => {};
  console.warn = () => {};
  try {
    return run();
  } finally {
    console.error = error;
    console.warn = warn;
  }
}
