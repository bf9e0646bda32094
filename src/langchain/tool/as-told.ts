import { parseCallbackConfigArg } from "@langchain/core/callbacks/manager";
import type { RunnableConfig } from "@langchain/core/runnables";
import { toldUses } from "./told-uses.ts";
import { wrapOptionsOf } from "./wrap-tool.ts";

/**
 * Returns a config with which a wrapped tool does not tell of its input: whoever planned the call has.
 *
 * @param config The config, or callbacks alone. It is not changed.
 * @param tool The tool; where it would tell nobody, the config is returned as it is.
 */
export function asTold<Config>(config: Config, tool: object): Config {
  if (wrapOptionsOf(tool)?.evidence === undefined) return config;
  const copy = { ...parseCallbackConfigArg(config as RunnableConfig | undefined) };
  toldUses.add(copy);
  return copy as Config;
}
