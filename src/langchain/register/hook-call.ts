import { compileSchema, isStringToolSchema } from "../../repair/schema/compile-schema.ts";
import { EXCEPTION } from "../../repair/steps.ts";
import { acceptedView, isAcceptedView } from "../tool/accepted-view.ts";
import type { InvocableTool } from "../tool/invocable-tool.ts";
import { runRepaired } from "../tool/invoke-repaired.ts";
import { combineOptions } from "./combine-options.ts";

type Call = (this: InvocableTool, arg: unknown, config?: object, tags?: string[]) => unknown;

/**
 * Makes `StructuredTool.prototype.call`, through which every way into a tool goes: `invoke`, `call`,
 * `batch`, a subclass's `super.call`. Where nothing is registered, the tool's schema is of no known
 * kind, a wrapper has the input accepted already, or the tool is the one by which LangChain's executor
 * tells a model what was wrong, it is the original.
 *
 * @param original What it stands for.
 */
export function hookCall(original: Call): Call {
  return async function call(arg, config, tags) {
    const isNoCall = isAcceptedView(this) || this.name === EXCEPTION;
    const options = isNoCall ? undefined : combineOptions();
    if (options === undefined || !hasKnownSchema(this)) {
      return original.call(this, arg, config, tags);
    }
    const given = { tool: this, options, input: arg, config, tags };
    return runRepaired(given, async (use) => {
      // Below `Tool.prototype.call`, which takes a string, an object is what a string tool takes.
      const input = isBare(use.input, this) ? { input: use.input } : use.input;
      const view = acceptedView(this, use.parsed);
      return original.call(view, input, use.config as object | undefined, use.tags);
    });
  };
}

function hasKnownSchema({ schema }: InvocableTool): boolean {
  try {
    compileSchema(schema);
    return true;
  } catch {
    return false;
  }
}

function isBare(arg: unknown, { schema }: InvocableTool): boolean {
  return typeof arg === "string" && isStringToolSchema(schema as object);
}
