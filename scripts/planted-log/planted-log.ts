import type { Content, LogLine } from "../../src/evidence/log-line.ts";
import type { InputEvent } from "../../src/repair/events/input-event.ts";
import { type PlantedLogOptions, plantedEvents } from "./planted-events.ts";
import { toLines } from "./to-lines.ts";

/** What the planted log holds. */
export interface PlantedLineOptions extends PlantedLogOptions {
  /** How much of what the model wrote. Default: `"full"`. */
  readonly content?: Content;
  /** Whether valid calls are counted by the minute, or a line each. Default: each at `"full"`. */
  readonly valid?: "count" | "each";
}

/**
 * Creates a log in which mistakes are planted (see habits.ts).
 *
 * @param options Seed, size, time and content.
 * @returns Its lines, the same for the same options.
 */
export async function plantedLog(options: PlantedLineOptions = {}): Promise<readonly LogLine[]> {
  const { content = "full", valid = content === "full" ? "each" : "count" } = options;
  const events: readonly InputEvent[] = await plantedEvents(options);
  return toLines(events, content, valid);
}
