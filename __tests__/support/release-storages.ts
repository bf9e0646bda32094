import type { AsyncLocalStorage } from "node:async_hooks";
import { afterAll } from "@jest/globals";

// Each test file loads its own LangChain, which leaves an AsyncLocalStorage in this worker, and on
// Node 20 each of them makes every later promise slower.
afterAll(() => {
  for (const key of Object.getOwnPropertySymbols(globalThis)) {
    const shared: unknown = Reflect.get(globalThis, key);
    if (isStorage(shared)) shared.disable();
  }
});

// A class of another realm: `instanceof` does not know it.
function isStorage(value: unknown): value is AsyncLocalStorage<unknown> {
  return typeof value === "object" && value?.constructor.name === "AsyncLocalStorage";
}
