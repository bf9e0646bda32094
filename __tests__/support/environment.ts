import { AsyncLocalStorage } from "node:async_hooks";
import vm from "node:vm";
import { TestEnvironment } from "jest-environment-node";

// Jest loads every module again for every test file. That keeps the files apart, and without what
// follows it takes more time than the tests do.

const scripts = new Map<string, { code: string; script: vm.Script }>();

// Compile a module once for all test files of this process. Jest 30 asks Node to compile the text
// each time, and a compiled script runs in any context.
vm.compileFunction = (code, parameters = [], { filename = "", parsingContext } = {}) => {
  if (parsingContext === undefined) throw new Error(`Jest gives no context to ${filename}.`);
  let compiled = scripts.get(filename);
  if (compiled?.code !== code) {
    const wrapped = `(function (${parameters.join(",")}) {${code}\n})`;
    compiled = { code, script: new vm.Script(wrapped, { filename }) };
    scripts.set(filename, compiled);
  }
  return compiled.script.runInContext(parsingContext);
};

const storages = new Set<AsyncLocalStorage<unknown>>();
const { run } = AsyncLocalStorage.prototype;

AsyncLocalStorage.prototype.run = function <T, Args extends unknown[]>(
  this: AsyncLocalStorage<unknown>,
  store: unknown,
  callback: (...args: Args) => T,
  ...args: Args
): T {
  storages.add(this);
  return run.call(this, store, callback, ...args) as T;
};

/** Node's environment for one test file, which is cheap to set up and leaves nothing running. */
export default class FileEnvironment extends TestEnvironment {
  override async teardown(): Promise<void> {
    // Jest and LangChain open a storage in each file, and on Node 20 each open one makes every
    // later promise of the process slower.
    for (const storage of storages) storage.disable();
    storages.clear();
    await super.teardown();
  }
}
