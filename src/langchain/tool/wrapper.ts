import type { ResolveOptions } from "../../repair/resolve-tool-input.ts";
import { batchRepaired } from "./batch-repaired.ts";
import type { InvocableTool } from "./invocable-tool.ts";
import { invokeRepaired } from "./invoke-repaired.ts";
import { BUILT_ON_INVOKE, hasOwnMethod, runnableMethod } from "./own-methods.ts";
import { streamRepaired } from "./stream-repaired.ts";
import { proxyShape } from "./view-of.ts";

/** The ways in that a tool may have of its own, besides `invoke` and `call`. */
const MORE_WAYS_IN: ReadonlySet<PropertyKey> = new Set(["batch", "stream", "_streamIterator"]);

/**
 * Makes the view of a tool whose ways in repair their input. What is written to them stays on the
 * view; all else is read from and written to the tool.
 *
 * @param tool The tool.
 * @param options How to repair, and the handlers.
 * @param marks What else the view holds, and does not list.
 * @throws TypeError when the tool's schema is of no known kind.
 */
export function makeWrapper<Tool extends InvocableTool>(
  tool: Tool,
  options: ResolveOptions,
  marks: Readonly<Record<symbol, unknown>>,
): Tool {
  const written: Record<PropertyKey, unknown> = {};
  const always = invokeRepaired(tool, options, () => written.call);
  const about = { tool, options };
  const more = { batch: batchRepaired(about), ...streamRepaired(about) };
  const waysIn = { ...likeThoseOf(tool, always), ...likeThoseOf(tool, more) };
  const methods = new Map<unknown, unknown>();

  const isOurs = (key: PropertyKey) => Object.hasOwn(waysIn, key) || BUILT_ON_INVOKE.has(key);

  function read(key: PropertyKey): unknown {
    if (Object.hasOwn(marks, key)) return marks[key as symbol];
    if (MORE_WAYS_IN.has(key) ? hasOwnMethod(tool, key) : Object.hasOwn(waysIn, key)) {
      return Reflect.get(waysIn, key);
    }
    const value: unknown = Reflect.get(tool, key, tool);
    if (typeof value !== "function" || key === "constructor" || Object.hasOwn(tool, key)) {
      return value;
    }
    if (BUILT_ON_INVOKE.has(key)) return runnableMethod(tool, key);
    if (!methods.has(value)) methods.set(value, value.bind(tool));
    return methods.get(value);
  }

  return new Proxy(proxyShape(tool, Object.keys(waysIn)), {
    get: (_, key, receiver) =>
      Object.hasOwn(written, key) ? Reflect.get(written, key, receiver) : read(key),
    set(_, key, value) {
      return isOurs(key) ? Reflect.set(written, key, value) : Reflect.set(tool, key, value, tool);
    },
    has: (_, key) => Object.hasOwn(written, key) || Reflect.has(tool, key),
    defineProperty(_, key, descriptor) {
      if (!isOurs(key)) return Reflect.defineProperty(tool, key, descriptor);
      return Reflect.defineProperty(written, key, { ...descriptor, configurable: true });
    },
    deleteProperty(_, key) {
      return isOurs(key) ? Reflect.deleteProperty(written, key) : Reflect.deleteProperty(tool, key);
    },
    ownKeys: () => [...new Set([...Reflect.ownKeys(tool), ...Reflect.ownKeys(written)])],
    getOwnPropertyDescriptor(shape, key) {
      const holder = Object.hasOwn(written, key) ? written : tool;
      const descriptor = Reflect.getOwnPropertyDescriptor(holder, key);
      return descriptor && shape !== tool ? { ...descriptor, configurable: true } : descriptor;
    },
  });
}

/** The functions, with the names and lengths of those that the tool has in their place. */
function likeThoseOf<Ways extends object>(tool: object, ways: Ways): Ways {
  for (const [key, way] of Object.entries(ways)) {
    const original: unknown = Reflect.get(tool, key);
    if (typeof original !== "function") continue;
    const { name, length } = original;
    Object.defineProperties(way, {
      name: { value: name, configurable: true },
      length: { value: length, configurable: true },
    });
  }
  return ways;
}
