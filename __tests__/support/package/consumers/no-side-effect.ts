// Importing an entry changes nothing: no global, no method of LangChain's.
import { StructuredTool } from "@langchain/core/tools";
import "langchain"; // has its own side effects

function snapshot(): string {
  const prototype = StructuredTool.prototype as unknown as Record<string, unknown>;
  const methods = Object.getOwnPropertyNames(prototype).map(
    (name) => `${name}: ${String(prototype[name])}`,
  );
  return JSON.stringify([Reflect.ownKeys(globalThis).map(String), methods]);
}

async function main(): Promise<void> {
  const before = snapshot();
  await import("toolmend");
  await import("toolmend/core");
  await import("toolmend/messages");
  await import("toolmend/middleware");
  if (snapshot() !== before) throw new Error("importing toolmend has a side effect");
}

void main();
