import type { EvidenceSink } from "../../repair/events/event.ts";
import type { ToolLike } from "../../repair/types.ts";

/** Under this key a config says which sinks were told of a tool's input. LangChain does not hand it on. */
export const REPORTED: unique symbol = Symbol("toolmend.told");

/** A config that says so. */
export interface ReportedConfig {
  /** The tool's name, as a tool may hand its config on to another, and the sinks. */
  readonly [REPORTED]?: readonly [toolName: string, sinks: readonly EvidenceSink[]];
}

/**
 * Returns those of a tool's sinks that a config does not name as told.
 *
 * @param sinks The sinks.
 * @param config The config that the tool was given.
 * @param tool The tool.
 */
export function unreportedSinks(
  sinks: readonly EvidenceSink[],
  config: ReportedConfig | undefined,
  { name }: Pick<ToolLike, "name">,
): readonly EvidenceSink[] {
  const [toolName, reported = []] = config?.[REPORTED] ?? [];
  return toolName === name ? sinks.filter((sink) => !reported.includes(sink)) : sinks;
}
