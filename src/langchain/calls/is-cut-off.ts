import type { AIMessage } from "@langchain/core/messages";
import { stopInfoOf } from "./stop-reasons.ts";

/** Where providers say why a model stopped. */
const REASON_KEYS = [
  "finish_reason",
  "finishReason",
  "stop_reason",
  "stopReason",
  "done_reason",
  "reason",
] as const;

/** What they say when it had not finished, folded: it was too long, it was stopped, or it failed. */
const CUT_OFF: ReadonlySet<string> = new Set([
  ...["length", "maxlength", "maxtokens", "maxoutputtokens", "maxcompletiontokens", "tokenlimit"],
  ...["modellength", "modelcontextwindowexceeded", "contextwindowexceeded", "errorlimit"],
  ...["contentfilter", "contentfiltered", "guardrailintervened", "refusal", "safety"],
  ...["recitation", "language", "blocklist", "prohibitedcontent", "spii", "errortoxic"],
  ...["malformedfunctioncall", "malformedtooluse", "malformedmodeloutput", "unexpectedtoolcall"],
  ...["pauseturn", "incomplete", "timelimit", "timeout", "cancelled", "canceled", "usercancel"],
  ...["error", "failed", "abort", "aborted", "insufficientsystemresource", "other"],
]);

type Fields = Record<string, unknown>;

/**
 * Checks whether the provider says that a model's message was cut off.
 *
 * @param message The message.
 */
export function isCutOff(message: AIMessage): boolean {
  const { additional_kwargs, response_metadata } = message;
  const metadata = (response_metadata ?? {}) as Fields;
  const { incomplete_details, messageStop } = metadata;
  const said = [metadata, additional_kwargs, incomplete_details, messageStop, stopInfoOf(message)];
  const reasons = said.flatMap((fields) =>
    REASON_KEYS.map((key) => (fields as Fields | null | undefined)?.[key]),
  );
  // OpenAI's responses have a status, and not always the reason.
  return [...reasons, metadata.status].some(
    (reason) => typeof reason === "string" && CUT_OFF.has(foldReason(reason)),
  );
}

/** Providers write `MAX_TOKENS`, `max_tokens` and `max-tokens`. */
function foldReason(reason: string): string {
  return reason.toLowerCase().replace(/[\s_-]/g, "");
}
