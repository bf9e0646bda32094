import { parseCallbackConfigArg } from "@langchain/core/callbacks/manager";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { EvidenceSink } from "../../repair/events/event.ts";
import type { ToolLike } from "../../repair/types.ts";
import { REPORTED, type ReportedConfig } from "./reported-config.ts";
import { wrapOptionsOf } from "./wrap-tool.ts";

/**
 * Returns a config with which a wrapped tool does not tell sinks of its input that have been told by
 * whoever planned the call.
 *
 * @param config The config, or callbacks alone. It is not changed.
 * @param tool The tool; where it would tell nobody, the config is returned as it is.
 * @param sinks The sinks that have been told.
 */
export function markReported<Config>(
  config: Config,
  tool: Pick<ToolLike, "name">,
  sinks: readonly EvidenceSink[] | undefined,
): Config {
  if (!sinks?.length || wrapOptionsOf(tool)?.evidence === undefined) return config;
  const given = parseCallbackConfigArg(config as RunnableConfig | undefined);
  const reported: ReportedConfig = { [REPORTED]: [tool.name, sinks] };
  return { ...given, ...reported } as Config;
}
