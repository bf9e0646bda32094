import { Runnable } from "@langchain/core/runnables";

/** What a Runnable has that does not run it. */
const DOES_NOT_RUN: ReadonlySet<string> = new Set([
  "constructor",
  "getName",
  "getGraph",
  "_concatOutputChunks",
  "_getOptionsList",
  "_separateRunnableConfigFromCallOptions",
]);

/** What every Runnable builds on its `invoke`: on a wrapper, it does it with the wrapper's. */
export const BUILT_ON_INVOKE: ReadonlySet<PropertyKey> = new Set(
  Object.getOwnPropertyNames(Runnable.prototype).filter((name) => !DOES_NOT_RUN.has(name)),
);

/**
 * Returns a method as every Runnable has it, from the tool's own copy of LangChain.
 *
 * @param tool A tool; what is no Runnable gets the methods of one.
 * @param name The method's name.
 */
export function runnableMethod(tool: object, name: PropertyKey): unknown {
  let base: object | null = tool;
  while (base !== null && !Object.hasOwn(base, "pipe")) base = Object.getPrototypeOf(base);
  return Reflect.get(base === null || base === tool ? Runnable.prototype : base, name);
}

/**
 * Tells whether a tool does something in a way of its own that every Runnable builds on `invoke`.
 *
 * @param tool The tool.
 * @param name The method's name.
 */
export function hasOwnMethod(tool: object, name: PropertyKey): boolean {
  const method: unknown = Reflect.get(tool, name);
  return typeof method === "function" && method !== runnableMethod(tool, name);
}
