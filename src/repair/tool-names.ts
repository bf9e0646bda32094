import type { ToolLike } from "./types.ts";

/**
 * Returns the names of tools. A provider's own tool has none.
 *
 * @param tools The tools.
 */
export function toolNames(tools: readonly ToolLike[]): readonly string[] {
  return tools.flatMap(({ name }) => (typeof name === "string" ? [name] : []));
}
