import { parseCallbackConfigArg } from "@langchain/core/callbacks/manager";
import { ensureConfig, type RunnableConfig } from "@langchain/core/runnables";
import { bareFixer } from "../../repair/events/bare-fixer.ts";
import type { Repair } from "../../repair/types.ts";

/**
 * Says in the metadata of a tool's run that its input was repaired, and by what, for tracing. What
 * hides inputs in traces does not look there: so it holds nothing that the model wrote.
 *
 * @param config The config; callbacks alone are fine, as LangChain's deprecated `call` takes them.
 * @param repairs The repairs; without any, the config is returned as it is.
 */
export function withRepairs<Config>(config: Config, repairs: readonly Repair[]): Config {
  if (repairs.length === 0) return config;
  const given = parseCallbackConfigArg(config as RunnableConfig | undefined);
  const { metadata, ...rest } = ensureConfig(given);
  const toolmend_fixers = [...new Set(repairs.map(({ fixer }) => bareFixer(fixer)))].join(",");
  const own = { toolmend_outcome: "repaired", toolmend_fixers };
  return { ...rest, metadata: { ...metadata, ...own } } as Config;
}
