import { type ExceptionName, isLike } from "../../repair/errors.ts";
import { orElse } from "../../repair/foreign.ts";
import {
  compileSchema,
  isStringToolSchema,
} from "../../repair/schema/compile-schema.ts";
import { EXCEPTION } from "../../repair/steps.ts";
import { warnProcess } from "../../repair/usage.ts";
import type { AgentExecutorLike } from "../executor/run.ts";
import { viewExecutor, WRAPPED } from "../executor/view-executor.ts";
import {
  acceptedView,
  type InvocableTool,
  isAcceptedView,
  runRepaired,
} from "../tool/invoke.ts";
import { takeReportedRun } from "../trace/process-state.ts";
import { combineOptions, type Undo } from "./registrations.ts";

/** Under this key a function of ours gives the one that it stands for. */
const STANDS_FOR = Symbol.for("toolmend.standsFor");

/** Makes one method of another. `never` takes every signature. */
type Make = (original: never) => (...args: never[]) => unknown;

/**
 * Swaps a method for another, which gets what it stands for, and returns the
 * undo. The property keeps its descriptor. A method that is one of ours already
 * is left alone, and one that is frozen, with a warning.
 */
export function swap(
  target: object,
  key: PropertyKey,
  make: Make,
): Undo | undefined {
  const before = Object.getOwnPropertyDescriptor(target, key);
  const original = (target as Record<PropertyKey, unknown>)[key];
  if (typeof original !== "function" || Object.hasOwn(original, STANDS_FOR))
    return undefined;
  const ours = make(original as never);
  const { name, length } = original;
  Object.defineProperties(ours, {
    [STANDS_FOR]: { value: original },
    name: { value: name, configurable: true },
    length: { value: length, configurable: true },
  });
  const after = before ?? {
    configurable: true,
    writable: true,
    enumerable: false,
  };
  if (!Reflect.defineProperty(target, key, { ...after, value: ours })) {
    const remedy =
      "Import toolmend/register before what freezes it, or wrap the tools with wrapTool.";
    const text = `toolmend cannot swap ${String(key)}: what has it is frozen. ${remedy}`;
    warnProcess(text, "TOOLMEND_FROZEN");
    return undefined;
  }
  return () => {
    // If other code has wrapped ours since, it stays below theirs.
    if (Object.getOwnPropertyDescriptor(target, key)?.value !== ours)
      return false;
    // A property that was frozen since stays ours.
    return before === undefined
      ? Reflect.deleteProperty(target, key)
      : Reflect.defineProperty(target, key, before);
  };
}

type ToolMethod = (
  this: InvocableTool,
  arg: unknown,
  config?: object,
  tags?: string[],
) => unknown;

/**
 * Makes `StructuredTool.prototype.call`. Every use of a tool goes through it:
 * `invoke`, `call`, `batch`, a subclass's `super.call`. The original runs if
 * nothing is registered, if the tool's schema is of no known kind, if a wrapper
 * has already validated the input, or for `_Exception`, the tool that
 * LangChain's executor answers parsing errors with.
 */
export function hookCall(original: ToolMethod): ToolMethod {
  return async function call(arg, config, tags) {
    const options = optionsFor(this);
    if (options === undefined) return original.call(this, arg, config, tags);
    const isReported = takeReportedRun(this);
    const invocation = {
      tool: this,
      options,
      input: arg,
      config,
      tags,
      isReported,
    };
    return runRepaired(invocation, async (use) => {
      const view = acceptedView(this, use.parsed);
      const input = structuredInput(this, use.input);
      return original.call(view, input, use.config, use.tags);
    });
  };
}

/** How a tool's inputs are repaired; `undefined` if they are not. */
function optionsFor(tool: InvocableTool): RegisteredOptions | undefined {
  if (isAcceptedView(tool) || tool.name === EXCEPTION) return undefined;
  const options = combineOptions();
  if (options === undefined) return undefined;
  return orElse(() => {
    compileSchema(tool.schema);
    return options;
  }, undefined);
}

type RegisteredOptions = ReturnType<typeof combineOptions>;

/**
 * Returns an input below `Tool.prototype.call`, which takes a string: there, a
 * string tool takes an object.
 */
function structuredInput({ schema }: InvocableTool, input: unknown): unknown {
  if (typeof input !== "string") return input;
  return isStringToolSchema(schema as object) ? { input } : input;
}

/** The inner methods of an AgentExecutor that its ways in share. */
export const INNER_METHODS = [
  "_call",
  "_takeNextStep",
  "_getToolReturn",
] as const;

type InnerMethod = (typeof INNER_METHODS)[number];
type Inner = (this: AgentExecutorLike, ...args: never[]) => unknown;

/**
 * Makes an inner method of `AgentExecutor.prototype` that runs as
 * `wrapAgentExecutor` would, so that the steps hold the repaired inputs. An
 * executor that is wrapped already goes its own way.
 */
export function hookExecutor(method: InnerMethod): (original: Inner) => Inner {
  return (original) =>
    function inner(...args) {
      const isWrapped =
        (this as { [WRAPPED]?: unknown })[WRAPPED] !== undefined;
      const options = isWrapped ? undefined : combineOptions();
      if (options === undefined) return original.apply(this, args);
      // A subclass's own method is running already: what it called is
      // LangChain's.
      const wrapped = viewExecutor(this, options, { [method]: original });
      return (wrapped as unknown as Record<InnerMethod, Inner>)[method].apply(
        wrapped,
        args,
      );
    };
}

type HasInstance = (this: unknown, value: unknown) => boolean;

/**
 * Makes `Symbol.hasInstance` of an exception class take the exceptions of every
 * copy, but no subclass.
 */
export function hookInstanceof(
  exception: unknown,
  name: ExceptionName,
): (original: HasInstance) => HasInstance {
  return (original) =>
    function hasInstance(value) {
      return (
        original.call(this, value) ||
        (this === exception && isLike(value, name))
      );
    };
}
