import { Runnable } from "@langchain/core/runnables";
import { checkFixers } from "../../repair/fixers/check-fixers.ts";
import {
  aHandler,
  COMMON_CHECKS,
  type Fixers,
  type ForTools,
  type NotRegistry,
  type ResolveOptions,
} from "../../repair/policy.ts";
import {
  type Checks,
  checkOptions,
  checkTool,
  checkToolList,
  type OptionsUsage,
} from "../../repair/usage.ts";
import { aTrace, type TraceOptions } from "../trace/trace.ts";
import { type InvocableTool, repairedMethods } from "./invoke.ts";
import { viewOf } from "./view-of.ts";

/**
 * How a wrapped tool repairs its inputs; what one call brings along comes with
 * the call.
 */
export interface WrapToolOptions
  extends Omit<
      ResolveOptions,
      | "action"
      | "explain"
      | "origin"
      | "toolCall"
      | "truncated"
      | "parsed"
      | "signal"
      | "use"
    >,
    TraceOptions {}

const CHECKS: Checks<WrapToolOptions> = {
  ...COMMON_CHECKS,
  trace: aTrace,
  onUnfixable: aHandler,
};

function usageOf(name: string, first: string): OptionsUsage {
  return { of: name, example: `${name}(${first}, { fixers })`, checks: CHECKS };
}

/**
 * The key of the wrapped tool on a wrapper, the same in every copy of toolmend.
 */
const WRAPPED = Symbol.for("toolmend.wrappedTool");

/**
 * Wraps a tool so that its inputs are repaired before it runs. Callbacks and
 * tracing see the repaired input. The tags and metadata of a repaired run hold
 * its outcome and the fixers' names (`toolmend_outcome`, `toolmend_fixers`),
 * but nothing that the model wrote.
 *
 * The tool does not change, and two registries can wrap one tool. The wrapper
 * is a view of it: same class, same name, same state. Its methods run on the
 * tool itself, so that `#private` fields work; only `invoke` and `call`, and
 * what Runnable builds on them (`batch`, `stream`, `pipe`, …), are the
 * wrapper's. A tool that streams in chunks still does; a `batch` of its own is
 * not used. Wrapping a wrapper replaces the registry.
 *
 * @param tool The tool.
 * @param options Fixers, level, limits and handlers. Default: repair by the
 *   schema alone.
 * @returns The wrapper. Its `invoke` and `call` throw `ToolInputError` for an
 *   input that can be neither repaired nor resolved by `onUnfixable`.
 * @throws TypeError for a wrong use: what is not a tool, a schema of an unknown
 *   kind, an unknown option, a value that an option cannot have.
 * @example
 * ```ts
 * const repairing = wrapTool(click, { fixers, level: "eager" });
 * console.log(await repairing.invoke({ element: "#buy" } as never)); // clicked #buy
 * ```
 */
export function wrapTool<Tool extends InvocableTool>(
  tool: Tool,
  options: ForTools<WrapToolOptions, readonly [Tool]> & NotRegistry = {},
): Tool {
  checkTool(tool, "wrapTool(tool, options)");
  checkOptions(options, usageOf("wrapTool", "tool"));
  checkFixers("wrapTool", options.fixers as Fixers | undefined, [tool]);
  return wrapCheckedTool(tool, options as WrapToolOptions);
}

function wrapCheckedTool<Tool extends InvocableTool>(
  tool: Tool,
  options: WrapToolOptions,
): Tool {
  const target = (tool as { [WRAPPED]?: Tool })[WRAPPED] ?? tool;
  const { invoke, call, _streamIterator } = repairedMethods({
    tool: target,
    options,
  });
  const built = BUILT_ON_INVOKE.filter((name) => hasMethod(target, name));
  return viewOf(target, {
    [WRAPPED]: target,
    ...Object.fromEntries(
      built.map((name) => [name, runnableMethod(target, name)]),
    ),
    invoke,
    ...(hasMethod(target, "call") && { call }),
    ...(streamsInChunks(target) && { _streamIterator }),
  });
}

function streamsInChunks(tool: object): boolean {
  const stream: unknown = Reflect.get(tool, "_streamIterator");
  return (
    typeof stream === "function" &&
    stream !== runnableMethod(tool, "_streamIterator")
  );
}

/**
 * Wraps tools, each as `wrapTool` does. What cannot be invoked (a provider's
 * server tool) is passed through.
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
  options: ForTools<WrapToolOptions, Tools> & NotRegistry = {},
): { -readonly [Index in keyof Tools]: Tools[Index] } {
  checkToolList(tools, "wrapTools(tools, options)");
  checkOptions(options, usageOf("wrapTools", "tools"));
  const wrapping = options as WrapToolOptions;
  checkFixers("wrapTools", wrapping.fixers, tools);
  const isTool = (tool: unknown): tool is InvocableTool =>
    typeof tool === "object" &&
    tool !== null &&
    "invoke" in tool &&
    "schema" in tool;
  const wrapped = tools.map((tool) =>
    isTool(tool) ? wrapCheckedTool(tool, wrapping) : tool,
  );
  return wrapped as { -readonly [Index in keyof Tools]: Tools[Index] };
}

/** What a Runnable has that does not run it. */
const DOES_NOT_RUN: ReadonlySet<string> = new Set(
  `constructor getName getGraph _concatOutputChunks _getOptionsList
  _separateRunnableConfigFromCallOptions`.split(/\s+/),
);

/**
 * What every Runnable builds on its `invoke`: on a wrapper, it does it with the
 * wrapper's.
 */
const BUILT_ON_INVOKE: readonly string[] = Object.getOwnPropertyNames(
  Runnable.prototype,
).filter((name) => !DOES_NOT_RUN.has(name));

/** A method as every Runnable has it, from the tool's own copy of LangChain. */
function runnableMethod(tool: object, name: string): unknown {
  let base: object | null = tool;
  while (base !== null && !Object.hasOwn(base, "pipe"))
    base = Object.getPrototypeOf(base);
  return Reflect.get(
    base === null || base === tool ? Runnable.prototype : base,
    name,
  );
}

function hasMethod(tool: object, name: string): boolean {
  return typeof Reflect.get(tool, name) === "function";
}
