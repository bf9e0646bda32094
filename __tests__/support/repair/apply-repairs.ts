import { setAt } from "../../../src/repair/json.ts";
import type { JsonValue, Repair } from "../../../src/repair/types.ts";

/** Replays repairs on the parsed input: the record must match the repair. */
export function applyRepairs(
  input: JsonValue | undefined,
  repairs: readonly Pick<Repair, "path" | "after">[],
): JsonValue | undefined {
  return repairs.reduce<JsonValue | undefined>(
    (value, { path, after }) => setAt(value as JsonValue, path, after),
    input,
  );
}
