import { canonicalJson } from "../../repair/json/canonical-json.ts";
import { digestOf, type ValueDigest } from "../../repair/json/digest.ts";
import { boundRepairs, digestOver, MAX_LISTED, MAX_PATH, MAX_VALUE } from "../../repair/records.ts";
import type { JsonObject, RecordDetail } from "../../repair/types.ts";
import { cutText } from "../../repair/usage.ts";
import { writtenArgs } from "./args.ts";
import type { CallRecord, KeptRecord } from "./call-records.ts";
import { shareRawInput } from "./share-raw-input.ts";

/**
 * Bounds the records of a message, which every checkpoint of a thread holds: what the model wrote is
 * kept once, without what the call has all the same, of repairs what `boundRepairs` leaves, and of
 * undeclared keys as many as of repairs.
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
  return records.map((whole): KeptRecord => {
    const record = { ...boundUndeclared(whole), repairs: boundRepairs(whole.repairs, detail) };
    const { rawToolInput: raw, ...rest } = record;
    if (raw === undefined) return record;
    // Calls that stood in one text have all of it for what the model wrote.
    const isHeld = held.has(raw);
    held.add(raw);
    const left =
      detail === "outline" || isHeld
        ? digestOver(raw, detail === "outline" ? 0 : MAX_VALUE)
        : undefined;
    if (left !== undefined) {
      // By these it is known later whether somebody has edited a call that was refused.
      const args = rest.error === undefined ? undefined : digestOfArgs(writtenArgs(raw));
      return { ...rest, omitted: { ...rest.omitted, rawToolInput: left, ...(args && { args }) } };
    }
    const args = argsOf(rest.id);
    const shared = args && shareRawInput(raw, args);
    return shared === undefined ? record : { ...rest, shared };
  });
}

/**
 * Returns length and hash of a call's arguments.
 *
 * @param args The arguments. Default: none, as of a call that could not be read.
 */
export function digestOfArgs(args: unknown = {}): ValueDigest {
  return digestOf(canonicalJson(args));
}

function boundUndeclared(record: CallRecord): CallRecord {
  const { undeclared = [], omitted } = record;
  if (undeclared.length === 0) return record;
  const listed = undeclared.slice(0, MAX_LISTED).map((path) => cutText(path, MAX_PATH));
  const more = undeclared.length - listed.length;
  return {
    ...record,
    undeclared: listed,
    ...(more > 0 && { omitted: { ...omitted, undeclared: more } }),
  };
}
