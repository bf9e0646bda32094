import type { NameRepair, Repair } from "../types.ts";
import type { CallEvent } from "./input-event.ts";

/**
 * Returns what was changed of a call: the tool's name, and the input.
 *
 * @param event The call.
 */
export function changesOf({
  nameRepair,
  repairs,
}: Pick<CallEvent, "repairs"> & Partial<CallEvent>): readonly (NameRepair | Repair)[] {
  return nameRepair === undefined ? repairs : [nameRepair, ...repairs];
}
