import type { RepairOptions } from "./options.ts";
import type { RepairSuccess } from "./repair-result.ts";
import type { JsonValue, NameRepair, ToolLike } from "./types.ts";

/**
 * Tells a listener of an event. Watching never stops a run: what the listener throws is ignored, and
 * so is the rejection of what it returns, which is not waited for.
 *
 * @param listener The listener; `undefined` is for none.
 * @param event The event.
 */
export function notify<Event>(
  listener: ((event: Event) => unknown) | undefined,
  event: Event,
): void {
  try {
    Promise.resolve(listener?.(event)).catch(ignore);
  } catch {
    ignore();
  }
}

function ignore(): void {}

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
  {
    toolInput,
    repairs,
    undeclared,
    nameRepair,
  }: RepairSuccess & { readonly nameRepair?: NameRepair },
  { onRepair, action, toolCall }: RepairOptions,
): void {
  if (onRepair === undefined || (repairs.length === 0 && nameRepair === undefined)) return;
  notify(onRepair, {
    toolName: tool.name,
    rawToolInput: raw as JsonValue | undefined,
    toolInput,
    repairs,
    undeclared,
    ...(nameRepair === undefined ? {} : { nameRepair }),
    ...(action === undefined ? {} : { action }),
    ...(toolCall === undefined ? {} : { toolCall }),
  });
}
