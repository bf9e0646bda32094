import { boundRepairs, digestOver } from "../../repair/bound-repairs.ts";
import type { JsonObject, RecordDetail } from "../../repair/types.ts";
import type { CallRecord, KeptRecord } from "./call-records.ts";
import { shareRawInput } from "./share-raw-input.ts";

/** The longest text that two records of a message both hold, in characters of JSON. */
const MAX_TWICE = 1_000;

/**
 * Bounds the records of a message, which every checkpoint of a thread holds: what the model wrote is
 * kept once, without what the call has all the same, and of repairs what `boundRepairs` leaves.
 *
 * @param records The records.
 * @param argsOf Tells the arguments of a call by its id, as the message is to have them.
 * @param detail How much is kept. Default: `"bounded"`.
 */
export function boundRecords(
  records: readonly CallRecord[],
  argsOf: (id: string) => JsonObject | undefined,
  detail: RecordDetail = "bounded",
): readonly KeptRecord[] {
  if (detail === "full") return records;
  const held = new Set<unknown>();
  return records.map((record): KeptRecord => {
    const repairs = boundRepairs(record.repairs, detail);
    const { id, rawToolInput: raw, ...rest } = record;
    if (raw === undefined) return { ...record, repairs };
    // Calls that stood in one text have all of it for what the model wrote.
    const isHeld = held.has(raw);
    held.add(raw);
    const left =
      detail === "outline" || isHeld
        ? digestOver(raw, detail === "outline" ? 0 : MAX_TWICE)
        : undefined;
    if (left !== undefined) return { id, ...rest, repairs, omitted: { rawToolInput: left } };
    const args = argsOf(id);
    const shared = args && shareRawInput(raw, args);
    return shared === undefined ? { ...record, repairs } : { id, ...rest, repairs, shared };
  });
}
