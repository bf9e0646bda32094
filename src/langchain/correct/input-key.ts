import { canonicalJson } from "../../repair/json/canonical-json.ts";
import { digestOf, type ValueDigest } from "../../repair/json/digest.ts";
import { digestOver, MAX_VALUE } from "../../repair/records.ts";
import type { JsonValue, RecordDetail } from "../../repair/types.ts";

/** An input that was refused: what a `ToolInputError` says of it. */
export interface Mistake {
  readonly toolName: string;
  readonly causingData: JsonValue | string;
}

/** A mistake as a message keeps it: what the model wrote is whole, or told by length and hash. */
export interface KeptMistake {
  readonly toolName: string;
  readonly causingData?: JsonValue | string;
  readonly omitted?: { readonly causingData: ValueDigest };
}

/**
 * Returns one text for one mistake: the tool, and a hash of what the model wrote, whatever the order
 * of keys or the spacing.
 *
 * @param mistake The mistake.
 */
export function inputKey(mistake: KeptMistake): string {
  const { hash } = mistake.omitted?.causingData ?? digestOfInput(mistake.causingData);
  return `${mistake.toolName} ${hash}`;
}

/**
 * Bounds what is kept of a mistake with a message, which every checkpoint of a thread holds.
 *
 * @param mistake The mistake.
 * @param detail How much is kept. Default: `"bounded"`.
 */
export function boundMistake(
  { toolName, causingData }: Mistake,
  detail: RecordDetail = "bounded",
): KeptMistake {
  const maxLength = { full: Number.POSITIVE_INFINITY, bounded: MAX_VALUE, outline: 0 }[detail];
  return digestOver(causingData, maxLength) === undefined
    ? { toolName, causingData }
    : { toolName, omitted: { causingData: digestOfInput(causingData) } };
}

function digestOfInput(causingData: unknown): ValueDigest {
  return digestOf(canonicalJson(causingData ?? null));
}
