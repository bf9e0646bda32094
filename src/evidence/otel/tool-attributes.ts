import type { Attributes } from "@opentelemetry/api";
import type { InputEvent } from "../../repair/events/input-event.ts";
import { ATTRIBUTES } from "./names.ts";

/**
 * Returns the name of an event's tool, as far as it is the application's: one that a model made up is
 * no name for a series.
 *
 * @param event The event.
 */
export function offeredName({ toolName, isOffered }: InputEvent): string {
  return isOffered ? toolName : "_unknown";
}

/**
 * Returns what an event says of its tool and its model.
 *
 * @param event The event.
 */
export function toolAttributes(event: InputEvent): Attributes {
  const { model, provider } = event;
  return {
    [ATTRIBUTES.tool]: offeredName(event),
    ...(model !== undefined && { [ATTRIBUTES.model]: model }),
    ...(provider !== undefined && { [ATTRIBUTES.provider]: provider }),
  };
}
