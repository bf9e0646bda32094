import type { AgentExecutorLike } from "../executor/executor-like.ts";
import { viewExecutor } from "../executor/view-executor.ts";
import { combineOptions } from "./combine-options.ts";

/** Under this key a wrapper gives the executor that it wraps; what it runs inherits it. */
const WRAPPED = Symbol.for("toolmend.wrappedAgentExecutor");

type InnerMethod = "_call" | "_takeNextStep" | "_getToolReturn";
type Inner = (this: AgentExecutorLike, ...args: unknown[]) => unknown;

/** The inner methods of an AgentExecutor that its ways in share. */
export const INNER_METHODS: readonly InnerMethod[] = ["_call", "_takeNextStep", "_getToolReturn"];

/**
 * Makes an inner method of `AgentExecutor.prototype` that runs as `wrapAgentExecutor` would, so that
 * the steps hold the repaired inputs. An executor that is wrapped already goes its own way.
 *
 * @param method The method's name.
 * @returns What makes it of the original.
 */
export function hookExecutor(method: InnerMethod): (original: Inner) => Inner {
  return (original) =>
    function inner(...args) {
      const options = WRAPPED in this ? undefined : combineOptions();
      if (options === undefined) return original.apply(this, args);
      // A subclass's own method is running already: what it called is LangChain's.
      const wrapped = viewExecutor(this, options, { [method]: original });
      return (wrapped as unknown as Record<InnerMethod, Inner>)[method].apply(wrapped, args);
    };
}
