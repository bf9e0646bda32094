import { boundRepairs, digestOver } from "../../repair/bound-repairs.ts";
import type { JsonValue, RecordDetail } from "../../repair/types.ts";
import type { CallRecord } from "./call-records.ts";

/** The longest text that two records of a message both hold, in characters of JSON. */
const MAX_TWICE = 1_000;

/**
 * Bounds the records of a message, which every checkpoint of a thread holds: what the model wrote is
 * kept once, and of repairs what `boundRepairs` leaves.
 *
 * @param records The records.
 * @param detail How much is kept. Default: `"bounded"`.
 */
export function boundRecords(
  records: readonly CallRecord[],
  detail: RecordDetail = "bounded",
): readonly CallRecord[] {
  if (detail === "full") return records;
  const held = new Set<JsonValue | undefined>();
  return records.map((record) => {
    const repairs = boundRepairs(record.repairs, detail);
    const { rawToolInput: raw, ...rest } = record;
    // Calls that stood in one text have all of it for what the model wrote.
    const maxLength =
      detail === "outline" ? 0 : held.has(raw) ? MAX_TWICE : Number.POSITIVE_INFINITY;
    held.add(raw);
    const left = maxLength === Number.POSITIVE_INFINITY ? undefined : digestOver(raw, maxLength);
    return left === undefined
      ? { ...record, repairs }
      : { ...rest, repairs, omitted: { rawToolInput: left } };
  });
}
