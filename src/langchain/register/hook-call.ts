import { isStringToolSchema } from "../../repair/schema/compile-string-tool.ts";
import type { InvocableTool } from "../tool/invocable-tool.ts";
import { invokeRepaired } from "../tool/invoke-repaired.ts";
import { viewOf } from "../tool/view-of.ts";
import { combineOptions } from "./combine-options.ts";

type Call = (this: InvocableTool, arg: unknown, config?: object, tags?: string[]) => unknown;

/**
 * Makes `StructuredTool.prototype.call`, through which every way into a tool goes: `invoke`, `call`,
 * `batch`, a subclass's `super.call`. Where nothing is registered, it is the original.
 *
 * @param original What it stands for.
 */
export function hookCall(original: Call): Call {
  return async function call(arg, config, tags) {
    const options = combineOptions();
    const repaired = options && repairedCall(this, original, options);
    return repaired ? repaired(arg, config, tags) : original.call(this, arg, config, tags);
  };
}

/** Nothing where the tool's schema is of no known kind: such a tool is left alone. */
function repairedCall(
  tool: InvocableTool,
  original: Call,
  options: NonNullable<ReturnType<typeof combineOptions>>,
): ((arg: unknown, config?: object, tags?: string[]) => Promise<unknown>) | undefined {
  // Below `Tool.prototype.call`, which takes a string, an object is what a string tool takes.
  const below: Call = (arg, config, tags) =>
    original.call(tool, isBare(arg, tool) ? { input: arg } : arg, config, tags);
  try {
    return invokeRepaired(viewOf(tool, { call: below }), options).call;
  } catch {
    return undefined;
  }
}

function isBare(arg: unknown, { schema }: InvocableTool): boolean {
  return typeof arg === "string" && isStringToolSchema(schema as object);
}
