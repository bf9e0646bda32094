import { wrongUse } from "../../repair/errors/likeness.ts";
import type { FixerRegistry } from "../../repair/fixers/registry.ts";
import {
  aHandler,
  COMMON_CHECKS,
  type NotRegistry,
  type ResolveOptions,
} from "../../repair/policy.ts";
import {
  type Checks,
  checkOptions,
  checkTool,
  checkToolList,
  isRegistry,
  nameThing,
  type OptionsUsage,
} from "../../repair/usage.ts";
import { aTrace } from "../trace/a-trace.ts";
import type { TraceOptions } from "../trace/trace-options.ts";
import { batchRepaired } from "./batch-repaired.ts";
import type { InvocableTool } from "./invocable-tool.ts";
import { invokeRepaired } from "./invoke-repaired.ts";
import { streamRepaired } from "./stream-repaired.ts";
import { makeWrapper } from "./wrapper.ts";

/** How a wrapped tool repairs its inputs; what one call brings along comes with the call. */
export interface WrapToolOptions
  extends Omit<
      ResolveOptions,
      "action" | "checked" | "origin" | "toolCall" | "truncated" | "parsed" | "signal"
    >,
    TraceOptions {}

const WRAP_TOOL_USAGE: OptionsUsage = {
  of: "wrapTool",
  example: "wrapTool(tool, { fixers })",
  checks: {
    ...COMMON_CHECKS,
    trace: aTrace,
    onUnfixable: aHandler,
  } satisfies Checks<WrapToolOptions>,
};

const WRAP_TOOLS_USAGE: OptionsUsage = {
  ...WRAP_TOOL_USAGE,
  of: "wrapTools",
  example: "wrapTools(tools, { fixers })",
};

/** Under this key a wrapper, of whichever copy of toolmend, gives the tool that it wraps. */
export const WRAPPED: unique symbol = Symbol.for("toolmend.wrappedTool");

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
 * const mended = wrapTool(click, { fixers, level: "eager" });
 * console.log(await mended.invoke({ element: "#buy" } as never)); // clicked #buy
 * ```
 */
export function wrapTool<Tool extends InvocableTool>(
  tool: Tool,
  options?: WrapToolOptions & NotRegistry,
): Tool;
/** @deprecated Write `wrapTool(tool, { fixers, … })`, as with every other wrapper. */
export function wrapTool<Tool extends InvocableTool>(
  tool: Tool,
  fixers: FixerRegistry | undefined,
  options?: WrapToolOptions & NotRegistry,
): Tool;
export function wrapTool<Tool extends InvocableTool>(
  tool: Tool,
  ...given: readonly [options?: object, more?: object]
): Tool {
  checkTool(tool, "wrapTool(tool, options)");
  const options = readWrapOptions(WRAP_TOOL_USAGE, ...given);
  const target = unwrapTool(tool);
  return makeWrapper(target, (written) => {
    const about = { tool: target, options };
    return {
      overrides: invokeRepaired(target, options, () => written.call),
      optionalOverrides: { batch: batchRepaired(about), ...streamRepaired(about) },
      marks: { [WRAPPED]: target, [OPTIONS]: options },
    };
  });
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
  options?: WrapToolOptions & NotRegistry,
): { -readonly [Index in keyof Tools]: Tools[Index] };
/** @deprecated Write `wrapTools(tools, { fixers, … })`, as with every other wrapper. */
export function wrapTools<const Tools extends readonly unknown[]>(
  tools: Tools,
  fixers: FixerRegistry | undefined,
  options?: WrapToolOptions & NotRegistry,
): { -readonly [Index in keyof Tools]: Tools[Index] };
export function wrapTools(
  tools: readonly unknown[],
  ...given: readonly [options?: object, more?: object]
): unknown[] {
  checkToolList(tools, "wrapTools(tools, options)");
  const options = readWrapOptions(WRAP_TOOLS_USAGE, ...given);
  return tools.map((tool) => (isInvocable(tool) ? wrapTool(tool, options) : tool));
}

/**
 * Returns the tool that a wrapper wraps, whichever copy of toolmend made it.
 *
 * @param tool A wrapper, or a tool.
 * @returns The tool; a tool that is no wrapper is returned as it is.
 * @throws TypeError for what cannot be a tool.
 * @example
 * ```ts
 * console.log(unwrapTool(wrapTool(click)) === click); // true
 * ```
 */
export function unwrapTool<Tool extends object>(tool: Tool): Tool {
  if (tool === null || (typeof tool !== "object" && typeof tool !== "function")) {
    throw wrongUse(`unwrapTool(tool) needs a tool; this is ${nameThing(tool)}.`);
  }
  return (tool as { [WRAPPED]?: Tool })[WRAPPED] ?? tool;
}

/**
 * Gives the registry and the options that a wrapper was made with.
 *
 * @param tool A wrapper, or a tool.
 * @returns The options; `undefined` for a tool that is no wrapper.
 */
export function wrapOptionsOf(tool: object): (ResolveOptions & TraceOptions) | undefined {
  return (tool as { [OPTIONS]?: ResolveOptions & TraceOptions })[OPTIONS];
}

/** Reads the options, which may follow a registry, as they did at first. */
function readWrapOptions(usage: OptionsUsage, first?: object, second?: object): WrapToolOptions {
  if (!isRegistry(first)) {
    if (first !== undefined && second !== undefined) {
      throw wrongUse(`${usage.of} takes one object of options, as in ${usage.example}.`);
    }
    checkOptions(first ?? second, usage);
    return (first ?? second ?? {}) as WrapToolOptions;
  }
  checkOptions(second, usage);
  if ((second as WrapToolOptions | undefined)?.fixers !== undefined) {
    throw wrongUse(`${usage.of} takes one registry, as in ${usage.example}; these are two.`);
  }
  return { ...second, fixers: first as FixerRegistry };
}

function isInvocable(tool: unknown): tool is InvocableTool {
  return tool !== null && typeof tool === "object" && "invoke" in tool && "schema" in tool;
}
