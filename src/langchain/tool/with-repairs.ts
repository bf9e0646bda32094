import { parseCallbackConfigArg } from "@langchain/core/callbacks/manager";
import { ensureConfig, type RunnableConfig } from "@langchain/core/runnables";
import type { JsonValue, Repair } from "../../repair/types.ts";
import { isToolCall } from "./is-tool-call.ts";

/**
 * Puts the repairs of an input into the metadata of the tool's run, for tracing.
 *
 * @param config The config; callbacks alone are fine, as LangChain's deprecated `call` takes them.
 * @param input What the model wrote.
 * @param repairs The repairs; without any, the config is returned as it is.
 */
export function withRepairs<Config>(
  config: Config,
  input: unknown,
  repairs: readonly Repair[],
): Config {
  if (repairs.length === 0) return config;
  const rawToolInput = (isToolCall(input) ? input.args : input) as JsonValue | undefined;
  const given = parseCallbackConfigArg(config as RunnableConfig | undefined);
  const { metadata, ...rest } = ensureConfig(given);
  return { ...rest, metadata: { ...metadata, toolmend: { rawToolInput, repairs } } } as Config;
}
