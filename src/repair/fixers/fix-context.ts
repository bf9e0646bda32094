import type { RepairOptions } from "../options.ts";
import type { CompiledSchema } from "../schema/compiled-schema.ts";
import type { FixContext, JsonValue, ToolLike } from "../types.ts";

/** An input that is to be repaired. */
export interface FixRequest {
  /** What the model wrote. */
  readonly raw: unknown;
  readonly tool: ToolLike;
  readonly schema: CompiledSchema;
  readonly options: RepairOptions;
}

/**
 * Makes what every fixer of a repair is told.
 *
 * @param request The input.
 * @param truncated Whether what the model wrote was cut off.
 */
export function fixContextOf(
  { raw, tool, schema, options }: FixRequest,
  truncated: boolean,
): Omit<FixContext, "issues" | "signal"> {
  const { action, toolCall } = options;
  return {
    toolName: tool.name,
    tool,
    jsonSchema: schema.jsonSchema,
    rawToolInput: raw as JsonValue | undefined,
    truncated,
    ...(action === undefined ? {} : { action }),
    ...(toolCall === undefined ? {} : { toolCall }),
  };
}
