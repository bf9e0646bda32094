import { isJsonObject } from "../../repair/json/json-value.ts";
import type { ToolLike } from "../../repair/types.ts";

/** The tools of a request, told apart by who runs them. */
export interface OfferedTools {
  /** The agent's own: their calls are repaired. */
  readonly client: readonly ToolLike[];
  /** The names of those that the provider runs or defines: their calls are left alone. */
  readonly provider: ReadonlySet<string>;
}

/**
 * Tells the agent's own tools from the provider's. Its own have a name and a schema; the provider's
 * are plain descriptions without one.
 *
 * @param tools The tools of the request.
 */
export function offeredTools(tools: readonly unknown[]): OfferedTools {
  const client = tools.filter(isClientTool);
  const others = tools.filter((tool) => !isClientTool(tool));
  return { client, provider: new Set(others.flatMap(namesOf)) };
}

function isClientTool(tool: unknown): tool is ToolLike {
  if (tool === null || typeof tool !== "object" || !("name" in tool) || !("schema" in tool)) {
    return false;
  }
  return typeof tool.name === "string" && tool.schema !== null && tool.schema !== undefined;
}

function namesOf(tool: unknown): readonly string[] {
  if (!isJsonObject(tool)) return [];
  const { name, type, function: described } = tool;
  const inner = isJsonObject(described) ? described.name : undefined;
  return [name, type, inner].filter((one): one is string => typeof one === "string");
}
