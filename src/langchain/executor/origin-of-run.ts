import type { Origin } from "../../repair/events/event.ts";
import { messageModel } from "../trace/message-model.ts";
import { originOf } from "../trace/origin-of.ts";
import type { Run } from "./run.ts";

/**
 * Returns where the actions of a run come from.
 *
 * @param run The run.
 */
export function originOfRun({ options, planning, generation }: Run): Origin {
  const seam = options.origin?.seam ?? "executor";
  return { ...originOf(seam, planning, options), ...messageModel(generation?.message) };
}
