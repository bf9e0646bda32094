import type { ToolCall } from "@langchain/core/messages";
import { digestOf } from "../../repair/json/digest.ts";
import { jsonEquals } from "../../repair/json/json-value.ts";
import type { JsonValue } from "../../repair/types.ts";
import { writtenArgs } from "./args.ts";
import type { CallRecord } from "./call-records.ts";

/**
 * Checks whether a call still has the input that was refused: a human may have edited it.
 *
 * @param call The call.
 * @param record The record of its refusal.
 */
export function isAsRefused(
  { args }: Pick<ToolCall, "args">,
  { rawToolInput, omitted }: CallRecord,
): boolean {
  const now = args as JsonValue;
  if (omitted !== undefined) {
    return digestOf(JSON.stringify(now)).hash === omitted.rawToolInput.hash || jsonEquals(now, {});
  }
  return jsonEquals(now, writtenArgs(rawToolInput) ?? {});
}
