import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { deserialize, serialize } from "node:v8";
import { MemorySaver } from "@langchain/langgraph";

/**
 * Creates a checkpointer that another process can resume from: LangGraph's own, kept in a file.
 *
 * @param path The file.
 * @returns The checkpointer, and a function that writes the file.
 */
export function fileSaver(path: string): { checkpointer: MemorySaver; save: () => void } {
  const checkpointer = new MemorySaver();
  if (existsSync(path)) Object.assign(checkpointer, deserialize(readFileSync(path)));
  const save = () => {
    const { storage, writes } = checkpointer;
    writeFileSync(path, serialize({ storage, writes }));
  };
  return { checkpointer, save };
}
