import { LineWriter, type LogLine } from "#src/evidence/log-line.ts";
import type { ContentLevel } from "#src/repair/events/plain-event.ts";
import { type PlantedLogOptions, plantedEvents } from "./planted-events.ts";

/** The contents of the planted log. */
export interface PlantedLineOptions extends PlantedLogOptions {
  /** How much model output it holds. Default: `"full"`. */
  readonly content?: ContentLevel;
  /**
   * Whether valid calls are counted by the minute, or have a line each. Default: each at `"full"`.
   */
  readonly valid?: "count" | "each";
}

/**
 * Creates a log with planted mistakes (see habits.ts).
 *
 * @param options Seed, size, time and content.
 * @returns Its lines, the same for the same options.
 */
export async function plantedLog(options: PlantedLineOptions = {}): Promise<readonly LogLine[]> {
  const { content = "full", valid = content === "full" ? "each" : "count" } = options;
  const lines: LogLine[] = [];
  const writer = new LineWriter((line) => lines.push(line), { content, valid });
  for (const event of await plantedEvents(options)) writer.add(event);
  writer.flush();
  return lines;
}
