// As docs/runtimes.md says: a worker that knows the current run.
import { AsyncLocalStorage } from "node:async_hooks";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";

AsyncLocalStorageProviderSingleton.initializeGlobalInstance(new AsyncLocalStorage());

export { default } from "./worker.mjs";
