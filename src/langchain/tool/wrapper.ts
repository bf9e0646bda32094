import type { InvocableTool } from "./invocable-tool.ts";
import { BUILT_ON_INVOKE, hasOwnMethod, runnableMethod } from "./own-methods.ts";
import { proxyShape } from "./view-of.ts";

/** What a wrapper has in place of its tool's. */
export interface WrapperParts {
  /** `invoke` and, where the tool has it, `call`. */
  readonly overrides: object;
  /** Those that a tool may have in a way of its own, for one that does: `batch`, `stream`, …. Default: none. */
  readonly optionalOverrides?: object;
  /** What else the wrapper holds, and does not list. */
  readonly marks: Readonly<Record<symbol, unknown>>;
}

/**
 * Makes the view of a tool whose ways in are others. What is written to them stays on the view; all else
 * is read from and written to the tool. What every Runnable builds on `invoke` is built on the view's.
 *
 * @param tool The tool.
 * @param partsOf Makes what the view has in the tool's place, given what will be written to the view.
 */
export function makeWrapper<Tool extends InvocableTool>(
  tool: Tool,
  partsOf: (written: Readonly<Record<PropertyKey, unknown>>) => WrapperParts,
): Tool {
  const written: Record<PropertyKey, unknown> = {};
  const { overrides, optionalOverrides = {}, marks } = partsOf(written);
  likeThoseOf(tool, overrides);
  likeThoseOf(tool, optionalOverrides);
  const methods = new Map<unknown, unknown>();

  const isOurs = (key: PropertyKey) => Object.hasOwn(overrides, key) || BUILT_ON_INVOKE.has(key);

  function read(key: PropertyKey): unknown {
    if (Object.hasOwn(marks, key)) return marks[key as symbol];
    if (Object.hasOwn(overrides, key)) return Reflect.get(overrides, key);
    if (Object.hasOwn(optionalOverrides, key) && hasOwnMethod(tool, key)) {
      return Reflect.get(optionalOverrides, key);
    }
    const value: unknown = Reflect.get(tool, key, tool);
    if (typeof value !== "function" || key === "constructor") return value;
    if (BUILT_ON_INVOKE.has(key)) return runnableMethod(tool, key);
    if (Object.hasOwn(tool, key)) return value;
    if (!methods.has(value)) methods.set(value, value.bind(tool));
    return methods.get(value);
  }

  return new Proxy(proxyShape(tool, Object.keys({ ...overrides, ...optionalOverrides })), {
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

/** Gives functions the names and lengths of those that the tool has in their place. */
function likeThoseOf(tool: object, ways: object): void {
  for (const [key, way] of Object.entries(ways)) {
    const original: unknown = Reflect.get(tool, key);
    if (typeof original !== "function") continue;
    const { name, length } = original;
    Object.defineProperties(way, {
      name: { value: name, configurable: true },
      length: { value: length, configurable: true },
    });
  }
}
