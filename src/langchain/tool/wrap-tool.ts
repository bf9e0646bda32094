import { parseCallbackConfigArg } from "@langchain/core/callbacks/manager";
import { Runnable, type RunnableConfig } from "@langchain/core/runnables";
import type { EvidenceSink } from "../../repair/events/event.ts";
import {
  aHandler,
  COMMON_CHECKS,
  type NotRegistry,
  type ResolveOptions,
} from "../../repair/policy.ts";
import type { ToolLike } from "../../repair/types.ts";
import {
  type Checks,
  checkOptions,
  checkTool,
  checkToolList,
  type OptionsUsage,
} from "../../repair/usage.ts";
import type { TraceOptions } from "../trace/trace.ts";
import { aTrace } from "../trace/trace.ts";
import type { InvocableTool } from "./invoke.ts";
import { REPORTED, type ReportedConfig, repairedMethods } from "./invoke.ts";
import { nameLike, proxyShape } from "./view-of.ts";

/** How a wrapped tool repairs its inputs; what one call brings along comes with the call. */
export interface WrapToolOptions
  extends Omit<
      ResolveOptions,
      "action" | "explain" | "origin" | "toolCall" | "truncated" | "parsed" | "signal"
    >,
    TraceOptions {}

const CHECKS: Checks<WrapToolOptions> = { ...COMMON_CHECKS, trace: aTrace, onUnfixable: aHandler };

function usageOf(name: string, first: string): OptionsUsage {
  return { of: name, example: `${name}(${first}, { fixers })`, checks: CHECKS };
}

/** Under this key a wrapper, of whichever copy of toolmend, gives the tool that it wraps. */
const WRAPPED = Symbol.for("toolmend.wrappedTool");

/** Under this key it gives its registry and options. */
const OPTIONS = Symbol.for("toolmend.wrapToolOptions");

/**
 * Wraps a tool so that its inputs are repaired before it runs. Callbacks and tracing see the
 * repaired input; where something was repaired, the run's tags and metadata say so, and by which
 * fixers (`toolmend_outcome`, `toolmend_fixers`), but nothing that the model wrote.
 *
 * The tool stays as it was, and two registries can wrap one tool. The wrapper is a view of it:
 * same class, same name, same state. Its methods run on the tool itself, so that `#private` fields
 * work; only `invoke` and `call`, and what Runnable builds on them (`batch`, `stream`, `pipe`, …),
 * are the wrapper's. A tool's own `batch` and `stream` get the repaired inputs. Wrapping a wrapper
 * replaces the registry.
 *
 * @param tool The tool.
 * @param options Fixers, level, limits and handlers. Default: repair by the schema alone.
 * @returns The wrapper. Its `invoke` and `call` throw `ToolInputError` for an input that can be
 * neither repaired nor resolved by `onUnfixable`.
 * @throws TypeError for a wrong use: what is not a tool, a schema of an unknown kind, an unknown
 * option, a value that an option cannot have.
 * @example
 * ```ts
 * const repairing = wrapTool(click, { fixers, level: "eager" });
 * console.log(await repairing.invoke({ element: "#buy" } as never)); // clicked #buy
 * ```
 */
export function wrapTool<Tool extends InvocableTool>(
  tool: Tool,
  options: WrapToolOptions & NotRegistry = {},
): Tool {
  checkTool(tool, "wrapTool(tool, options)");
  checkOptions(options, usageOf("wrapTool", "tool"));
  return makeWrapper((tool as { [WRAPPED]?: Tool })[WRAPPED] ?? tool, options);
}

/**
 * Wraps tools, each as `wrapTool` does. What cannot be invoked (a provider's server tool) is
 * passed through.
 *
 * @param tools The tools.
 * @param options Fixers, level, limits and handlers.
 * @returns The wrappers, in the order and with the types of the tools.
 * @throws TypeError for a wrong use, as `wrapTool`.
 * @example
 * ```ts
 * const node = new ToolNode(wrapTools(tools, { fixers, onUnfixable: "tellModel" }));
 * ```
 */
export function wrapTools<const Tools extends readonly unknown[]>(
  tools: Tools,
  options: WrapToolOptions & NotRegistry = {},
): { -readonly [Index in keyof Tools]: Tools[Index] } {
  checkToolList(tools, "wrapTools(tools, options)");
  checkOptions(options, usageOf("wrapTools", "tools"));
  const wrapped = tools.map((tool) => (isInvocable(tool) ? wrapTool(tool, options) : tool));
  return wrapped as { -readonly [Index in keyof Tools]: Tools[Index] };
}

function isInvocable(tool: unknown): tool is InvocableTool {
  return tool !== null && typeof tool === "object" && "invoke" in tool && "schema" in tool;
}

/**
 * Returns a config with which a wrapped tool does not report its input to those who have been told of it by
 * whoever planned the call. Where it would report to nobody, the config is returned as it is.
 */
export function markReported<Config>(
  config: Config,
  tool: Pick<ToolLike, "name">,
  listeners: readonly EvidenceSink[],
): Config {
  const { [OPTIONS]: options } = tool as { [OPTIONS]?: WrapToolOptions };
  if (listeners.length === 0 || options?.onToolCall === undefined) return config;
  const given = parseCallbackConfigArg(config as RunnableConfig | undefined);
  const reported: ReportedConfig = { [REPORTED]: [tool.name, listeners] };
  return { ...given, ...reported } as Config;
}

/**
 * Makes the view of a tool whose ways in are others. What is written to them stays on the view; all else
 * is read from and written to the tool. What every Runnable builds on `invoke` is built on the view's.
 */
function makeWrapper<Tool extends InvocableTool>(tool: Tool, options: WrapToolOptions): Tool {
  const written: Record<PropertyKey, unknown> = {};
  const marks: Record<symbol, unknown> = { [WRAPPED]: tool, [OPTIONS]: options };
  const repaired = repairedMethods({ tool, options }, () => written.call);
  for (const [key, way] of Object.entries(repaired)) {
    const own: unknown = Reflect.get(tool, key);
    if (typeof own === "function") nameLike(way, own);
  }
  const methods = new Map<unknown, unknown>();

  const isWayIn = (key: PropertyKey) =>
    key === "invoke" || (key === "call" && typeof Reflect.get(tool, key) === "function");
  const isOurs = (key: PropertyKey) => isWayIn(key) || BUILT_ON_INVOKE.has(key);
  const holderOf = (key: PropertyKey) => (isOurs(key) ? written : tool);

  function read(key: PropertyKey): unknown {
    if (Object.hasOwn(marks, key)) return marks[key as symbol];
    if (isWayIn(key) || (Object.hasOwn(repaired, key) && hasOwnMethod(tool, key))) {
      return Reflect.get(repaired, key);
    }
    const value: unknown = Reflect.get(tool, key, tool);
    if (typeof value !== "function" || key === "constructor") return value;
    if (BUILT_ON_INVOKE.has(key)) return runnableMethod(tool, key);
    if (Object.hasOwn(tool, key)) return value;
    if (!methods.has(value)) methods.set(value, value.bind(tool));
    return methods.get(value);
  }

  return new Proxy(proxyShape(tool, Object.keys(repaired)), {
    get: (_, key, receiver) =>
      Object.hasOwn(written, key) ? Reflect.get(written, key, receiver) : read(key),
    set: (_, key, value) => Reflect.set(holderOf(key), key, value),
    has: (_, key) => Object.hasOwn(written, key) || Reflect.has(tool, key),
    defineProperty(_, key, descriptor) {
      if (!isOurs(key)) return Reflect.defineProperty(tool, key, descriptor);
      return Reflect.defineProperty(written, key, { ...descriptor, configurable: true });
    },
    deleteProperty: (_, key) => Reflect.deleteProperty(holderOf(key), key),
    ownKeys: () => [...new Set([...Reflect.ownKeys(tool), ...Reflect.ownKeys(written)])],
    getOwnPropertyDescriptor(shape, key) {
      const holder = Object.hasOwn(written, key) ? written : tool;
      const descriptor = Reflect.getOwnPropertyDescriptor(holder, key);
      return descriptor && shape !== tool ? { ...descriptor, configurable: true } : descriptor;
    },
  });
}

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
const BUILT_ON_INVOKE: ReadonlySet<PropertyKey> = new Set(
  Object.getOwnPropertyNames(Runnable.prototype).filter((name) => !DOES_NOT_RUN.has(name)),
);

/** A method as every Runnable has it, from the tool's own copy of LangChain. */
function runnableMethod(tool: object, name: PropertyKey): unknown {
  let base: object | null = tool;
  while (base !== null && !Object.hasOwn(base, "pipe")) base = Object.getPrototypeOf(base);
  return Reflect.get(base === null || base === tool ? Runnable.prototype : base, name);
}

/** Whether a tool does something in a way of its own that every Runnable builds on `invoke`. */
function hasOwnMethod(tool: object, name: PropertyKey): boolean {
  const method: unknown = Reflect.get(tool, name);
  return typeof method === "function" && method !== runnableMethod(tool, name);
}
