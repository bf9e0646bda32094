import type { ToolCall } from "@langchain/core/messages";
import { jsonEquals } from "../../repair/json/json-value.ts";
import type { JsonValue } from "../../repair/types.ts";
import { writtenArgs } from "./args.ts";
import { digestOfArgs } from "./bound-records.ts";
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
  if (omitted?.rawToolInput !== undefined) {
    // Without those of the arguments, what is left out was shared with a call that is another one now.
    return digestOfArgs(now).hash === omitted.args?.hash;
  }
  return jsonEquals(now, writtenArgs(rawToolInput) ?? {});
}
