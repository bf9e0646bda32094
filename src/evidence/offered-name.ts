import type { InputEvent } from "../repair/events/event.ts";

/** What stands for the name of a tool that nobody offers. */
export const UNKNOWN_TOOL = "_unknown";

/**
 * Returns the name of an event's tool, as far as it is the application's, and not one that a model made up.
 *
 * @param event The event.
 */
export function offeredName({ toolName, isOffered }: InputEvent): string {
  return isOffered ? toolName : UNKNOWN_TOOL;
}
