import type { RepairOptions } from "./options.ts";
import type { JsonValue, NameRepair, RepairSuccess, ToolLike } from "./types.ts";

/**
 * Tells `onRepair` of an input, or of a tool name, that was changed.
 *
 * @param raw What the model wrote.
 * @param tool The tool.
 * @param result What was made of it. Without repairs, nobody is told.
 * @param options Holds `onRepair`, and the action and tool call to name.
 */
export function notifyRepair(
  raw: unknown,
  tool: ToolLike,
  { toolInput, repairs, nameRepair }: RepairSuccess & { readonly nameRepair?: NameRepair },
  { onRepair, action, toolCall }: RepairOptions,
): void {
  if (onRepair === undefined || (repairs.length === 0 && nameRepair === undefined)) return;
  const rawToolInput = raw as JsonValue | undefined;
  try {
    const told: unknown = onRepair({
      toolName: tool.name,
      rawToolInput,
      toolInput,
      repairs,
      ...(nameRepair === undefined ? {} : { nameRepair }),
      ...(action === undefined ? {} : { action }),
      ...(toolCall === undefined ? {} : { toolCall }),
    });
    if (told instanceof Promise) told.catch(ignore);
  } catch {
    ignore();
  }
}

/** Watching never stops a run: OnRepair says so. */
function ignore(): void {}
