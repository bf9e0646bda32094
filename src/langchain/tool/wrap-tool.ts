import { assertEdits } from "../../repair/edit-switches.ts";
import type { FixerRegistry } from "../../repair/fixers/fixer-registry.ts";
import { assertLevel } from "../../repair/level-allows.ts";
import type { ResolveOptions } from "../../repair/resolve-tool-input.ts";
import { assertUndeclaredKeys } from "../../repair/undeclared-policy.ts";
import type { InvocableTool } from "./invocable-tool.ts";
import { makeWrapper } from "./wrapper.ts";

/** How a wrapped tool repairs its inputs; what one call brings along comes with the call. */
export type WrapToolOptions = Omit<
  ResolveOptions,
  "fixers" | "action" | "checked" | "toolCall" | "truncated" | "parsed" | "signal"
>;

/** Under this key a wrapper, of whichever copy of toolmend, gives the tool that it wraps. */
const WRAPPED = Symbol.for("toolmend.wrappedTool");

/** Under this key it gives its registry and options. */
const OPTIONS = Symbol.for("toolmend.wrapToolOptions");

/**
 * Wraps a tool so that its inputs are repaired before it runs. Callbacks and tracing see the
 * repaired input; where something was repaired, the run's metadata says so, and by which fixers
 * (`toolmend_outcome`, `toolmend_fixers`), but nothing that the model wrote.
 *
 * The tool stays as it was, and two registries can wrap one tool. The wrapper is a view of it:
 * same class, same name, same state. Its methods run on the tool itself, so that `#private` fields
 * work; only `invoke` and `call`, and what Runnable builds on them (`batch`, `stream`, `pipe`, …),
 * are the wrapper's. A tool's own `batch` and `stream` get the repaired inputs. Wrapping a wrapper
 * replaces the registry.
 *
 * @param tool The tool.
 * @param fixers The fixers, by tool name. Default: none; then repair is by the schema alone.
 * @param options Level, limits and handlers.
 * @returns The wrapper. Its `invoke` and `call` throw `ToolInputError` for an input that can be
 * neither repaired nor resolved by `onUnfixable`.
 * @throws TypeError when the tool's schema is of no known kind, `fixers` is no registry, or a level
 * is none.
 */
export function wrapTool<Tool extends InvocableTool>(
  tool: Tool,
  fixers?: FixerRegistry,
  options: WrapToolOptions = {},
): Tool {
  assertRegistry(fixers);
  assertLevel(options.level);
  assertUndeclaredKeys(options.undeclaredKeys);
  assertEdits(options.edits);
  const target = unwrapTool(tool);
  const resolving = { ...options, fixers };
  return makeWrapper(target, resolving, { [WRAPPED]: target, [OPTIONS]: resolving });
}

/**
 * Wraps tools, each as `wrapTool` does. What cannot be invoked (a provider's server tool) is
 * passed through.
 *
 * @param tools The tools.
 * @param fixers The fixers, by tool name. Default: none.
 * @param options Level, limits and handlers.
 * @returns The wrappers, in the order and with the types of the tools.
 * @throws TypeError when a tool's schema is of no known kind.
 */
export function wrapTools<const Tools extends readonly unknown[]>(
  tools: Tools,
  fixers?: FixerRegistry,
  options: WrapToolOptions = {},
): { -readonly [Index in keyof Tools]: Tools[Index] } {
  const wrapped = tools.map((tool) => (isInvocable(tool) ? wrapTool(tool, fixers, options) : tool));
  return wrapped as { -readonly [Index in keyof Tools]: Tools[Index] };
}

/**
 * Gives the tool that a wrapper wraps, whichever copy of toolmend made it.
 *
 * @param tool A wrapper, or a tool.
 * @returns The tool; a tool that is no wrapper is returned as it is.
 */
export function unwrapTool<Tool extends object>(tool: Tool): Tool {
  return (tool as { [WRAPPED]?: Tool })[WRAPPED] ?? tool;
}

/**
 * Gives the registry and the options that a wrapper was made with.
 *
 * @param tool A wrapper, or a tool.
 * @returns The options; `undefined` for a tool that is no wrapper.
 */
export function wrapOptionsOf(tool: object): ResolveOptions | undefined {
  return (tool as { [OPTIONS]?: ResolveOptions })[OPTIONS];
}

function assertRegistry(fixers: unknown): void {
  if (fixers === undefined) return;
  if (typeof (fixers as Partial<FixerRegistry> | null)?.forTool === "function") return;
  throw new TypeError(
    "The second argument must be a registry, as createFixerRegistry makes it, or undefined; options come third.",
  );
}

function isInvocable(tool: unknown): tool is InvocableTool {
  return tool !== null && typeof tool === "object" && "invoke" in tool && "schema" in tool;
}
