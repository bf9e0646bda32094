import { type CallbackManager, parseCallbackConfigArg } from "@langchain/core/callbacks/manager";
import { ensureConfig, type RunnableConfig } from "@langchain/core/runnables";
import type { RunMarks } from "./marks-of.ts";

/**
 * Marks the run of a tool, and where LangChain lets it, not the runs within it.
 *
 * @param config The config; callbacks alone are fine, as LangChain's deprecated `call` takes them.
 * @param marks The marks.
 */
export function withMarks<Config>(config: Config, marks: RunMarks): Config {
  const given = ensureConfig(parseCallbackConfigArg(config as RunnableConfig | undefined));
  const { callbacks, tags = [], metadata } = given;
  if (callbacks !== undefined && !Array.isArray(callbacks)) {
    const own: CallbackManager = callbacks.copy();
    own.addTags([...marks.tags], false);
    own.addMetadata({ ...marks.metadata }, false);
    return { ...given, callbacks: own } as Config;
  }
  const marked = { tags: [...tags, ...marks.tags], metadata: { ...metadata, ...marks.metadata } };
  return { ...given, ...marked } as Config;
}
