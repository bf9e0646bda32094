import type { Attributes } from "@opentelemetry/api";
import type { InputEvent } from "../../repair/events/event.ts";
import { offeredName } from "../offered-name.ts";
import { ATTRIBUTES } from "./names.ts";

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
